"""What the engine is given: a tokenizer with the bytes that a case needs, and a model that writes the case's tokens.

The model is a language model in OpenVINO's own format with one layer of attention, so that both of the engine's
backends take it. Its embeddings are zero, so attention adds nothing; the logits come from a table: position -> id.
"""
import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")  # of torch it has no need here

import numpy
import openvino
import openvino_genai
import openvino_tokenizers
from openvino import opset13 as ops
from openvino.op.util import Variable, VariableInfo
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from byte_level import BYTE_OF, spelt

HEADS, SIZE = 1, 16  # of the attention
NONE = "<|no-end|>"  # the token that stands where the engine demands an end token and the case has none


class Vocabulary:
    """The engine's tokenizer, made with its own converter; `mine` has the id of each of the case's ids."""

    def __init__(self, tokenizer, folder, mine=None):
        both = openvino_tokenizers.convert_tokenizer(
            tokenizer, with_detokenizer=True, clean_up_tokenization_spaces=False)
        for model, name in zip(both, ("openvino_tokenizer.xml", "openvino_detokenizer.xml")):
            openvino.save_model(model, os.path.join(folder, name))
        self.folder, self.tokenizer = folder, openvino_genai.Tokenizer(folder)
        entries = tokenizer.get_vocab()
        self.size = max(entries.values()) + 1
        self.special = {id for id, token in tokenizer.added_tokens_decoder.items() if token.special}
        self.bytes = {id: token.encode() if id in self.special else bytes(BYTE_OF[char] for char in token)
                      for token, id in entries.items()}
        self.mine = {id: id for id in entries.values()} if mine is None else mine
        self.theirs = {mine: id for id, mine in self.mine.items()}
        # Its end tokens may not be none at all. No lane of ours has id 1 of the shipped vocabulary.
        self.none = entries.get(NONE, 1)

    @classmethod
    def from_file(cls, path, folder):
        return cls(PreTrainedTokenizerFast(tokenizer_file=path), folder)

    @classmethod
    def from_tokens(cls, tokens, folder, visible):
        """A byte-level vocabulary of single bytes and of just these (id, bytes, special); ValueError where that cannot
        be."""
        entries, merges, special, names = spelt(tokens, visible, [NONE])
        tokenizer = Tokenizer(models.BPE(vocab=entries, merges=merges))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
        fast, ids = PreTrainedTokenizerFast(tokenizer_object=tokenizer), tokenizer.get_vocab()
        return cls(fast, folder, {id: ids[token] for id, token in names.items()})

    def encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False)


def attention(inputs, beams, vocabulary):
    """One layer of attention with a cache, over embeddings that are zero. The engine may put its own cache there."""
    def constant(value, kind=numpy.int64):
        return ops.constant(numpy.array(value, kind))

    def heads(states):
        states = ops.matmul(states, constant(numpy.eye(SIZE), numpy.float32), False, True)
        return ops.transpose(ops.reshape(states, constant([0, 0, HEADS, SIZE]), True), constant([0, 2, 1, 3]))

    def cached(name, states):
        info = VariableInfo()
        info.data_shape, info.data_type = openvino.PartialShape([-1, HEADS, -1, SIZE]), openvino.Type.f32
        info.variable_id = f"past_key_values.0.{name}present.0.{name}"
        variable = Variable(info)
        rows = ops.gather(ops.shape_of(inputs, "i64"), constant([0]), constant(0))
        empty = ops.broadcast(constant(0, numpy.float32), ops.concat([rows, constant([HEADS, 0, SIZE])], 0))
        past = ops.gather(ops.read_value(empty, variable), beams, constant(0, numpy.int32))
        states = ops.concat([past, states], 2)
        return states, ops.assign(states, variable)

    table = constant(numpy.zeros((vocabulary, SIZE)), numpy.float32)
    states = heads(ops.gather(table, ops.convert(inputs, "i32"), constant(0, numpy.int32)))
    (keys, keep_keys), (values, keep_values) = cached("key", states), cached("value", states)
    return states, keys, values, [keep_keys, keep_values]


def dictating(ids, vocabulary):
    """A model of so many ids in its vocabulary that writes ids[p] after position p, whatever it reads."""
    def parameter(name, shape, kind):
        node = ops.parameter(shape, kind, name=name)
        node.output(0).set_names({name})
        return node

    names = ("input_ids", "attention_mask", "position_ids")
    inputs, mask, positions = (parameter(name, [-1, -1], numpy.int64) for name in names)
    beams = parameter("beam_idx", [-1], numpy.int32)
    queries, keys, values, sinks = attention(inputs, beams, vocabulary)
    one = ops.constant(numpy.int64(1))
    seen = ops.convert(ops.unsqueeze(ops.unsqueeze(mask, one), one), "f32")
    hidden = ops.multiply(ops.subtract(ops.constant(numpy.float32(1)), seen), ops.constant(numpy.float32(-1e4)))
    out = ops.transpose(ops.scaled_dot_product_attention(queries, keys, values, hidden),
                        ops.constant(numpy.array([0, 2, 1, 3], numpy.int64)))
    out = ops.reshape(out, ops.constant(numpy.array([0, 0, HEADS * SIZE], numpy.int64)), True)
    nothing = ops.reduce_sum(out, ops.constant(numpy.array([2], numpy.int64)), True)
    table = ops.constant(numpy.array(ids, numpy.int32))
    wanted = ops.gather(table, ops.convert(positions, "i32"), ops.constant(numpy.int32(0)))
    high, low = ops.constant(numpy.float32(10)), ops.constant(numpy.float32(0))
    logits = ops.add(ops.one_hot(wanted, ops.constant(numpy.int32(vocabulary)), high, low, -1), nothing)
    logits.output(0).set_names({"logits"})
    return openvino.Model([ops.result(logits)], sinks, [inputs, mask, positions, beams], "dictating")

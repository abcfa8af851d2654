"""What a reader of GenerationHandle is told, and min_new_tokens with a draft model, in OpenVINO GenAI.

The models write given tokens; their one attention layer sees only zeros and is there because paged attention needs one.
pip install openvino-genai openvino-tokenizers transformers
"""
import os
import tempfile

import numpy as np
import openvino as ov
import openvino.opset13 as op
import openvino_genai as genai
from openvino.op.util import Variable, VariableInfo
from openvino_tokenizers import convert_tokenizer
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast

PROMPT = "QQQQQQQQ"


def const(value, kind=np.int64):
    return op.constant(np.array(value, kind))


def model(written, size):
    names = ("input_ids", "attention_mask", "position_ids")
    ids, mask, position = (op.parameter([-1, -1], np.int64, name=name) for name in names)
    beam = op.parameter([-1], np.int32, name="beam_idx")
    for node in (ids, mask, position, beam):
        node.output(0).set_names({node.get_friendly_name()})
    x = op.gather(const(np.zeros((size, 16)), np.float32), ids, const(0))
    x = op.matmul(x, const(np.eye(16), np.float32), False, True)
    x = op.transpose(op.reshape(x, const([0, 0, 1, 16]), True), const([0, 2, 1, 3]))
    past, sinks = [], []
    for name in ("key", "value"):
        info = VariableInfo()
        info.data_shape, info.data_type, info.variable_id = ov.PartialShape([-1, 1, -1, 16]), ov.Type.f32, name
        variable, rows = Variable(info), op.gather(op.shape_of(ids, "i64"), const([0]), const(0))
        none = op.broadcast(const(0, np.float32), op.concat([rows, const([1, 0, 16])], 0))
        past.append(op.concat([op.gather(op.read_value(none, variable), beam, const(0)), x], 2))
        sinks.append(op.assign(past[-1], variable))
    seen = op.convert(op.unsqueeze(op.unsqueeze(mask, const(1)), const(1)), "f32")
    seen = op.multiply(op.subtract(seen, const(1, np.float32)), const(1e4, np.float32))
    y = op.scaled_dot_product_attention(x, *past, seen)
    y = op.reduce_sum(op.reshape(op.transpose(y, const([0, 2, 1, 3])), const([0, 0, 16]), True), const([2]), True)
    table = const([0] * (len(PROMPT) - 1) + written)
    want = op.one_hot(op.gather(table, position, const(0)), const(size), const(9, np.float32), const(0, np.float32), -1)
    logits = op.add(want, y)
    logits.output(0).set_names({"logits"})
    return ov.Model([op.result(logits)], sinks, [ids, mask, position, beam])


def folder(vocabulary, written):
    vocab = {token: n for n, token in enumerate(dict.fromkeys([*"QABCDEFGHIJKLMNOPRSTUVWXYZ", *vocabulary, "</s>"]))}
    made = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    made.decoder = decoders.Fuse()
    path = tempfile.mkdtemp()
    both = convert_tokenizer(PreTrainedTokenizerFast(tokenizer_object=made, eos_token="</s>"), with_detokenizer=True)
    mine = model([vocab[token] for token in written] + [vocab["</s>"]] * 9, len(vocab))
    for made, name in zip((*both, mine), ("tokenizer", "detokenizer", "model")):
        ov.save_model(made, os.path.join(path, f"openvino_{name}.xml"))
    return path


print("the reason that a handle tells")
for tokens in (["END", "x"], ["ab", "END", "x"], ["EN", "D", "x"]):
    pipe = genai.ContinuousBatchingPipeline(folder(tokens, tokens), genai.SchedulerConfig(), "CPU")
    config = genai.GenerationConfig(max_new_tokens=3, stop_strings={"END"}, apply_chat_template=False)
    handle, told = pipe.add_request(0, PROMPT, config), []
    while pipe.has_non_finished_requests():
        pipe.step()
        while handle.can_read():
            told += [(output.generated_ids, output.finish_reason.name) for output in handle.read().values()]
    print(f"{tokens}: outputs {told}, status {handle.get_status().name}")

print("min_new_tokens with a draft model")
tokens = ["a", "b", "</s>", "c", "d"]
for least, wrong in ((2, None), (2, [2]), (3, None), (3, [0, 1])):
    more = {}
    if wrong is not None:
        guessed = ["Q" if place in wrong else token for place, token in enumerate(tokens)]
        more["draft_model"] = genai.draft_model(folder(tokens, guessed), "CPU")
    pipe = genai.LLMPipeline(folder(tokens, tokens), "CPU", **more)
    config = genai.GenerationConfig(max_new_tokens=5, min_new_tokens=least, apply_chat_template=False)
    config.num_assistant_tokens = 3 if more else 0
    result = pipe.generate([PROMPT], config)
    who = "with a draft model" if more else "alone"
    print(f"min_new_tokens {least}, {who}: {result.texts[0]!r} {result.finish_reasons[0].name}")

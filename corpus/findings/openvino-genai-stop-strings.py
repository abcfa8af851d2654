"""Stop strings in OpenVINO GenAI, with a vocabulary of a few tokens and a model that writes given ones.

pip install openvino-genai openvino-tokenizers transformers
"""
import os
import tempfile

import numpy as np
import openvino as ov
import openvino.opset13 as op
import openvino_genai as genai
from openvino_tokenizers import convert_tokenizer
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast


def pipeline(tokens, merges):
    """Writes these tokens, whatever the prompt (of one token) is; `merges` are what the tokenizer joins."""
    letters = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"]
    vocab = {token: n for n, token in enumerate(dict.fromkeys([*letters, *map("".join, merges), *tokens, "</s>"]))}
    made = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    made.decoder = decoders.Fuse()
    folder = tempfile.mkdtemp()
    both = convert_tokenizer(PreTrainedTokenizerFast(tokenizer_object=made, eos_token="</s>"), with_detokenizer=True)
    for model, name in zip(both, ("tokenizer", "detokenizer")):
        ov.save_model(model, os.path.join(folder, f"openvino_{name}.xml"))
    names = ("input_ids", "attention_mask", "position_ids")
    ids, mask, position = (op.parameter([-1, -1], np.int64, name=name) for name in names)
    beam = op.parameter([-1], np.int32, name="beam_idx")
    for node in (ids, mask, position, beam):
        node.output(0).set_names({node.get_friendly_name()})
    table = np.array([vocab[token] for token in tokens] + [vocab["</s>"]] * 9, np.int32)
    logits = op.one_hot(op.gather(table, position, np.int32(0)), np.int32(len(vocab)), np.float32(9), np.float32(0), -1)
    logits.output(0).set_names({"logits"})
    ov.save_model(ov.Model([logits], [ids, mask, position, beam]), os.path.join(folder, "openvino_model.xml"))
    return genai.LLMPipeline(folder, "CPU", ATTENTION_BACKEND="SDPA")


def show(tokens, stop, merges=(), **settings):
    settings = {"max_new_tokens": 5, **settings}
    result = pipeline(tokens, list(merges)).generate(["Q"], stop_strings={stop}, apply_chat_template=False, **settings)
    print(f"{tokens}, stop {stop!r}, {settings}: {result.texts[0]!r} {result.finish_reasons[0].name}")


END = [("E", "N"), ("EN", "D")]  # so that END is one token
print("spelt with more tokens than the tokenizer would")
show(["ab", "END", "cd"], "END", END)
show(["ab", "EN", "D", "cd"], "END", END)
show(["ab", "E", "N", "D", "cd"], "END", END)
print("a stop inside a token")
show(["ab", "cENDx", "ef"], "END", END)
show(["ab", "cENDx", "ef"], "END", END, include_stop_str_in_output=True)
print("blanks before a stop")
show(["ab", "\nEND", "cd"], "END")
show(["ab", "\n", "cd"], "\n", include_stop_str_in_output=True)
print("a stop with the last token allowed")
show(["ab", "END", "cd"], "END", END, max_new_tokens=2)
show(["ab", "END", "cd"], "END", END, max_new_tokens=3)

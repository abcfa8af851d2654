"""A model file whose weights dictate what a case says: no hook in the engine chooses a token.

A GPT-2 of one layer in which everything is zero but the embeddings of the positions and the output matrix: the n-th
position after the prompt has the n-th unit vector, and the output matrix gives the n-th unit vector to the n-th token
of the case. So greedy sampling takes just these tokens, in any engine that runs the file. The vocabulary is byte-level
BPE and holds the case's own tokens.
"""
import os

import numpy as np
from gguf import GGUFWriter, TokenType

from byte_level import ALPHABET

PROMPT = ("Question", ":", " what", " comes", " next", "?", "\n", "Answer", ":", "\n")
CONTEXT = 1024  # what the engine makes room for unless a case says otherwise
# Names that make a token an end token whatever the file says (llama_vocab::impl::load in llama-vocab.cpp).
END_NAMES = ("<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>",
             "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>",
             "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>", "[e~[")
END_KEYS = ("eos_token_id", "eot_token_id", "eom_token_id")  # a file can name one token of each


class Impossible(Exception):
    """Why the engine has no way to be given this."""


def prompt_of(count):
    """The pieces of a prompt of so many tokens, each of them one token; the last ten are PROMPT."""
    return ("\n",) * max(count - len(PROMPT), 0) + PROMPT[-min(count, len(PROMPT)):]


class Vocabulary:
    """The tokens of a model file: those of cases, of the prompt, and every single byte."""

    def __init__(self):
        self.entries, self.types, self.ends = {}, [], []
        self.add("<nothing>", TokenType.CONTROL)  # begins and pads, and is never sampled
        self.sentinel = self.add("<out of tokens>", TokenType.CONTROL)  # an end token, after the case's last one
        self.add("<wrong>", TokenType.CONTROL)  # what a draft model guesses where a step is to end
        for piece in PROMPT:  # user-defined: in a prompt, this text is this one token
            self.add(piece, TokenType.USER_DEFINED)
        for char in ALPHABET.values():
            self.add(char, TokenType.NORMAL)

    def add(self, text, kind):
        if text not in self.entries:
            self.entries[text] = len(self.entries)
            self.types.append(kind)
        return self.entries[text]

    def id_of(self, token, visible=False):
        """The id of a case's (id, bytes, special). A special token that is never shown gets a name of its own."""
        id, text, special = token
        if special or not text:
            name = text.decode() if visible and text else f"<control {id}>"
            if name in END_NAMES or name in self.entries and self.types[self.entries[name]] != TokenType.CONTROL:
                raise Impossible(f"the special token {name!r} means something else to llama.cpp")
            return self.add(name, TokenType.CONTROL)
        name = "".join(ALPHABET[byte] for byte in text)
        if name in END_NAMES:
            raise Impossible(f"llama.cpp makes every token {name!r} an end token")
        return self.add(name, TokenType.NORMAL)

    def end(self, id):
        if id not in self.ends:
            self.ends.append(id)


def write(path, vocabulary, places, context=CONTEXT):
    """Writes the file. `places` says which id is to be sampled at a position; elsewhere it is the sentinel."""
    width = -(-(len(places) + 1) // 32) * 32
    ends = [vocabulary.sentinel, *vocabulary.ends]
    if len(ends) > len(END_KEYS):
        raise Impossible(f"a model file names at most {len(END_KEYS)} end tokens, one of them is the recorder's own")
    positions = np.zeros((context, width), np.float32)
    positions[:, -1] = 1
    output = np.zeros((len(vocabulary.entries), width), np.float32)
    output[vocabulary.sentinel, -1] = 1
    for n, (position, id) in enumerate(sorted(places.items())):
        positions[position] = 0
        positions[position, n] = output[id, n] = 1
    writer = GGUFWriter(path, "gpt2")
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(width)
    writer.add_head_count(1)
    writer.add_layer_norm_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(list(vocabulary.entries))
    writer.add_token_types(vocabulary.types)
    writer.add_token_merges([f"{ALPHABET[0x20]} {ALPHABET[0x20]}"])  # never needed, but there must be one
    writer.add_bos_token_id(0)
    writer.add_add_bos_token(False)
    for key, id in zip(END_KEYS, ends):
        writer.add_uint32(f"tokenizer.ggml.{key}", id)
    zeros = lambda *shape: np.zeros(shape, np.float32)
    writer.add_tensor("token_embd.weight", zeros(len(vocabulary.entries), width))
    writer.add_tensor("position_embd.weight", positions)
    writer.add_tensor("output.weight", output)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(width, np.float32))
        writer.add_tensor(f"{name}.bias", zeros(width))
    for name, rows in (("attn_qkv", 3 * width), ("attn_output", width), ("ffn_up", width), ("ffn_down", width)):
        writer.add_tensor(f"blk.0.{name}.weight", zeros(rows, width))
        writer.add_tensor(f"blk.0.{name}.bias", zeros(rows))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return os.path.getsize(path)

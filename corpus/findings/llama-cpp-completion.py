"""create_completion of llama-cpp-python, whole and streamed, of a tiny model that says given tokens.

Needs: llama-cpp-python==0.3.36, gguf, numpy.
"""
import tempfile

import gguf
import numpy as np
from llama_cpp import Llama


def model_that_says(tokens, path):
    """A tiny GPT-2: the n-th position embedding is the n-th unit vector, and the output matrix maps it to token n.
    All else is zero, so greedy sampling gives just these tokens, then the end token."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    char = {byte: chr(byte) for byte in plain} | {byte: chr(256 + n) for n, byte in enumerate(rest)}
    vocabulary = ["<end>", *char.values()]
    names = ["".join(char[byte] for byte in token) for token in tokens]
    vocabulary += [name for name in dict.fromkeys(names) if name not in vocabulary]
    position, output = np.zeros((256, 32), np.float32), np.zeros((len(vocabulary), 32), np.float32)
    for n, name in enumerate([*names, "<end>"]):
        position[n, n] = output[vocabulary.index(name), n] = 1
    file = gguf.GGUFWriter(path, "gpt2")
    for name, value in {"context_length": 256, "embedding_length": 32, "block_count": 1, "feed_forward_length": 32,
                        "attention.head_count": 1}.items():
        file.add_uint32(f"gpt2.{name}", value)
    file.add_layer_norm_eps(1e-5)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("gpt-2")
    file.add_token_list(vocabulary)
    file.add_token_types([gguf.TokenType.CONTROL] + [gguf.TokenType.NORMAL] * (len(vocabulary) - 1))
    file.add_token_merges(["Ġ Ġ"])
    file.add_bos_token_id(0)
    file.add_eos_token_id(0)
    file.add_add_bos_token(False)
    tensors = {"token_embd.weight": np.zeros_like(output), "position_embd.weight": position, "output.weight": output}
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        tensors |= {f"{name}.weight": np.ones(32, np.float32), f"{name}.bias": np.zeros(32, np.float32)}
    for name, rows in {"attn_qkv": 96, "attn_output": 32, "ffn_up": 32, "ffn_down": 32}.items():
        tensors |= {f"blk.0.{name}.weight": np.zeros((rows, 32), np.float32),
                    f"blk.0.{name}.bias": np.zeros(rows, np.float32)}
    for name, tensor in tensors.items():
        file.add_tensor(name, tensor)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def show(tokens, **request):
    """What create_completion makes of these tokens, not streamed and streamed."""
    print("tokens ", tokens, request)
    with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        model_that_says(tokens, file.name)
        llama = Llama(file.name, n_ctx=256, verbose=False)
        whole = llama.create_completion("!", temperature=0, **request)
        pieces = []  # the prompt is one token, so n_tokens is the number of the last token that was sampled
        for chunk in llama.create_completion("!", temperature=0, stream=True, **request):
            pieces.append((chunk["choices"][0], llama.n_tokens))
        llama.close()
    print("whole  ", repr(whole["choices"][0]["text"]), whole["choices"][0]["finish_reason"],
          whole["usage"]["completion_tokens"], "tokens")
    told = [f"{piece['text']!r} at token {number}" for piece, number in pieces[:-1]]
    print("stream ", ", ".join(told), pieces[-1][0]["finish_reason"])


print("limits and stops behind a split character")
# Two bytes are still missing after the second token and come with the third, but only one is counted as come.
show([b"ok", b"\xe4", b"\xbd\xa0", b" a", b" b"], max_tokens=3)
show([b"ok", b"\xe3", b"\x80\x82", b" a", b" b"], stop=["。"])
show([b"ok", b"\xe3", b"\x80\x82"], stop=["。"])

print("split characters that are held back")
# The last character is held back, since it may be the start of the stop; its two tokens are then decoded one by one.
show([b"Hi ", b"\xf0\x9f", b"\x98\x8a"], stop=["😊!"])
show([b"\xe6\x97", b"\xa5", b"\xe6\x9c", b"\xac"], stop=["日本語"], max_tokens=4)

print("several stops")
# "urn x" and "n x" are complete with the same token; then with the second of them the first in the list.
show([b"ret", b"urn", b" x"], stop=["n x", "urn x"])
show([b"ret", b"urn", b" x"], stop=["urn x", "n x"])

print("an empty stop")
show([b"Hi", b" you", b"."], stop=[""])
show([b"Hi", b" you", b"."], stop=["!", ""])
show([b"Hi", b" you", b"."], stop="")

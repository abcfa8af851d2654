"""Shows how transformers' generate ends a few lanes of dictated tokens: a tiny GPT-2 with random weights, and a
byte-level tokenizer.

usage: python3 transformers-lanes.py [split | prompt | special | minimum | streamer | batch]   (all without an argument)
Needs: transformers (5.24.0 or 4.57.6), torch.
"""
import sys

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, LogitsProcessor, LogitsProcessorList, PreTrainedTokenizerFast
from transformers import TextStreamer

transformers.logging.set_verbosity_error()

# All 256 bytes are tokens as well. In the alphabet of byte-level vocabularies Ġ is the space and Ċ the newline,
# Ã and © are the two bytes of é, and ðŁĺĬ the four of 😊.
WORDS = ["ok", "st", "op", "top", "Wow", "Ġok", "ðŁĺĬ"]
SPECIAL = ["<|tool|>", "<|end|>", "<|pad|>"]  # in no text that is decoded with skip_special_tokens
LANES = {  # prompt, the tokens of each row, arguments for generate (eos: <|end|> is an end token)
    "split": [("i", [["ok", "Ã", "©", "Ġok"]], {"stop_strings": ["é"]}),
              ("i", [["ok", "Ã", "©", ".", "Ġok"]], {"stop_strings": ["é."]})],
    "prompt": [("s", [["top", "Ġok", "."]], {"stop_strings": ["stop"]}),
               ("i", [["top", "Ġok", "."]], {"stop_strings": ["stop"]})],
    "special": [("i", [["ok", "<|tool|>", "Ġok", "."]], {"stop_strings": ["tool"]}),
                ("i", [["st", "<|tool|>", "op", "Ġok"]], {"stop_strings": ["stop"]}),
                ("i", [["st", "op", "Ġok"]], {"stop_strings": ["stop"]})],
    "minimum": [("i", [["ok", ".", "Ġok", "."]], {"stop_strings": ["."], "min_new_tokens": 4, "eos": True}),
                ("i", [["ok", ".", "Ġok", "."]], {"min_new_tokens": 4, "eos": True})],
    "streamer": [("i", [["Wow", "!", "Ġok", "ðŁĺĬ", "Ġok"]], {}),
                 ("i", [["f", "(", "x", ")", "Ċ"]], {})],
    "batch": [("i", [["ok", ".", "Wow"], ["a", "b", "."]], {"stop_strings": ["."]}),
              ("i", [["ok", ".", "Wow"], ["a", "b", "."]], {"stop_strings": ["."], "eos": True})],
}


class Dictate(LogitsProcessor):
    """Leaves of each row only the token that it names for this step."""

    def __init__(self, start, rows):
        self.start, self.rows = start, rows

    def __call__(self, input_ids, scores):
        only = torch.full_like(scores, -float("inf"))
        for row, ids in enumerate(self.rows):
            only[row, ids[input_ids.shape[1] - self.start]] = 0
        return only


class Pieces(TextStreamer):
    """Notes each piece of text with the number of the token that it came with."""

    def __init__(self):
        super().__init__(tokenizer, skip_prompt=True)
        self.taken, self.pieces = 0, []

    def put(self, value):
        self.taken += not self.next_tokens_are_prompt
        super().put(value)

    def on_finalized_text(self, text, stream_end=False):
        if text:
            self.pieces.append(f"{text!r} {'at the end' if stream_end else f'at token {self.taken}'}")


backend = Tokenizer(models.BPE(vocab={token: id for id, token in enumerate(
    sorted(pre_tokenizers.ByteLevel.alphabet()) + WORDS)}, merges=[]))
backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
backend.decoder = decoders.ByteLevel()
backend.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL])
tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
END, PAD = tokenizer.convert_tokens_to_ids(SPECIAL[1:])
torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=8, n_layer=1, n_head=1,
                                   bos_token_id=None, eos_token_id=None)).eval()

print("transformers", transformers.__version__)
for name in sys.argv[1:] or LANES:
    for prompt, rows, asked in LANES[name]:
        print(f"{name}: prompt {prompt!r}, tokens {', '.join(map(str, rows))}, {asked}")
        settings = {**asked, "eos_token_id": END} if "eos" in asked else dict(asked)
        settings.pop("eos", None)
        streamer = Pieces() if len(rows) == 1 else None
        ids = tokenizer([prompt] * len(rows), return_tensors="pt", return_token_type_ids=False)
        start = ids["input_ids"].shape[1]
        try:
            out = model.generate(
                **ids, do_sample=False, max_new_tokens=len(rows[0]), pad_token_id=PAD, tokenizer=tokenizer,
                streamer=streamer, logits_processor=LogitsProcessorList(
                    [Dictate(start, [tokenizer.convert_tokens_to_ids(row) for row in rows])]), **settings)
        except ValueError as error:
            print("      ValueError:", error)
            continue
        for row in out[:, start:].tolist():
            text = tokenizer.decode(row, skip_special_tokens=True)
            print(f"      {tokenizer.convert_ids_to_tokens(row)}, text {text!r}")
        if name == "streamer":
            print("      streamed", ", ".join(streamer.pieces))

"""A real engine, made to take the tokens that a case dictates.

Hugging Face transformers runs as its users run it: `generate` with its own stop criteria and its own TextStreamer, on
a small model with random weights. Only the choice of the next token is taken out of its hands, by a logits processor.
What ends the lane and what text comes out, and when, is the engine's doing.
"""
import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # last: this folder's name is the engine's

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, LogitsProcessor, LogitsProcessorList
from transformers import PreTrainedTokenizerFast, TextStreamer

from byte_level import ALPHABET, BYTE_OF

transformers.logging.set_verbosity_error()
torch.set_num_threads(1)

MODEL_IDS = 65536
PAD = 1  # what rows of a batch are filled up with; no lane uses this id
PROMPT = "Question: what comes next?\nAnswer:\n"


class OutOfTokens(Exception):
    """The case has no further token: the lane stays open."""


class Impossible(Exception):
    """The engine forbids the dictated token at this place (min_new_tokens forbids the ids that end a lane)."""


class Dictate(LogitsProcessor):
    """Leaves one token possible: the one that the case has at this place."""

    def __init__(self, prompt_length, rows):
        self.prompt_length, self.rows, self.asked = prompt_length, rows, 0

    def __call__(self, input_ids, scores):
        step = input_ids.shape[1] - self.prompt_length
        only = torch.full_like(scores, -float("inf"))
        for row, ids in enumerate(self.rows):
            if step >= len(ids):
                raise OutOfTokens
            if torch.isneginf(scores[row, ids[step]]):
                raise Impossible(f"min_new_tokens leaves id {ids[step]} no probability at token {step + 1}")
            only[row, ids[step]] = scores[row, ids[step]]
        self.asked = step + 1
        return only


class Capture(TextStreamer):
    """The engine's streamer, with each piece of text written down beside the number of the token it came with."""

    def __init__(self, tokenizer, **decode):
        super().__init__(tokenizer, skip_prompt=True, **decode)
        self.step, self.pieces, self.steps, self.ends = 0, [], [], 0

    def put(self, value):
        if not self.next_tokens_are_prompt:
            self.step += value.numel()
        super().put(value)

    def on_finalized_text(self, text, stream_end=False):
        self.ends += stream_end
        if text:
            self.pieces.append(text)
            self.steps.append(self.step)


class Vocabulary:
    """A tokenizer, and the bytes of each of its ids."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.special = set(tokenizer.all_special_ids)
        self.special |= {id for id, token in tokenizer.added_tokens_decoder.items() if token.special}
        self.bytes = {}
        for token, id in tokenizer.get_vocab().items():
            text = token.encode() if id in self.special else bytes(BYTE_OF[char] for char in token)
            self.bytes[id] = text

    @classmethod
    def from_file(cls, path):
        return cls(PreTrainedTokenizerFast(tokenizer_file=path))

    @classmethod
    def from_tokens(cls, tokens):
        """A byte-level vocabulary of just these (id, bytes, special); ValueError where that cannot be."""
        entries, special = {}, []
        for id, text, is_special in tokens:
            token = text.decode() if is_special else "".join(ALPHABET[byte] for byte in text)
            if not token or entries.setdefault(token, id) != id:
                raise ValueError(f"id {id}: no bytes, or the bytes of another id")
            if is_special and token not in special:
                special.append(token)
        top = max(entries.values(), default=-1)
        if top + 257 > MODEL_IDS:
            raise ValueError(f"id {top}: the model has {MODEL_IDS} ids")
        free = sorted(set(range(top + 257)) - set(entries.values()))
        # Single bytes, since the engine encodes a word of its own to learn what decoding adds; and no holes.
        entries.update(zip((char for char in ALPHABET.values() if char not in entries), free))
        entries.update((f"{ALPHABET[0xFF]}{id}", id) for id in sorted(set(free) - set(entries.values())))
        tokenizer = Tokenizer(models.BPE(vocab=entries, merges=[]))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
        return cls(PreTrainedTokenizerFast(tokenizer_object=tokenizer))


class Engine:
    def __init__(self):
        torch.manual_seed(0)
        self.model = LlamaForCausalLM(LlamaConfig(
            vocab_size=MODEL_IDS, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
            max_position_embeddings=1024, initializer_range=0.3, bos_token_id=None, eos_token_id=None)).eval()

    def prompt(self, vocabulary, rows=1):
        ids = vocabulary.tokenizer(PROMPT, return_tensors="pt", add_special_tokens=False)["input_ids"]
        return ids.expand(rows, -1)

    def generate(self, vocabulary, processor, rows=1, **settings):
        prompt = self.prompt(vocabulary, rows)
        with torch.no_grad():
            out = self.model.generate(
                prompt, attention_mask=torch.ones_like(prompt), pad_token_id=PAD, tokenizer=vocabulary.tokenizer,
                logits_processor=LogitsProcessorList([processor]), **settings)
        return out[:, prompt.shape[1]:].tolist()


def settings_of(request):
    """A request in the words of `generate`. Its one list of eos ids does for both kinds of ids that end a lane."""
    settings = {"do_sample": False}
    stops = request.get("stop")
    if stops is not None:
        stops = stops if isinstance(stops, list) else [stops]
        stops = [stop["text"] if isinstance(stop, dict) else stop for stop in stops]
    if stops:
        settings["stop_strings"] = stops
    ends = [] if request.get("ignore_eos") else list(request.get("eos_token_ids") or [])
    ends += request.get("stop_token_ids") or []
    if ends:
        settings["eos_token_id"] = ends
    if request.get("min_tokens"):
        settings["min_new_tokens"] = request["min_tokens"]
    return settings


def run(engine, vocabulary, cases, stream):
    """The results of the cases, which run as the rows of one batch. `cases` are (case, ids) with equal requests."""
    request = cases[0][0].get("request") or {}
    rows = [ids for _, ids in cases]
    settings = settings_of(request)
    maximum = request.get("max_tokens")
    settings["max_new_tokens"] = len(rows[0]) + 1 if maximum is None else maximum
    skip = request.get("skip_special_tokens")
    decode = {"skip_special_tokens": True if skip is None else skip}
    if stream:
        settings["streamer"] = streamer = Capture(vocabulary.tokenizer, **decode)
    processor = Dictate(engine.prompt(vocabulary).shape[1], rows)
    try:
        outputs = engine.generate(vocabulary, processor, rows=len(rows), **settings)
    except OutOfTokens:
        if not stream:  # generate has not returned, so its caller has nothing yet
            return [{"unsupported": "generate shows nothing before its end, and these tokens bring none"}] * len(rows)
        outputs = [rows[0]]
        return [{**streamed(streamer, outputs[0]), "finish_reason": None, "cause": "open"}]
    except Impossible as reason:
        return [{"unsupported": str(reason)}] * len(rows)
    except (ValueError, TypeError) as reason:
        if processor.asked:
            raise
        return [{"deltas": [], "text": "", "finish_reason": "error", "cause": "invalid_request", "message": str(reason),
                 "tokens": 0, "token_ids": []}] * len(rows)
    if stream:
        return [streamed(streamer, outputs[0])]
    results = []
    for ids in outputs:
        while len(rows) > 1 and "eos_token_id" in settings and ids[-1] == PAD:
            ids.pop()  # filled up to the length of the longest row
        results.append({"text": vocabulary.tokenizer.decode(ids, **decode), "tokens": len(ids), "token_ids": ids})
    return results


def streamed(streamer, ids):
    return {"deltas": streamer.pieces, "text": "".join(streamer.pieces), "tokens": len(ids), "token_ids": ids,
            "delta_steps": streamer.steps, "terminals": streamer.ends}

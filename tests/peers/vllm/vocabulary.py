"""A byte-level vocabulary made of a case's own tokens, and the prompt that each lane has."""
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from byte_level import ALPHABET

MODEL_IDS = 65536
PROMPT = "Question: what comes next?\nAnswer:\n"


def prompt_pieces(count):
    """The prompt as `count` tokens: all but the first are one byte each."""
    text = PROMPT.encode()
    text = text * (count // len(text) + 1)
    head = text[:-count + 1] if count > 1 else text
    return [head, *(bytes([byte]) for byte in text[len(head):])]


class Vocabulary:
    """Made of (id, bytes, special) of any number of lanes; ValueError where that cannot be."""

    def __init__(self, tokens, prompt_tokens, eos=()):
        entries, special = {}, []
        for id, text, is_special in tokens:
            token = text.decode() if is_special else "".join(ALPHABET[byte] for byte in text)
            if not 0 <= id < MODEL_IDS:
                raise ValueError(f"id {id}: the model has {MODEL_IDS} ids")
            if not token or entries.setdefault(token, id) != id:
                raise ValueError(f"id {id}: no bytes, or the bytes of another id")
            if is_special and token not in special:
                special.append(token)
        used = set(entries.values())
        free = iter(id for id in range(MODEL_IDS) if id not in used and id not in eos)
        for id in eos:
            if id not in used and 0 <= id < MODEL_IDS:  # an end token that does not come needs a name all the same
                entries[f"<end {id}>"] = id
                special.append(f"<end {id}>")
        self.prompt = []
        for piece in prompt_pieces(prompt_tokens):
            token = "".join(ALPHABET[byte] for byte in piece)
            self.prompt.append(entries[token] if token in entries else entries.setdefault(token, next(free)))
        self.names = {id: token for token, id in entries.items()}
        tokenizer = Tokenizer(models.BPE(vocab=entries, merges=[]))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
        self.tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokenizer)

    def with_eos(self, id):
        """The tokenizer, with this id as its end token. It need not be a special one."""
        tokenizer = self.tokenizer
        tokenizer._special_tokens_map = {**tokenizer._special_tokens_map, "eos_token": self.names.get(id)}
        return tokenizer

"""Small tokenizers made for one point each: what the library does, and where its text is not R1's and R11's."""


def sequence(*steps):
    return {"type": "Sequence", "decoders": list(steps)}


def replace(pattern, content):
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


def metaspace(**rest):
    return {"type": "Metaspace", "replacement": "▁", **rest}


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
FALLBACK = {"type": "ByteFallback"}
FUSE = {"type": "Fuse"}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
LLAMA = sequence(replace("▁", " "), FALLBACK, FUSE, STRIP)
PREPEND = {
    "type": "Sequence",
    "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}],
}


def added(number, content, special=False, normalized=False):
    rest = dict.fromkeys(("single_word", "lstrip", "rstrip"), False)
    return {"id": number, "content": content, "special": special, "normalized": normalized, **rest}


def tokenizer(decoder, names, extra=(), normalizer=None, unigram=False):
    vocab = [[name, -1.0] for name in names] if unigram else {name: i for i, name in enumerate(names)}
    model = {"type": "Unigram", "vocab": vocab, "unk_id": 0} if unigram else {"type": "BPE", "vocab": vocab, "merges": []}
    return {"version": "1.0", "added_tokens": list(extra), "normalizer": normalizer, "decoder": decoder, "model": model}


# What it is about, the tokenizer, lists of ids, whether the library's text differs.
MADE = (
    ("a byte with a sign, lower case", tokenizer(FALLBACK, ["x", "<0x+A>", "<0x-A>", "<0xé>", "<0xc3>", "<0xA9>"]),
     [[0, 1, 0], [0, 2], [0, 3], [4, 5, 0]], False),
    ("characters beyond the byte map", tokenizer(BYTE_LEVEL, ["Ġ▁", "é", "a b", "Ã©"], [added(4, "é é"), added(5, "Ġx")]),
     [[0], [1], [2], [3], [4], [5], [5, 1]], False),
    ("special by content", tokenizer(FUSE, ["<unk>", "a", "a"], [added(0, "<unk>", True), added(2, "a", True)], None, True),
     [[1], [2], [0, 1, 2]], False),
    ("Metaspace, always", tokenizer(metaspace(prepend_scheme="always"), ["▁a", "b", "<s>"], [added(2, "<s>", True)]),
     [[0, 0], [1, 0], [2, 0, 1], [0, 2, 0]], False),
    ("Metaspace, never", tokenizer(metaspace(prepend_scheme="never"), ["▁a", "▁▁", "a▁b"]), [[0, 0], [1, 0], [2, 1]], False),
    ("Metaspace, older file", tokenizer(metaspace(add_prefix_space=True, str_rep="▁"), ["▁a", "b"]), [[0, 0], [1, 0]], False),
    ("Replace of several characters", tokenizer(sequence(replace("aa", "b"), replace("abc", "")), ["aaa", "ababcabcab"]),
     [[0, 1], [1, 0]], False),
    ("Strip after ByteLevel", tokenizer(sequence(BYTE_LEVEL, STRIP), ["Ġa", "b"]), [[0, 0], [1, 0]], False),
    ("Strip of a byte token", tokenizer(LLAMA, ["▁a", "b", "<0x20>"]), [[0, 0], [1, 0], [2, 0], [2, 2, 1]], False),
    ("no decoders in the sequence", tokenizer(sequence(), ["Ġa", "b"]), [[0, 0], [1, 0]], False),
    ("Metaspace drops all ▁ of the first token", tokenizer(metaspace(), ["▁▁", "a▁b"]), [[0, 1], [1, 0]], True),
    ("Metaspace: the first token has no text", tokenizer(metaspace(), ["", "▁a"]), [[0, 1]], True),
    ("Metaspace behind ByteFallback: a byte token is a space", tokenizer(sequence(FALLBACK, metaspace()), ["▁a", "<0x20>"]),
     [[1, 0]], True),
    ("a ▁ made of byte tokens", tokenizer(sequence(FALLBACK, metaspace()), ["x", "<0xE2>", "<0x96>", "<0x81>"]),
     [[0, 1, 2, 3]], True),
    ("an ill-formed run of byte tokens", tokenizer(LLAMA, ["x", "<0xE2>", "<0x96>", "<0x41>"]), [[0, 1, 2]], True),
    ("an added token whose id the library would not give", tokenizer(FUSE, ["a", "b"], [added(1, "c"), added(9, "d")]),
     [[1, 0], [9, 0]], True),
    ("an added token that the normalizer changes", tokenizer(LLAMA, ["a", "<s>"], [added(1, "<s>", True, True)], PREPEND),
     [[0, 1]], True),
)

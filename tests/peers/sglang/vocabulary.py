"""A vocabulary made of a case's own tokens."""
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from byte_level import spelt


def of_tokens(tokens, visible):
    """(a tokenizer.json of single bytes and these tokens, its id of each of their ids); ValueError where that cannot
    be."""
    entries, merges, special, names = spelt(tokens, visible)
    made = Tokenizer(models.BPE(vocab=entries, merges=merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    ids = made.get_vocab()
    return made.to_str(), {id: ids[token] for id, token in names.items()}

"""The one thing that is taken out of the engine's hands: which token comes next."""
import torch
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor


class Dictate(AdapterLogitsProcessor):
    """Leaves one token possible: the one that the case has at this place."""

    def is_argmax_invariant(self):
        return False

    def new_req_logits_processor(self, params):
        ids = (params.extra_args or {}).get("dictate")
        return (lambda taken, logits: only(logits, ids, len(taken))) if ids else None


def only(logits, ids, place):
    """A token that the engine forbids (min_tokens) stays forbidden: then another comes, which `run` sees."""
    if 0 <= place < len(ids) and not torch.isneginf(logits[ids[place]]):
        logits.fill_(-float("inf"))
        logits[ids[place]] = 0
    return logits

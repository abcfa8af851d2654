"""llama-cpp-python as its users run it: `Llama.create_completion`, on a model file that dictates (model.py).

Only the tokens are dictated, by the weights. What ends the lane and what text comes out, and when, is the engine's.
"""
import os
import tempfile

import llama_cpp
import numpy as np
from llama_cpp.llama_speculative import LlamaDraftModel

from model import CONTEXT, Impossible, Vocabulary, prompt_of, write
from peer import rejected, tokens_of


OUT_OF_TOKENS = "nothing is shown before the end, and these tokens bring none"


class Lane:
    """A case in the words of the engine: its ids and prompt. `later` moves it to a later place in the model file."""

    def __init__(self, case, vocabulary=None, visible=False, later=0):
        request = case.get("request") or {}
        self.tokens = tokens_of(case)
        self.vocabulary = vocabulary or Vocabulary()
        self.ids = [self.vocabulary.id_of(token, visible) for token in self.tokens]
        ends = [] if request.get("ignore_eos") else request.get("eos_token_ids") or []
        for (id, _, _), mine in zip(self.tokens, self.ids):
            if isinstance(ends, list) and id in ends:
                self.vocabulary.end(mine)
        self.context, count = CONTEXT, case.get("prompt_tokens") or 0
        if isinstance(request.get("max_context"), int):
            # The engine rounds its context up to a multiple of 256: the prompt is made longer by as much.
            room = request["max_context"] - count
            self.context = -(-(request["max_context"] + 1) // 256) * 256
            count = self.context - room
        count = max(count, 1) + later
        if count >= self.context:
            raise Impossible("the prompt fills the context, which the engine refuses")
        if self.context == CONTEXT and count + len(self.ids) >= CONTEXT:
            raise Impossible(f"longer than the context of {CONTEXT} tokens")
        self.prompt = prompt_of(count)
        self.prompt_ids = [self.vocabulary.entries[piece] for piece in self.prompt]
        self.places = {count - 1 + n: id for n, id in enumerate(self.ids) if count - 1 + n < self.context}

    def write(self, folder, name="lane.gguf"):
        path = os.path.join(folder, name)
        write(path, self.vocabulary, self.places, self.context)
        return path


class Draft(LlamaDraftModel):
    """A draft model that is always right about the rest of a step, and guesses no further."""

    def __init__(self, case, prompt_tokens, ids):
        ends, n = {}, 0
        for step in case["steps"]:
            ends.update({n + at: n + len(step) for at in range(len(step))})
            n += len(step)
        self.ends, self.prompt_tokens, self.ids, self.calls = ends, prompt_tokens, ids, []

    def __call__(self, input_ids, /, **kwargs):
        taken = input_ids.shape[0] - self.prompt_tokens  # the next step begins with token number taken + 1
        self.calls.append(taken)
        last = self.ends.get(taken, taken + 1)
        return np.array(self.ids[taken:last - 1], np.intc)


class Count:
    """A logits processor that changes nothing and counts: how many tokens were sampled."""

    def __init__(self):
        self.sampled = 0

    def __call__(self, input_ids, scores):
        self.sampled += 1
        return scores


def step_of(case, token):
    """The number of the step that has token number `token` (from 1)."""
    taken = 0
    for number, step in enumerate(case["steps"], 1):
        taken += len(step)
        if token <= taken:
            return number
    return len(case["steps"]) + 1


def run(case, stream):
    """What create_completion does with the case; with a draft model if a step has several tokens."""
    request = case.get("request") or {}
    speculative = any(len(step) > 1 for step in case["steps"])
    with tempfile.TemporaryDirectory() as folder:
        lane, count = Lane(case), Count()
        draft = Draft(case, len(lane.prompt), lane.ids) if speculative else None
        llama = llama_cpp.Llama(lane.write(folder), n_ctx=lane.context, n_batch=256, n_threads=1, n_threads_batch=1,
                                draft_model=draft, verbose=False)
        try:
            options = {name: request[name] for name in ("stop", "max_tokens") if request.get(name) is not None}
            options.setdefault("max_tokens", None)  # no limit but the context
            out = llama.create_completion(
                lane.prompt_ids, temperature=0.0, stream=stream,
                logits_processor=llama_cpp.LogitsProcessorList([count]), **options)
            result = streamed(case, ((piece, count.sampled) for piece in out)) if stream else whole(case, out, count)
            if draft and draft.calls != sorted(set(draft.ends.values()))[:len(draft.calls)]:
                raise RuntimeError(f"the engine's steps ended with tokens {draft.calls}")
            return result
        except (ValueError, TypeError, AttributeError) as reason:
            if count.sampled:
                raise
            return rejected(f"{type(reason).__name__}: {reason}")
        finally:
            llama.close()


def whole(case, out, count):
    choice = out["choices"][0]
    if count.sampled > len(tokens_of(case)):
        return {"unsupported": OUT_OF_TOKENS}
    return {"text": choice["text"], "finish_reason": choice["finish_reason"], "tokens": count.sampled}


def still_open(deltas, steps):
    return {"deltas": deltas, "delta_steps": steps, "text": "".join(deltas), "finish_reason": None, "cause": "open"}


def streamed(case, pieces):
    """The result of pieces, each with the number of the token that it came with."""
    deltas, steps, reasons, total, seen = [], [], [], len(tokens_of(case)), 0
    for piece, token in pieces:
        choice = piece["choices"][0]
        if token > total:  # the case has no further token: what comes now would not have come yet
            return still_open(deltas, steps)
        seen = token
        if choice["text"]:
            deltas.append(choice["text"])
            steps.append(step_of(case, token))
        if choice["finish_reason"]:
            reasons.append(choice["finish_reason"])
    return {"deltas": deltas, "delta_steps": steps, "text": "".join(deltas),
            "finish_reason": reasons[0] if reasons else None, "tokens": seen, "terminals": len(reasons)}

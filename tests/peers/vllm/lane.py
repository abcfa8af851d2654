"""One request, and what the engine says of it."""
import itertools

import peer


class Lane:
    def __init__(self, case, ids):
        self.case, self.ids, self.request = case, ids, case.get("request") or {}
        sizes = [len(step) for step in case.get("steps") or [] if step]
        # The prompt's own step has no draft tokens, so its one token comes by itself.
        self.plan = [1, *([sizes[0] - 1] if sizes[0] > 1 else []), *sizes[1:]]
        self.borders = set(itertools.accumulate(self.plan))
        self.taken, self.texts, self.token_ids, self.counts, self.end = 0, [], [], [], None

    def take(self, text, token_ids, finish_reason, stop_reason):
        self.texts.append(text)
        self.token_ids += token_ids
        self.counts.append(len(self.token_ids))
        if finish_reason is not None:
            self.end = {"finish_reason": finish_reason, "stop_reason": stop_reason}

    def step_of(self, count):
        """The number of the case's step that brought token `count`; empty steps are steps too."""
        seen = 0
        for number, step in enumerate(self.case["steps"], 1):
            seen += len(step)
            if seen >= count:
                return number
        return len(self.case["steps"])

    def result(self, stream):
        if self.token_ids != self.ids[:len(self.token_ids)]:
            return {"unsupported": "min_tokens leaves a dictated token no probability"}
        if any(count not in self.borders for count in self.counts[:-1]):
            return {"unsupported": "the engine took these tokens in other steps"}
        if not stream and self.end is None:
            return {"unsupported": "nothing is shown before the end, and these tokens bring none"}
        end = self.end or {"finish_reason": None, "cause": "open"}
        counts = {"tokens": len(self.token_ids), "token_ids": self.token_ids}
        if not stream:
            return {"text": self.texts[-1], **end, **counts}
        shown = [(text, self.step_of(max(count, 1))) for text, count in zip(self.texts, self.counts) if text]
        return {"deltas": [text for text, _ in shown], "text": "".join(text for text, _ in shown),
                "delta_steps": [step for _, step in shown], **end, **counts}


def rejected(reason):
    named = {"param": reason.parameter} if getattr(reason, "parameter", None) else {}
    return peer.rejected(reason, **named)

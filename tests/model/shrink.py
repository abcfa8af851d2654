"""Makes a case smaller while something about it stays as it is."""

from badrequest import Pairs, Raw
from model import token_bytes


def without(items, i):
    """A list of the same kind without element i."""
    return type(items)(items[:i] + items[i + 1 :])


def replaced(items, i, item):
    """A list of the same kind with another element i."""
    return type(items)(items[:i] + [item] + items[i + 1 :])


def smaller_value(value):
    """JSON values that are a little smaller than this one."""
    if isinstance(value, Raw) or isinstance(value, bool):
        return
    if isinstance(value, int):
        yield from sorted({0, value // 2, value - 1} - {value}) if value > 0 else []
    elif isinstance(value, str):
        if len(value) > 8:
            yield value[: len(value) // 2]
        else:
            yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
    elif isinstance(value, Pairs):
        for i, (name, item) in enumerate(value):
            yield without(value, i)
            yield from (replaced(value, i, (name, small)) for small in smaller_value(item))
    elif isinstance(value, list):
        if len(value) > 8:
            yield value[: len(value) // 2]
            yield value[len(value) // 2 :]
        for i, item in enumerate(value):
            yield without(value, i)
            if len(value) <= 8:
                yield from (replaced(value, i, small) for small in smaller_value(item))
    elif isinstance(value, dict):
        for name in value:
            yield {n: v for n, v in value.items() if n != name}
            yield from ({**value, name: small} for small in smaller_value(value[name]))


def other_token(token, raw, special):
    """The token with other bytes, or with another `special`."""
    result = {"id": token["id"]}
    try:
        result["text"] = raw.decode("utf-8")
    except UnicodeDecodeError:
        result["hex"] = raw.hex()
    return {**result, "special": True} if special else result


def smaller_steps(steps):
    """Steps with a step or a token less, or with an id whose bytes are fewer, everywhere."""
    for i, step in enumerate(steps):
        yield without(steps, i)
        yield from (replaced(steps, i, without(step, j)) for j in range(len(step)))
    for token in {t["id"]: t for step in steps for t in step}.values():
        raw, special = token_bytes(token), token.get("special")
        simpler = [(raw[1:], special), (raw[:-1], special)] if raw else []
        if special:
            simpler.append((raw, False))
        for other in (other_token(token, *s) for s in simpler):
            yield [[other if t["id"] == other["id"] else t for t in step] for step in steps]


def smaller_cases(case):
    """Cases that are a little smaller than this one and well-formed outside `request`."""
    for name in ("prompt_tokens", "abort_after_step", "external_end", "sink"):
        if name in case:
            yield {n: v for n, v in case.items() if n != name}
    yield from ({**case, "steps": steps} for steps in smaller_steps(case["steps"]))
    yield from ({**case, "request": request} for request in smaller_value(case["request"]))
    for name in ("prompt_tokens", "abort_after_step"):
        if name in case:
            yield from ({**case, name: small} for small in smaller_value(case[name]))
    yield from ({**case, "sink": without(case["sink"], i)} for i in range(len(case.get("sink", []))))
    if "external_end" in case:
        for name in ("after_step", "cut"):
            for small in smaller_value(case["external_end"][name]):
                yield {**case, "external_end": {**case["external_end"], name: small}}


def shrink(case, which_stay):
    """The smallest case found. `which_stay` is given a list of cases and says of which the trouble is still there."""
    while True:
        candidates = list(smaller_cases(case))
        staying = which_stay(candidates)
        if True not in staying:
            return case
        case = candidates[staying.index(True)]

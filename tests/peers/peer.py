"""What every peer needs: the lanes that are recorded, the loop of an adapter, and how a recording is written.

The lanes are those of corpus/recordings/transformers-5.24.0-*.jsonl without their results (how they were made says
corpus/recordings/README.md), so that all engines are asked the same. Only the standard library is used here.
"""
import json
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORDINGS = os.path.join(ROOT, "corpus", "recordings")
MODES = ("text", "stream", "batch")


def lanes(mode):
    """The cases of one mode: text (not streamed), stream, or batch (four rows run together)."""
    with open(os.path.join(RECORDINGS, f"transformers-5.24.0-{mode}.jsonl"), encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    return [{name: value for name, value in case.items() if name not in ("result", "source")} for case in cases]


def speculative(case, seed=1):
    """The same lane with one to four tokens a step, as a draft model that is often right would bring them."""
    draw = random.Random(f"{seed} {case['case']}")
    tokens, steps = [token for step in case["steps"] for token in step], []
    while tokens:
        count = draw.randint(1, 4)
        steps.append(tokens[:count])
        tokens = tokens[count:]
    return {**case, "case": f"{case['case']}-speculative", "what": f"{case['what']}; up to four tokens a step", "steps": steps}


def drafted(case):
    """The same, but one token in the first step, which is the prompt's: there engines draft nothing."""
    case = speculative(case)
    first, *others = case["steps"]
    return {**case, "steps": [first[:1], *([first[1:]] if first[1:] else []), *others]}


def tokens_of(case):
    """(id, bytes, special) of each token, in order."""
    tokens = []
    for step in case.get("steps") or []:
        for token in step:
            text = bytes.fromhex(token["hex"]) if "hex" in token else token.get("text", "").encode()
            tokens.append((token["id"], text, bool(token.get("special"))))
    return tokens


def first_unsupported(case, cannot):
    """Why the engine has no way to be given this case, or None. `cannot`: member of case or request -> why."""
    request = case.get("request") or {}
    for member, why in cannot.items():
        if request.get(member) or (member not in request and case.get(member) is not None):
            return why
    return None


def rejected(reason, **named):
    """The result of a request that the engine refuses."""
    return {"deltas": [], "text": "", "finish_reason": "error", "cause": "invalid_request", "message": str(reason),
            **named, "tokens": 0, "token_ids": []}


def adapter(answer):
    """Answers each line of standard input before the next is read. answer(case) is a result without `case`, or
    {"unsupported": why}. What the engine prints goes to standard error: it is no answer."""
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        if line.strip():
            case = json.loads(line)
            print(json.dumps({"case": case["case"], **answer(case)}, ensure_ascii=False), file=results, flush=True)


def record(path, source, pairs):
    """Writes recordings: a case with its result a line; an unsupported one is left out and counted. The file appears
    whole or not at all."""
    written = left_out = 0
    with open(path + ".new", "w", encoding="utf-8") as file:
        for case, result in pairs:
            if "unsupported" in result:
                left_out += 1
                continue
            line = {"case": case["case"], "source": source, **case, "result": result}
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
            written += 1
    os.replace(path + ".new", path)
    print(f"{os.path.basename(path)}: {written} recordings, {left_out} unsupported", flush=True)

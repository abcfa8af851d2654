"""A real engine, made to take the tokens that a case dictates.

OpenVINO GenAI runs as its users run it: LLMPipeline, or ContinuousBatchingPipeline with its TextStreamer, on the CPU.
Only the model is ours (model.py): it writes the case's tokens. What ends the lane, what text comes out, and when, is
the engine's doing.
"""
import os
import shutil
import tempfile

from model import dictating

import numpy
import openvino
import openvino_genai as genai

PROMPT = "Question: what comes next?\nAnswer:\n"
APART = 64  # how much longer the prompt of each further row of a batch is: no two rows have a position in common
REASONS = {genai.GenerationFinishReason.STOP: "stop", genai.GenerationFinishReason.LENGTH: "length",
           genai.GenerationFinishReason.NONE: None}
REFUSALS = (RuntimeError, TypeError, ValueError, OverflowError)


class Refused(Exception):
    """The engine does not take the request."""


class Impossible(Exception):
    """The engine did not take the tokens that were dictated."""


def ends_of(request, vocabulary):
    """The request's two lists of ids in the engine's ids; what is no list of ids is left to the engine to refuse."""
    lists = (request.get(member) or [] for member in ("eos_token_ids", "stop_token_ids"))
    lists = [ids if isinstance(ids, list) else [ids] for ids in lists]
    return [[vocabulary.mine.get(id, id) if isinstance(id, int) else id for id in ids] for ids in lists]


def config_of(request, vocabulary, length):
    """A request in the words of GenerationConfig; nothing is looked at here that the engine could look at."""
    stops = request.get("stop")
    if stops is not None:
        stops = stops if isinstance(stops, list) else [stops]
        stops = [stop.get("text", stop) if isinstance(stop, dict) else stop for stop in stops]
    eos, ends = ends_of(request, vocabulary)
    maximum = request.get("max_tokens")
    config = genai.GenerationConfig()
    try:
        config.apply_chat_template = False
        config.max_new_tokens = length + 1 if maximum is None else maximum
        if stops:
            config.stop_strings = set(stops)
        if request.get("min_tokens") is not None:
            config.min_new_tokens = request["min_tokens"]
        for member in ("ignore_eos", "include_stop_str_in_output"):
            if request.get(member) is not None:
                setattr(config, member, request[member])
        config.stop_token_ids = {*eos, *ends}
        config.set_eos_token_id(eos[0] if eos else vocabulary.none)
        config.validate()
    except REFUSALS as reason:
        raise Refused(said(reason)) from reason
    config.max_new_tokens = min(config.max_new_tokens, length + APART)  # the model has no more to write
    return config


def said(reason):
    """What the engine says, without the place in its sources."""
    lines = str(reason).strip().splitlines()
    return lines[0 if isinstance(reason, TypeError) else -1].strip()


def decoding(request):
    skip = request.get("skip_special_tokens")
    return {"skip_special_tokens": True if skip is None else skip}


class Lanes:
    """The rows of one run, in a folder that the engine can open: a model that writes them, and a draft model where a
    step has several tokens. `rows` are in the engine's ids."""

    def __init__(self, vocabulary, rows, steps=None):
        self.vocabulary, self.rows = vocabulary, rows
        self.folder = tempfile.mkdtemp(prefix="openvino-genai-")
        prompt = [int(id) for id in vocabulary.encode(PROMPT).input_ids.data[0]]
        self.prompts, table = [], []
        for row, ids in enumerate(rows):
            self.prompts.append([prompt[0]] * (row * APART) + prompt)
            table += [vocabulary.none] * (len(self.prompts[row]) - 1 - len(table)) + ids
        table += [vocabulary.none] * (APART + 8)
        self.save(table, self.folder)
        sizes = [len(step) for step in steps or []]
        self.drafted = max(sizes, default=1) - 1
        if self.drafted:
            self.draft(table, sizes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def save(self, table, folder):
        os.makedirs(folder, exist_ok=True)
        openvino.save_model(dictating(table, self.vocabulary.size), os.path.join(folder, "openvino_model.xml"),
                            compress_to_fp16=False)

    def draft(self, table, sizes):
        """A draft model that guesses right up to the last token of a step, which the main model then writes itself."""
        wrong, place, folder = list(table), len(self.prompts[0]) - 1, os.path.join(self.folder, "draft")
        for size in sizes:
            place += size
            wrong[place - 1] = self.vocabulary.none
        self.save(wrong, folder)
        for name in os.listdir(self.vocabulary.folder):
            shutil.copy(os.path.join(self.vocabulary.folder, name), folder)

    def inputs(self):
        return [openvino.Tensor(numpy.array([prompt], numpy.int64)) for prompt in self.prompts]

    def pipeline(self, kind, **properties):
        scheduler = genai.SchedulerConfig()
        scheduler.num_kv_blocks = 64
        if self.drafted:
            folder = os.path.join(self.folder, "draft")
            properties["draft_model"] = genai.draft_model(folder, "CPU", scheduler_config=scheduler)
        between = [scheduler] if kind is genai.ContinuousBatchingPipeline else []
        return kind(self.folder, self.vocabulary.tokenizer, *between, "CPU", **properties)

    def config(self, request):
        config = config_of(request, self.vocabulary, max(map(len, self.rows)))
        if self.drafted:
            config.num_assistant_tokens = self.drafted
        return config

    def forbidden(self, request):
        """Whether min_new_tokens may forbid a token of the lane without a trace (a stop may take what came instead out
        again). With a draft model the engine counts otherwise, and any end token may be forbidden."""
        ends = sum(ends_of(request, self.vocabulary), [])
        least = request.get("min_tokens") or 0
        places = [place for place, id in enumerate(self.rows[0]) if id in ends]
        return least > 0 and any(place < least or self.drafted for place in places)

    def taken(self, ids, row=0):
        """The engine's ids as the case's, once they are known to be the ones that were dictated."""
        for place, id in enumerate(ids):
            if place == len(self.rows[row]):
                raise Impossible("generate shows nothing before its end, and these tokens bring none")
            if id != self.rows[row][place]:
                raise Impossible(f"the engine did not take the token at place {place + 1}")
        return [self.vocabulary.theirs[id] for id in ids]

    def told(self, ids, row, text, reason, request, metrics=None):
        """A result. Where a stop string ends a lane, the engine takes the ids of the stop out again, so that its list
        says nothing of what was taken. How many were, its metrics say, except those of a batch (they are of all rows)
        and those of a draft model (they count what was drafted behind the stop)."""
        ids, count = self.taken(ids, row), None
        ends = [*(request.get("eos_token_ids") or []), *(request.get("stop_token_ids") or [])]
        whole = reason == "length" or ids and ids[-1] in ends
        if metrics and not self.drafted:
            count = metrics.get_num_generated_tokens()
        elif whole:
            count = len(ids)
        return {"text": text, "finish_reason": reason, **({} if count is None else {"tokens": count}),
                **({"token_ids": ids} if count == len(ids) else {})}

    def decoded(self, ids, request):
        return self.vocabulary.tokenizer.decode(ids, **decoding(request))


def run_text(lanes, request, **properties):
    """What LLMPipeline.generate returns, decoded."""
    config, pipeline = lanes.config(request), lanes.pipeline(genai.LLMPipeline, **properties)
    try:
        encoded = pipeline.generate(lanes.inputs()[0], config)
    except REFUSALS as reason:
        raise Refused(said(reason)) from reason
    ids = encoded.tokens[0]
    reason = REASONS[encoded.finish_reasons[0]]
    return lanes.told(ids, 0, lanes.decoded(ids, request), reason, request, encoded.perf_metrics)


def run_batch(lanes, request):
    """What ContinuousBatchingPipeline.generate returns for several prompts, decoded."""
    configs = [lanes.config(request)] * len(lanes.rows)
    pipeline = lanes.pipeline(genai.ContinuousBatchingPipeline)
    results = []
    for row, result in enumerate(pipeline.generate(lanes.inputs(), configs)):
        ids, reason = result.m_generation_ids[0], REASONS[result.finish_reasons[0]]
        results.append(lanes.told(ids, row, lanes.decoded(ids, request), reason, request))
    return results


def each_step(lanes, config):
    """(the ids that can be read, the reason with them, and when it is over the engine's metrics) after each step."""
    pipeline = lanes.pipeline(genai.ContinuousBatchingPipeline)
    try:
        handle = pipeline.add_request(0, lanes.inputs()[0], config)
    except REFUSALS as reason:
        raise Refused(said(reason)) from reason
    while pipeline.has_non_finished_requests():
        pipeline.step()
        ids, why = [], None
        while handle.can_read():
            for output in handle.read().values():
                ids += output.generated_ids
                why = REASONS[output.finish_reason]
        running = handle.get_status() == genai.GenerationStatus.RUNNING
        yield ids, why, None if running else handle.get_perf_metrics()


def sizes_of_steps(lanes):
    """How many tokens each step of the engine takes while nothing ends the lane."""
    config = lanes.config({"max_tokens": len(lanes.rows[0])})
    return [len(ids) for ids, _, _ in each_step(lanes, config)]


def run_stream(lanes, request, steps):
    """What TextStreamer says. The loop is the engine's own: after each step the streamer gets what can be read."""
    pieces, at, ids, reason, step = [], [], [], None, 0

    def say(piece):
        pieces.append(piece)
        at.append(step)
        return genai.StreamingStatus.RUNNING

    streamer = genai.TextStreamer(lanes.vocabulary.tokenizer, say, decoding(request))
    for step, (new, why, metrics) in enumerate(each_step(lanes, lanes.config(request)), 1):
        ids += new
        reason = why or reason
        if new:
            streamer.write(new)
        if metrics is None and step == steps:
            lanes.taken(ids)
            return {"deltas": pieces, "text": "".join(pieces), "finish_reason": None, "cause": "open",
                    "delta_steps": at}
    streamer.end()
    return {"deltas": pieces, **lanes.told(ids, 0, "".join(pieces), reason, request, metrics), "delta_steps": at}


def run_callback(lanes, request):
    """The pieces that LLMPipeline.generate itself hands to a callback."""
    pieces, pipeline = [], lanes.pipeline(genai.LLMPipeline)
    pipeline.generate(lanes.inputs()[0], lanes.config(request), pieces.append)
    return pieces

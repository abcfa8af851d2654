"""SGLang's own code for the end of a lane, driven with the tokens that a case dictates.

What runs is the engine's: Req (its stop strings, stop tokens and limits), SchedulerOutputStreamer (what is sent when)
and DetokenizerManager (text, the cut of stops), called as the scheduler and the detokenizer process call them after
each step. There is no model and no server: a step's tokens are put where the scheduler puts them.
"""
import contextlib
import json
import os
import sys
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
warnings.filterwarnings("ignore")

from array import array

from sglang.srt import runtime_context
from sglang.srt.disaggregation.utils import DisaggregationMode
from sglang.srt.managers.detokenizer_manager import DetokenizerManager
from sglang.srt.managers.schedule_batch import Req
from sglang.srt.managers.scheduler_components.output_streamer import SchedulerOutputStreamer
from sglang.srt.sampling.sampling_params import SamplingParams
from sglang.srt.server_args import ServerArgs
from sglang.srt.speculative.spec_info import SpeculativeAlgorithm

PROMPT = "Question: what comes next?\nAnswer:\n"
UNLIMITED = 1 << 20  # what stands for a request without max_tokens: the scheduler puts the rest of the context there


class Refused(Exception):
    """The engine does not take the request."""


class Sink:
    """Where the scheduler's socket to the detokenizer would be."""

    def __init__(self):
        self.sent = []

    def send_output(self, payload, *_):
        self.sent.append(payload)


class Engine:
    def __init__(self, folder):
        """`folder` has a tokenizer.json; the rest of what the engine reads of a model is put beside it."""
        with open(os.path.join(folder, "tokenizer_config.json"), "w", encoding="utf-8") as file:
            json.dump({"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}, file)
        with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
            json.dump({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, file)
        arguments = ServerArgs(model_path=folder, device="cpu")
        runtime_context.reset_context()
        with contextlib.redirect_stdout(sys.stderr):
            runtime_context.publish(arguments, role="scheduler")
        self.detokenizer = DetokenizerManager.__new__(DetokenizerManager)  # all of its set-up but the sockets
        self.detokenizer.init_tokenizer(arguments)
        self.detokenizer.init_running_status(arguments)
        self.detokenizer.init_request_dispatcher()
        self.tokenizer, self.sink, self.count = self.detokenizer.tokenizer, Sink(), 0
        self.streamer = SchedulerOutputStreamer(
            send_to_detokenizer=self.sink, tree_cache=None, server_args=arguments, is_generation=True,
            spec_algorithm=SpeculativeAlgorithm.NONE, disaggregation_mode=DisaggregationMode.NULL,
            enable_hicache_storage=lambda: False)

    def request(self, request, stream):
        stops = request.get("stop")
        if stops is not None:
            stops = stops if isinstance(stops, list) else [stops]
            stops = [stop["text"] if isinstance(stop, dict) else stop for stop in stops]
        maximum, skip = request.get("max_tokens"), request.get("skip_special_tokens")
        try:
            settings = SamplingParams(
                max_new_tokens=UNLIMITED if maximum is None else maximum, stop=stops,
                stop_token_ids=set(request.get("stop_token_ids") or []), min_new_tokens=request.get("min_tokens"),
                ignore_eos=request.get("ignore_eos"), skip_special_tokens=True if skip is None else skip,
                no_stop_trim=request.get("include_stop_str_in_output"))
            settings.normalize(self.tokenizer)
            settings.verify(len(self.tokenizer))
        except (ValueError, TypeError) as reason:
            raise Refused(str(reason)) from reason
        self.count += 1
        prompt = array("q", self.tokenizer.encode(PROMPT, add_special_tokens=False))
        made = Req(f"lane-{self.count}", PROMPT, prompt, settings, stream=stream, vocab_size=len(self.tokenizer),
                   eos_token_ids=set(request.get("eos_token_ids") or []))
        made.tokenizer = self.tokenizer
        return made

    def step(self, request, ids):
        """What comes out of the detokenizer after a step with these tokens."""
        request.output_ids.extend(ids)
        request.update_finish_state(len(ids))
        self.sink.sent = []
        with runtime_context.get_parallel().override(dp_rank=None, attn_tp_rank=0):
            self.streamer.stream_output([request], False)
        return [self.detokenizer.handle_batch_token_id_out(payload) for payload in self.sink.sent]


def run(engine, steps, request, stream):
    """The result of a lane, or None where it has no end and is not streamed."""
    lane = engine.request(request, stream)
    pieces, at, ids, last = [], [], [], None
    for number, step in enumerate(steps, 1):
        for last in engine.step(lane, step):
            ids += last.output_ids[0]
            if last.output_strs[0]:
                pieces.append(last.output_strs[0])
                at.append(number)
        if lane.finished():
            break
    text, why = "".join(pieces), last.finished_reasons[0] if last else None
    streamed = {"deltas": pieces, "delta_steps": at} if stream else {}
    if why is None:
        return {**streamed, "text": text, "finish_reason": None, "cause": "open"} if stream else None
    matched = why.get("matched")
    named = isinstance(matched, str) or matched in (request.get("stop_token_ids") or [])
    told = {"stop_reason": matched} if named else {}
    return {**streamed, "text": text, "finish_reason": why["type"], **told, "tokens": last.completion_tokens[0],
            "token_ids": ids}

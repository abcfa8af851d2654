"""A real engine, made to take the tokens that a case dictates.

vLLM's LLMEngine runs as its users run it, in this process: scheduler, model runner, sampler, detokenizer and output
processor are its own. Only the choice of the next token is taken out of its hands: a logits processor (or, with
draft tokens, where it allows none, the model's own `compute_logits`) leaves one token possible.
"""
import json
import os
import tempfile

os.environ.update(VLLM_ENABLE_V1_MULTIPROCESSING="0", VLLM_CPU_KVCACHE_SPACE="1", VLLM_CPU_OMP_THREADS_BIND="nobind",
                  VLLM_NO_USAGE_STATS="1", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", OMP_NUM_THREADS="1")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")

from vllm import EngineArgs, LLMEngine, ModelRegistry, SamplingParams
from vllm.exceptions import VLLMClientError
from vllm.model_executor.models.llama import LlamaForCausalLM
from vllm.sampling_params import RepetitionDetectionParams, RequestOutputKind
from vllm.tokenizers.hf import get_cached_tokenizer
from vllm.v1.engine.output_processor import RequestOutputCollector

from dictate import Dictate, only
from lane import rejected
from vocabulary import MODEL_IDS

CONTEXT = 4096
SAME = ("stop_token_ids", "min_tokens", "ignore_eos", "include_stop_str_in_output", "skip_special_tokens")
DRAFT = 7  # draft tokens a step at most: eight tokens with the one that the model adds
MODEL = {"architectures": ["TinyLlama"], "model_type": "llama", "vocab_size": MODEL_IDS, "hidden_size": 64,
         "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2,
         "head_dim": 32, "max_position_embeddings": CONTEXT, "dtype": "float32", "bos_token_id": None,
         "eos_token_id": None, "tie_word_embeddings": False}


class Plan:
    """What the model with draft tokens is to say: the one lane that runs, and how many tokens each step brings."""
    prompt, ids, sizes = 0, [], []


class TinyLlama(LlamaForCausalLM):
    """Knows the place of a token by its position, which is carried along in the first number of its hidden state."""

    def forward(self, input_ids, positions, *args, **named):
        hidden = super().forward(input_ids, positions, *args, **named).clone()
        hidden[:, 0] = positions.to(hidden.dtype)
        return hidden

    def compute_logits(self, hidden_states):
        logits = super().compute_logits(hidden_states)
        if Plan.ids:
            for row, position in enumerate(hidden_states[:, 0].tolist()):
                only(logits[row], Plan.ids, int(position) + 1 - Plan.prompt)
        return logits


class Draft:
    """A draft model that is always right, and sometimes says less: vLLM's `custom_class` proposer."""

    def __init__(self, config):
        pass

    def load_model(self, *args, **named):
        pass

    def propose(self, sampled, counts, ids, **named):
        taken, done = int(counts[0]) - Plan.prompt, 0
        for size in Plan.sizes:
            if done == taken:
                return [Plan.ids[done:done + size - 1]] + [[] for _ in sampled[1:]]
            done += size
        return [[] for _ in sampled]


class Engine:
    def __init__(self, speculative=False):
        ModelRegistry.register_model("TinyLlama", TinyLlama)
        folder = tempfile.TemporaryDirectory()
        with open(os.path.join(folder.name, "config.json"), "w", encoding="utf-8") as file:
            json.dump(MODEL, file)
        named = {"logits_processors": [Dictate]}
        if speculative:
            named = {"speculative_config": {"method": "custom_class", "model": f"{__name__}.Draft",
                                            "num_speculative_tokens": DRAFT}}
        self.folder, self.speculative, self.count = folder, speculative, 0
        self.llm = LLMEngine.from_engine_args(EngineArgs(
            model=folder.name, load_format="dummy", dtype="float32", enforce_eager=True, max_model_len=CONTEXT,
            skip_tokenizer_init=True, enable_prefix_caching=False, max_num_seqs=8, disable_log_stats=True, **named))

    def configure(self, vocabulary, request, slow):
        """What a server is started with, set anew for each case: tokenizer, end tokens, length of the context."""
        llm, eos = self.llm, request.get("eos_token_ids") or []
        tokenizer = get_cached_tokenizer(vocabulary.with_eos(eos[0] if eos else None))
        llm.renderer.tokenizer = tokenizer
        llm.output_processor.tokenizer = Slow(tokenizer) if slow else tokenizer
        llm.input_processor.generation_config_fields = {"eos_token_id": list(eos)} if len(eos) > 1 else {}
        context = CONTEXT if request.get("max_context") is None else request["max_context"]
        llm.model_config.max_model_len = llm.engine_core.engine_core.scheduler.max_model_len = context

    def name(self):
        self.count += 1
        return str(self.count)


class Slow:
    """A tokenizer that vLLM does not know to be a fast one, so it takes its detokenizer for the others. That one passes
    over ids from len(tokenizer) on, and a case's own vocabulary has gaps: its length is that of a whole one here."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def __getattr__(self, name):
        return getattr(self.tokenizer, name)

    def __len__(self):
        return MODEL_IDS


def params_of(request, ids, stream):
    """A request in the words of SamplingParams: most members have the same names."""
    named = {name: request[name] for name in SAME if request.get(name) is not None}
    stops = request.get("stop")
    if stops is not None:
        bare = stops if isinstance(stops, list) else [stops]
        bare = [stop["text"] if isinstance(stop, dict) else stop for stop in bare]
        named["stop"] = bare if isinstance(stops, list) else bare[0]
    if request.get("repetition") is not None:
        words = {"max_period": "max_pattern_size", "min_repeats": "min_count"}
        named["repetition_detection"] = RepetitionDetectionParams(
            **{words.get(name, name): value for name, value in dict(request["repetition"]).items()})
    kind = RequestOutputKind.DELTA if stream else RequestOutputKind.FINAL_ONLY
    return SamplingParams(max_tokens=request.get("max_tokens"), temperature=0, output_kind=kind,
                          extra_args={"dictate": ids}, **named)


def take(lane, output):
    output = output.outputs[0]
    lane.take(output.text, output.token_ids, output.finish_reason, output.stop_reason)


def run(engine, vocabulary, lanes, stream, slow=False):
    """The results of the lanes, which run together."""
    llm, running, results = engine.llm, {}, {}
    engine.configure(vocabulary, lanes[0].request, slow)
    for place, lane in enumerate(lanes):
        name = engine.name()
        try:
            params = params_of(lane.request, lane.ids, stream)
            if engine.speculative:
                Plan.prompt, Plan.ids, Plan.sizes = len(vocabulary.prompt), lane.ids, lane.plan
            inner = llm.add_request(name, {"prompt_token_ids": list(vocabulary.prompt)}, params)
        except (VLLMClientError, ValueError, TypeError, OverflowError) as reason:
            results[place] = rejected(reason)
            llm.abort_request([name])  # it may have been taken half-way
            continue
        running[name] = (place, lane, inner)
        if lane.case.get("abort_after_step") is not None:  # as AsyncLLM gives each request, which shows aborts
            state = llm.output_processor.request_states[inner]
            state.queue = lane.queue = RequestOutputCollector(state.output_kind, inner)
    while running:
        for name, (place, lane, inner) in list(running.items()):
            at = lane.case.get("abort_after_step")
            aborted = at is not None and (at == 0 or lane.counts and lane.step_of(lane.counts[-1]) >= at)
            if aborted or lane.taken >= len(lane.ids):
                llm.abort_request([name])
                if aborted and (output := lane.queue.get_nowait()):
                    take(lane, output)
                del running[name]
                results[place] = lane.result(stream)
        if not running:
            break
        outputs = llm.step()
        for name, (place, lane, inner) in list(running.items()):
            if hasattr(lane, "queue") and (output := lane.queue.get_nowait()):
                outputs.append(output)
        state = llm.engine_core.engine_core.scheduler.requests
        for output in outputs:
            if output.request_id in running:
                take(running[output.request_id][1], output)
        for name, (place, lane, inner) in list(running.items()):
            lane.taken = state[inner].num_output_tokens if inner in state else lane.taken
            if lane.end is not None:
                del running[name]
                results[place] = lane.result(stream)
    Plan.ids = []
    return [results[place] for place in range(len(lanes))]

"""Shows how vLLM ends a few lanes of dictated tokens: a model with random weights, and a tokenizer of 14 entries.

usage: python3 vllm-lanes.py [half | tail | prompt | token]   (all without an argument)
"""
import json
import os
import sys
import tempfile

os.environ.update(VLLM_ENABLE_V1_MULTIPROCESSING="0", VLLM_CPU_KVCACHE_SPACE="1", VLLM_CPU_OMP_THREADS_BIND="nobind",
                  VLLM_LOGGING_LEVEL="ERROR")

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from vllm import LLM, SamplingParams
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

# In the alphabet of byte-level vocabularies: Ġ is the space, Ã and © are the two bytes of é, ï ¿ ½ those of U+FFFD.
VOCABULARY = ["ok", "ĠÃ", "©", "a", "bÃ", "ï¿½", "H", "i", "Ġ", "ï", "¿", "½", "Ã", "!"]
LANES = {
    "half": [("i", ["ok", "ĠÃ"], {"stop": [" "]}),
             ("i", ["ok", "ĠÃ"], {"stop": [" "], "include_stop_str_in_output": True}),
             ("i", ["ok", "ĠÃ", "Ã", "Ã", "!"], {"stop": [" "]})],
    "tail": [("i", ["a", "bÃ"], {}), ("i", ["a", "ï¿½"], {}), ("i", ["Ã"] * 5, {})],
    "prompt": [("Hi \ufffd", ["a", "!"], {}), ("Hi \ufffd", ["a", "!"], {"stop": ["Hi"]}),
               (["H", "i", "Ġ", "Ã"], ["©", "!"], {})],
    "token": [("i", ["ok", "a"], {"stop_token_ids": [3]}),
              ("i", ["ok", "a"], {"stop_token_ids": [3], "include_stop_str_in_output": True})],
}


class Dictate(AdapterLogitsProcessor):
    """Lets only those tokens through that the request names."""

    def is_argmax_invariant(self):
        return False

    def new_req_logits_processor(self, params):
        def only(taken, logits):
            logits.fill_(-float("inf"))
            logits[params.extra_args["ids"][len(taken)]] = 0
            return logits
        return only


def engine():
    folder = tempfile.mkdtemp()
    tokenizer = Tokenizer(models.BPE(vocab={token: id for id, token in enumerate(VOCABULARY)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 64, "hidden_size": 64,
              "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2,
              "head_dim": 32, "max_position_embeddings": 64, "bos_token_id": None, "eos_token_id": None}
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    return LLM(model=folder, load_format="dummy", dtype="float32", enforce_eager=True, logits_processors=[Dictate])


llm = engine()
decode = llm.get_tokenizer().decode
for name in sys.argv[1:] or LANES:
    for prompt, tokens, asked in LANES[name]:
        ids = [VOCABULARY.index(token) for token in tokens]
        params = SamplingParams(temperature=0, max_tokens=len(ids), extra_args={"ids": ids}, **asked)
        given = prompt
        if not isinstance(prompt, str):
            given = {"prompt_token_ids": [VOCABULARY.index(token) for token in prompt]}
        out = llm.generate([given], params, use_tqdm=False)[0].outputs[0]
        print(f"{name}: prompt {prompt!r}, tokens {tokens}, {asked}\n"
              f"      text {out.text!r}, {out.finish_reason}, stop_reason {out.stop_reason!r}, "
              f"{len(out.token_ids)} tokens, decode(token_ids) {decode(out.token_ids)!r}", flush=True)

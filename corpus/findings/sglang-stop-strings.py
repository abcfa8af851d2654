"""Stop strings in SGLang, on the code that looks for them after each step (no model, no server, no GPU).

pip install sglang
"""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""

from array import array

from sglang.srt.managers.schedule_batch import Req
from sglang.srt.sampling.sampling_params import SamplingParams
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast


def show(steps, merges=(), special=(), **settings):
    """What Req says after each step, and whether the streamer would hold the text back."""
    tokens = [token for step in steps for token in step]
    vocab = {token: n for n, token in enumerate(dict.fromkeys([*"ENDÃ©ok ", *map("".join, merges), *tokens]))}
    made = Tokenizer(models.BPE(vocab=vocab, merges=list(merges)))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True) for token in special])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, clean_up_tokenization_spaces=False)
    tokenizer.additional_stop_token_ids = None
    params = SamplingParams(**{"max_new_tokens": len(tokens), **settings})
    params.normalize(tokenizer)
    request = Req("r", "", array("q", [0]), params, vocab_size=len(tokenizer), stream=True)
    request.tokenizer, said = tokenizer, []
    for step in steps:
        request.output_ids.extend(tokenizer.convert_tokens_to_ids(step))
        request.update_finish_state(len(step))
        if request.finished():
            said.append(request.finished_reason.to_json())
            break
        said.append("held" if request.check_match_stop_str_prefix() else "sent")
    print(f"{steps}, {settings}: {said}")


END = [("E", "N"), ("EN", "D")]  # so that END is one token
print("spelt with more tokens than the tokenizer would")
show([["ab"], ["END"], ["cd"]], END, stop=["END"])
show([["ab"], ["E"], ["N"], ["D"], ["cd"]], END, stop=["END"])
print("the text of a special token that is not shown")
show([["ab"], ["<pad>"], ["cd"]], special=["<pad>"], stop=["pad"])
print("min_new_tokens")
show([["ab"], ["END"], ["cd"], ["ef"]], END, stop=["END"], min_new_tokens=4)
print("half a character at the end (Ã and © are the two bytes of é)")
show([["ab"], ["k"], ["Ã"], ["©"], ["cd"]], stop=["ké"])

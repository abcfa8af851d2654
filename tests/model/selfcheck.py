#!/usr/bin/env python3
"""Checks the second opinion itself: decoding against Python's codec, hand-computed examples, theorems of spec/rules.md.

    selfcheck.py [--seed S] [--cases N]
"""

import argparse
import random
import sys
import time
import unittest

import model
from generate import make_lines
from utf8 import INCOMPLETE, crc32c, decode, pieces

SEED, CASES = 0, 3000


def tokens(*texts):
    """One step a token; bytes stand for tokens that are no text, a tuple for a special one."""
    steps = []
    for i, text in enumerate(texts):
        token = {"id": i}
        if isinstance(text, tuple):
            token["special"] = True
            text = text[0]
        token.update({"hex": text.hex()} if isinstance(text, bytes) else {"text": text})
        steps.append([token])
    return steps


def run(request, steps, **members):
    """The result of a case made here."""
    return model.run_case({"case": "made here", "request": request, "steps": steps, **members})


class Bytes(unittest.TestCase):
    """utf8.py"""

    def test_crc32c_check_value(self):
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)
        self.assertEqual(crc32c(b""), 0)

    def test_decode_agrees_with_the_codec_of_python(self):
        rng = random.Random(SEED)
        telling = bytes.fromhex("41 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 ff")
        for _ in range(20000):
            source = telling if rng.random() < 0.7 else range(256)
            raw = bytes(rng.choice(source) for _ in range(rng.randrange(12)))
            self.assertEqual(decode(raw), raw.decode("utf-8", "replace"), raw.hex())

    def test_every_character_is_itself(self):
        for first in range(0, 0x110000, 0x100):
            text = "".join(chr(c) for c in range(first, first + 0x100, 7) if not 0xD800 <= c < 0xE000)
            self.assertEqual(decode(text.encode("utf-8")), text)

    def test_only_the_last_piece_is_incomplete_and_pieces_join(self):
        rng = random.Random(SEED)
        for _ in range(2000):
            raw = bytes(rng.choice(b"a\x80\xa0\xc2\xe2\xed\xf0\xf4") for _ in range(rng.randrange(9)))
            found = pieces(raw)
            self.assertEqual(b"".join(raw[start:end] for start, end, _ in found), raw)
            self.assertNotIn(INCOMPLETE, [kind for _, _, kind in found[:-1]])


class ByHand(unittest.TestCase):
    """Examples computed by hand from the rules."""

    def expect(self, result, **members):
        for name, value in members.items():
            self.assertEqual(result.get(name), value, name)

    def test_R3_the_first_completion_wins_over_the_first_in_the_list(self):
        result = run({"stop": ["cd", "bc"]}, tokens("abcd"))
        self.expect(result, text="a", stop_reason="bc", stop_index=1, cause="stop_string")

    def test_R3_at_one_place_priority_then_length_then_index(self):
        result = run({"stop": ["bc", "abc", "abc"]}, tokens("xabc"))
        self.expect(result, text="x", stop_index=1)
        result = run({"stop": ["abc", {"text": "bc", "priority": 1}]}, tokens("xabc"))
        self.expect(result, text="xa", stop_index=1)

    def test_R4_the_stop_may_be_included_and_the_rest_of_the_token_is_dropped(self):
        result = run({"stop": "b", "include_stop_str_in_output": True}, tokens("abc"))
        self.expect(result, text="ab", tokens=1, terminals=1)

    def test_R6_a_completion_passed_over_is_text_and_matching_goes_on_across_it(self):
        result = run({"stop": ["aa"], "min_tokens": 1}, tokens("aa", "a"))
        self.expect(result, deltas=["a", ""], text="a", tokens=2, stop_index=0)

    def test_R7_the_limit_comes_after_the_stop_at_one_token(self):
        result = run({"stop": ["b"], "max_tokens": 2}, tokens("a", "b"))
        self.expect(result, cause="stop_string", text="a")
        result = run({"max_context": 5}, tokens("a", "b"), prompt_tokens=3)
        self.expect(result, cause="max_context", finish_reason="length", text="ab")

    def test_R7_repetition_looks_at_ids_after_each_token(self):
        step = [{"id": 1, "text": "x"}, {"id": 2, "text": "y"}] * 3
        result = run({"repetition": {"max_period": 2, "min_repeats": 2}}, [step])
        self.expect(result, cause="repetition", tokens=4, text="xyxy")

    def test_R7_a_lane_without_room_ends_before_boundary_0(self):
        result = run({"max_tokens": 0}, tokens("a"), abort_after_step=0)
        self.expect(result, cause="max_tokens", deltas=[], tokens=0, terminal={"bytes": 0, "crc32c": "00000000"})

    def test_R9_the_order_at_one_boundary(self):
        external = {"after_step": 1, "cut": 9, "reason": "tool_calls"}
        result = run({"deadline_steps": 1}, tokens("ab"), abort_after_step=1, external_end=external)
        self.expect(result, cause="external", finish_reason="tool_calls", stop_reason="tool_calls", text="ab")
        result = run({"deadline_steps": 1}, tokens("ab"), abort_after_step=1)
        self.expect(result, cause="abort", text="ab")
        result = run({"deadline_steps": 1}, tokens("ab"))
        self.expect(result, cause="deadline", finish_reason="timeout")

    def test_R10_what_cannot_be_a_stop_is_not_held(self):
        result = run({"stop": ["abac"]}, tokens("xab", "ab", "c"))
        self.expect(result, deltas=["x", "ab", "abc"], cause="open", finish_reason=None, terminals=0)

    def test_R10_a_stop_that_never_ends_the_lane_holds_nothing(self):
        result = run({"stop": ["xbyy", "b"]}, tokens("x", "y"))
        self.expect(result, deltas=["x", "y"])
        result = run({"stop": ["xbyy", "b"], "min_tokens": 9}, tokens("x", "y"))
        self.expect(result, deltas=["", "xy"])

    def test_R10_an_incomplete_character_is_held_and_an_ill_formed_one_shown(self):
        result = run({}, tokens(b"\xf0\x9f", b"\x98", b"\xffa"))
        self.expect(result, deltas=["", "", "\ufffd\ufffda"])

    def test_R10_a_hold_that_begins_inside_a_character_is_a_hold_of_the_character(self):
        result = run({"stop_token_sequences": [[1, 9]]}, tokens(b"a\xe2", b"\x82\xac", b"b"))
        self.expect(result, deltas=["a", "", "\u20acb"])

    def test_R11_later_is_offered_again_whatever_the_policy(self):
        result = run({"flush": {"steps": 2}}, tokens("a", "b", "c", "d"), sink=["later"])
        self.expect(result, deltas=["", "", "abc", "d"])

    def test_R11_gone_ends_an_open_lane(self):
        result = run({}, tokens("a", "b", "c"), sink=["ok", "gone"])
        self.expect(result, deltas=["a", ""], cause="disconnect", finish_reason="abort", tokens=2, terminals=0)

    def test_R12_everything_up_to_the_cut_is_sent_at_the_end(self):
        result = run({"stop": ["bcd"], "max_tokens": 2}, tokens("ab", b"c\xe2\x82"))
        self.expect(result, deltas=["a", "bc\ufffd"], cause="max_tokens")

    def test_R13_the_first_fault_in_the_order_of_the_formats(self):
        for request, param in [
            ({"flush": {}, "stop": ["a", ""]}, "stop[1]"),
            ({"stop": ["a", ""] + ["b"] * 63}, "stop"),
            ({"stop": "\ud800"}, "stop[0]"),
            ({"min_tokens": 2, "max_tokens": 1, "flush": {"steps": 0}}, "flush.steps"),
            ({"min_tokens": 2, "max_tokens": 1, "repetition": {"max_period": 64, "min_repeats": 65}}, "min_tokens"),
            ({"repetition": {"max_period": 64, "min_repeats": 65}}, "repetition"),
            ({"repetition": {"max_period": 64}}, "repetition"),
            ({"max_tokens": True}, "max_tokens"),
            ({"max_tokens": 1.0}, "max_tokens"),
            ({"stop_token_sequences": [[1], [2, -1]]}, "stop_token_sequences[1]"),
        ]:
            self.expect(run(request, tokens("a")), param=param, cause="invalid_request", deltas=[])

    def test_R16_the_cut_is_raised_to_what_may_have_been_shown_and_lowered_to_the_text(self):
        for cut, text in [(0, "ab"), (3, "abc"), (99, "abcd")]:
            external = {"after_step": 2, "cut": cut, "reason": "r"}
            self.expect(run({}, tokens("ab", "cd"), external_end=external), text=text, cause="external")

    def test_R16_the_smaller_cut_wins_and_the_natural_end_at_equal_cuts(self):
        for cut, cause in [(0, "external"), (1, "stop_string"), (2, "stop_string")]:
            external = {"after_step": 1, "cut": cut, "reason": "r"}
            self.expect(run({"stop": "b"}, tokens("abc"), external_end=external), cause=cause, tokens=1)


class Theorems(unittest.TestCase):
    """What follows from the rules, on generated cases."""

    def test_joined_deltas_are_the_text_up_to_the_cut(self):
        """T4, T6 of every lane that ended and whose sink stayed; and R10: what is shown never has to be taken back."""
        rng = random.Random(SEED)
        ended = 0
        for _, line in make_lines(rng, 0, CASES):
            case = model.read_case(line)
            try:
                request = model.check(case["request"])
            except model.Refused:
                continue
            if request["flush"][0] == "ms":
                continue
            end, lane, sending = model.run_lane(case, request)
            self.assertLessEqual(sending.sent, end.cut, case)
            if end.cause != "open" and not sending.gone:
                ended += 1
                self.assertEqual("".join(sending.deltas), decode(lane.raw[: end.cut]), case)
            if end.cause == "stop_string":
                self.assertIn(request["stop"][end.index].text, lane.live, case)
        self.assertGreater(ended, CASES // 4)

    def test_T5_cutting_the_same_bytes_into_other_tokens_changes_nothing(self):
        rng = random.Random(SEED + 1)
        stopped = 0
        for _ in range(CASES):
            alphabet = rng.choice(["ab", "aé", "éè", "a€😊"])
            stops = ["".join(rng.choices(alphabet, k=rng.randint(1, 4))) for _ in range(rng.randint(1, 4))]
            raw = "".join(rng.choices(alphabet, k=rng.randint(4, 12))).encode("utf-8")
            results = set()
            for _ in range(4):
                cuts = sorted(rng.sample(range(1, len(raw)), rng.randint(0, min(4, len(raw) - 1))))
                parts = [raw[a:b] for a, b in zip([0] + cuts, cuts + [len(raw)])]
                steps = tokens(*parts) + [[{"id": 999}]]
                result = run({"stop": stops, "eos_token_ids": [999]}, steps)
                results.add((result["text"], result["cause"], result.get("stop_index")))
                stopped += result["cause"] == "stop_string"
            self.assertEqual(len(results), 1, (stops, raw, results))
        self.assertGreater(stopped, CASES)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--cases", type=int, default=CASES)
    options = parser.parse_args()
    SEED, CASES = options.seed, options.cases
    print(f"selfcheck: seed {SEED}", file=sys.stderr)
    unittest.main(argv=sys.argv[:1])

#!/usr/bin/env python3
"""The command from outside: what it answers, when, on which stream and with which exit status.

Runs build/endstop, or the program named by ENDSTOP.
"""
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENDSTOP = os.path.abspath(os.environ.get("ENDSTOP", os.path.join(ROOT, "build", "endstop")))
VERBS = ["run", "check"]
TIMEOUT = 60


def tokens(*texts):
    return [[{"id": i, "text": text}] for i, text in enumerate(texts)]


def case(name, *texts, **request):
    return {"case": name, "request": request, "steps": tokens(*texts)}


def lines(*objects):
    return "".join(o if isinstance(o, str) else json.dumps(o) + "\n" for o in objects)


def endstop(*arguments, text="", **options):
    """Runs the command on `text`: (exit status, standard output, standard error)."""
    done = subprocess.run([ENDSTOP, *arguments], input=text.encode(), capture_output=True, timeout=TIMEOUT, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


END = case("end", "Hi ", "E", "ND", stop="END")
OPEN = case("open", "Hi ", "E", stop=["END"])


def event(op, thread="engine", **members):
    return {"thread": thread, "op": op, **members}


STOPPED = {"case": "stopped", "events": [event("token_commit", tok="T0"), event("set_stop", "control"),
                                         event("read_stop"), event("token_commit", tok="T1"), event("teardown", "control")]}


def recording(a_case, **changes):
    """`a_case` with the result of the reference, changed where the test says so."""
    _, out, _ = endstop("run", text=lines(a_case))
    return {**a_case, "result": {**json.loads(out), **changes}}


def leaking(name="leak"):
    """An engine that showed the first letter of the stop and said it all the same."""
    return recording(case(name, "Hi ", "E", "ND", stop="END"), deltas=["Hi ", "E", ""], text="Hi E", terminal=None)


class Call(unittest.TestCase):
    def test_an_unknown_verb_is_refused_and_the_verbs_are_named(self):
        for verb in ["conform", "fuzz", "sse", "probe", "serve", "stops", "sim", "rnu", ""]:
            status, out, err = endstop(verb)
            self.assertEqual((status, out), (2, ""), verb)
            for known in VERBS:
                self.assertIn(known, err)

    def test_no_verb_is_refused(self):
        status, out, err = endstop()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("run", err)

    def test_help_and_version(self):
        for arguments in (["--help"], ["run", "--help"], ["check", "--help"], ["--usage"]):
            status, out, err = endstop(*arguments)
            self.assertEqual((status, err), (0, ""), arguments)
            self.assertIn("endstop", out)
        status, out, _ = endstop("--help")
        for absent in ["conform", "fuzz", "serve", "probe"]:
            self.assertNotIn("  " + absent, out)
        self.assertEqual(endstop("--version")[:2], endstop("run", "--version")[:2])
        self.assertRegex(endstop("--version")[1], r"^endstop \d+\.\d+\.\d+, format 1\n$")

    def test_a_wrong_option_is_refused(self):
        for arguments in (["run", "--nonsense"], ["run", "--matcher", "table"], ["run", "--matcher"],
                          ["check", "--format", "sarif"], ["--nonsense"], ["run", "--trace", "--matcher=model"]):
            status, out, err = endstop(*arguments, text=lines(END))
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertNotEqual(err, "")

    def test_help_on_a_full_disk_is_no_success(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(subprocess.run([ENDSTOP, "--help"], stdout=full, timeout=TIMEOUT).returncode, 2)


class Run(unittest.TestCase):
    def test_a_case_gets_a_result(self):
        for matcher in ("bytes", "model"):
            status, out, err = endstop("run", "--matcher", matcher, text=lines(END, OPEN))
            self.assertEqual((status, err), (0, ""))
            first, second = map(json.loads, out.splitlines())
            self.assertEqual(first["case"], "end")
            self.assertEqual(first["deltas"], ["Hi ", "", ""])
            self.assertEqual((first["finish_reason"], first["cause"], first["stop_reason"], first["stop_index"]),
                             ("stop", "stop_string", "END", 0))
            self.assertEqual((second["text"], second["finish_reason"], second["cause"]), ("Hi ", None, "open"))

    def test_what_cannot_be_answered_is_unsupported(self):
        some = [case("ms", "x", flush={"ms": 5}), {"case": "no-steps", "result": {"text": "x"}}]
        for matcher in ("bytes", "model"):
            status, out, _ = endstop("run", "--matcher", matcher, text=lines(*some))
            self.assertEqual(status, 0)
            self.assertEqual([set(json.loads(line)) for line in out.splitlines()], [{"case", "unsupported"}] * 2)

    def test_ids_alone_with_a_vocabulary(self):
        """Named on the command line, or by the line: then the path begins where the file stands."""
        folder = Path(ROOT) / "corpus" / "cases" / "vocab"
        ids = {"case": "ids", "steps": [[{"id": 0}], [{"id": 1}]], "request": {"stop": ["END"]}}
        with tempfile.TemporaryDirectory() as elsewhere:
            place = Path(elsewhere) / "in" / "cases.jsonl"
            place.parent.mkdir()
            (place.parent / "v.json").write_text((folder / "bytes.json").read_text())
            place.write_text(lines({**ids, "vocab": "v.json"}))
            for matcher in ("bytes", "model"):
                for arguments, text in ((("--vocab", str(folder / "ranks.tiktoken")), lines(ids)), ((str(place),), "")):
                    status, out, err = endstop("run", "--matcher", matcher, *arguments, text=text)
                    self.assertEqual((status, err), (0, ""))
                    self.assertEqual(json.loads(out)["deltas"], ["Hi", " "])
            (place.parent / "v.json").write_text("{")
            status, out, err = endstop("run", str(place))
            self.assertEqual((status, out), (2, ""))
            self.assertTrue(err.startswith(f"{place}:1: vocab: {place.parent}/v.json:1:"), err)
            status, out, err = endstop("run", "--vocab", str(place.parent / "v.json"), text=lines(ids))
            self.assertEqual((status, out), (2, ""))
            self.assertTrue(err.startswith(f"--vocab: {place.parent}/v.json:1:"), err)

    def test_ids_alone_without_a_vocabulary_are_told_once(self):
        ids = {"case": "ids", "steps": [[{"id": 0}], [{"id": 1}]]}
        status, out, err = endstop("run", text=lines(ids, ids, case("text", "x")))
        self.assertEqual((status, len(out.splitlines()), len(err.splitlines())), (0, 3, 1))
        self.assertRegex(err, r"^<stdin>:1: steps: no token has bytes; .*--vocab$")

    def test_both_matchers_say_the_same(self):
        some = [END, OPEN, case("bad", "x", stop=[""]), case("ms", "x", flush={"ms": 5}),
                case("two", "x", "a", "a", "a", "b", stop=["aab", {"text": "b", "priority": -1}]),
                case("min", "END", "EN", "D", stop=["END"], min_tokens=2),
                case("bytes", "abcdef", "g", "h", stop=["gh"], flush={"bytes": 3}),
                case("tokens", "ab", "c", "d", "e", flush={"tokens": 3}),
                case("seq", "a", "b", "c", "d", stop_token_sequences=[[1, 2], [3]]),
                case("eos", "a", "b", "c", eos_token_ids=[2], include_stop_str_in_output=True),
                case("loop", "a", "b", "c", repetition={"max_period": 3, "min_repeats": 2}),
                {**case("sink", "a", "b", "c", max_tokens=3), "sink": ["later", "ok", "gone"]},
                {**case("gone", "a", "b", "c"), "sink": ["ok", "gone"]},
                {**case("external", "abc", "def", stop=["cdefg"]),
                 "external_end": {"after_step": 2, "cut": 0, "reason": "tool_calls"}},
                {**case("abort", "a", "EN", "D", stop=["END"]), "abort_after_step": 2},
                {"case": "split", "request": {}, "steps": [[{"id": 0, "hex": "f09f"}], [], [{"id": 1, "hex": "988ae2"}]]}]
        answers = [endstop("run", "--matcher", matcher, text=lines(*some)) for matcher in ("bytes", "model")]
        self.assertEqual(len(answers[0][1].splitlines()), len(some))
        for reference, model in zip(*(answer[1].splitlines() for answer in answers)):
            one, other = json.loads(reference), json.loads(model)
            if "unsupported" in one:
                one["unsupported"] = other["unsupported"]  # the words may differ
            self.assertEqual(one, other)

    def test_a_bad_line_is_reported_and_the_next_one_answered(self):
        wrong = case("wrong", "x")
        wrong["steps"][0][0]["id"] = "zero"
        status, out, err = endstop("run", text=lines(END, "{\"case\":\n", wrong, "\n", OPEN))
        self.assertEqual(status, 2)
        self.assertEqual([json.loads(line)["case"] for line in out.splitlines()], ["end", "open"])
        first, second = err.splitlines()
        self.assertRegex(first, r"^<stdin>:2(:\d+)?: \S")
        self.assertRegex(second, r"^<stdin>:3(:\d+)?: steps\[0\]\[0\]\.id: .*expected .*found ")

    def test_a_refused_request_is_an_answer(self):
        status, out, err = endstop("run", text=lines(case("refused", "x", stop=["a", ""])))
        result = json.loads(out)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual((result["cause"], result["param"], result["deltas"]), ("invalid_request", "stop[1]", []))

    def test_a_race_order_is_answered_among_cases(self):
        for matcher in (["--matcher=bytes"], ["--matcher=model"], ["--trace"], ["--strict"]):
            status, out, err = endstop("run", *matcher, text=lines(STOPPED, END, STOPPED))
            self.assertEqual((status, err), (0, ""))
            due = {"case": "stopped", "committed": ["T0"], "finish_reason": "abort", "terminal_count": 1}
            self.assertEqual([json.loads(out.splitlines()[at]) for at in (0, -1)], [due, due])

    def test_a_bad_race_order_is_reported_at_its_member(self):
        late = {"case": "late", "events": [event("finish"), event("done", "transfer")]}
        status, out, err = endstop("run", text=lines(late, STOPPED))
        self.assertEqual((status, len(out.splitlines())), (2, 1))
        self.assertEqual(err, '<stdin>:1: events[1].thread: expected "engine", "control" or "client", found the text '
                              '"transfer"\n')
        twice = {"case": "twice", "events": [event("finish", reason="stop"), event("finish", reason="length")]}
        self.assertEqual(endstop("run", text=lines(twice))[::2],
                         (2, "<stdin>:1: events[1]: expected one finish of a lane, found a second\n"))

    def test_several_files_and_standard_input(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = os.path.join(folder, "one.jsonl"), os.path.join(folder, "two.jsonl")
            with open(one, "w") as file:
                file.write(lines(END))
            with open(two, "w") as file:
                file.write(lines("[]\n", OPEN))
            status, out, err = endstop("run", one, "-", two, text=lines(case("middle", "x")))
            self.assertEqual([json.loads(line)["case"] for line in out.splitlines()], ["end", "middle", "open"])
            self.assertEqual(status, 2)
            self.assertTrue(err.startswith(two + ":1"), err)
            status, out, err = endstop("run", os.path.join(folder, "none"), folder, one)
            self.assertEqual(status, 2)
            self.assertEqual([json.loads(line)["case"] for line in out.splitlines()], ["end"])
            self.assertEqual(len(err.splitlines()), 2)
            self.assertIn("No such file", err)
            self.assertIn("directory", err.splitlines()[1])
            self.assertEqual(endstop("check", folder)[0], 2)
            status, out, err = endstop("run", *[one] * 100, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_NOFILE, (20, 20)))
            self.assertEqual((status, len(out.splitlines()), err), (0, 100, ""))

    def test_unknown_members_are_told_once_a_file_or_refused(self):
        odd = {**case("odd", "x", stops=["y"]), "colour": 1}
        status, out, err = endstop("run", text=lines(odd, odd))
        self.assertEqual((status, len(out.splitlines())), (0, 2))
        self.assertEqual((err.count("request.stops"), err.count("colour")), (1, 1))
        status, out, _ = endstop("run", "--strict", text=lines(case("odd", "x", stops=["y"])))
        self.assertEqual((status, json.loads(out)["cause"]), (0, "invalid_request"))
        status, out, err = endstop("run", "--strict", text=lines({**case("odd", "x"), "colour": 1}))
        self.assertEqual((status, out), (2, ""))
        self.assertIn("colour", err)

    def test_each_line_is_answered_before_the_next_is_needed(self):
        with subprocess.Popen([ENDSTOP, "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
            for i in range(5):
                process.stdin.write(lines(case(f"line-{i}", "x")).encode())
                self.assertTrue(select.select([process.stdout], [], [], 10)[0], "no answer")
                self.assertEqual(json.loads(process.stdout.readline())["case"], f"line-{i}")
            process.stdin.close()
            self.assertEqual(process.wait(10), 0)

    def test_trace_says_what_is_held_and_why(self):
        status, out, err = endstop("run", "--trace", text=lines(END, {
            "case": "split\x1b[2J", "request": {}, "steps": [[{"id": 0, "hex": "41f09f"}]]}))
        self.assertEqual((status, err), (0, ""))
        self.assertIn('"E"', out)
        self.assertIn('may be the start of stop[0] "END"', out)
        self.assertIn("ended: stop (stop_string)", out)
        self.assertIn("an incomplete character", out)
        self.assertNotIn("\x1b", out)

    def test_trace_names_sequences_and_token_ends(self):
        sequences = case("sequences", "a", "b", "c", "d", stop_token_sequences=[[7, 7], [1, 2, 9]])
        out = endstop("run", "--trace", text=lines(sequences))[1]
        self.assertIn("may be the start of stop_token_sequences[1] [1, 2, 9]", out)
        self.assertIn("ended: stop (stop_sequence), stop_token_sequences[0] [2, 3], 4 tokens",
                      endstop("run", "--trace", text=lines(case("b", *"abcd", stop_token_sequences=[[2, 3]])))[1])
        self.assertIn("ended: stop (stop_token), token 1, 2 tokens", endstop("run", "--trace", text=lines(
            case("token", "a", "b", stop_token_ids=[1])))[1])

    def test_trace_cuts_long_texts_and_spells_out_what_would_move_the_cursor(self):
        out = endstop("run", "--trace", text=lines(case("long", "0123456789" * 4, "\n\t\r")))[1]
        self.assertIn('  "' + "0123456789" * 3 + '01"…\n', out)
        self.assertIn('  "\\n\\t\\r"\n', out)
        wide = endstop("run", "--trace", text=lines(case("wide", "中" * 20)))[1]  # two columns each
        self.assertIn('  "' + "中" * 16 + '"…\n', wide)


class Sentences(unittest.TestCase):
    """What a person reads where the request left something out, or an end came too soon."""

    def says(self, request, texts, result, *expected):
        steps = [[{"id": i, "text": text, "special": text.startswith("</")}] for i, text in enumerate(texts)]
        a_recording = {"case": "x", "request": request, "steps": steps, "result": result}
        status, out, _ = endstop("check", text=lines(a_recording))
        self.assertEqual(status, 1)
        for part in expected:
            self.assertIn(part, out)

    def test_an_end_token_that_the_request_does_not_name(self):
        taken = {"text": "a", "finish_reason": "stop", "tokens": 2}
        self.says({}, ["a", "</s>", "c"], taken, "false-stop (R3)", "if token id 1 is an end-of-sequence token")

    def test_a_reason_that_the_case_does_not_tell(self):
        for reason, member in (("abort", "abort_after_step"), ("length", "max_tokens"), ("timeout", "deadline_steps")):
            self.says({}, ["a"], {"text": "a", "finish_reason": reason, "tokens": 1}, "false-stop", f"give it as {member}")

    def test_R6_a_token_end_or_a_stop_before_min_tokens(self):
        taken = {"text": "a", "finish_reason": "stop", "tokens": 2}
        too_soon = "does not count before more than 4 tokens"
        self.says({"min_tokens": 4, "eos_token_ids": [1]}, ["a", "</s>", "c"], taken, "false-stop (R6)", too_soon)
        self.says({"min_tokens": 4, "stop": ["b"]}, ["a", "b", "c"], taken, "false-stop (R6)", 'by the stop "b"', too_soon)

    def test_a_stop_that_is_said_to_have_ended_nothing(self):
        taken = {"text": "aEND", "finish_reason": "stop", "stop_reason": None, "tokens": 3}
        self.says({"stop": ["END"], "eos_token_ids": [2]}, ["aE", "ND", "</s>"], taken, "missed-stop")
        left_in = {**taken, "cause": "stop_string", "tokens": 2}
        self.says({"stop": ["END"]}, ["aE", "ND", "c"], left_in, "leak (R4)", "wrong-stop (R3)")

    def test_R3_an_end_that_was_passed_without_more_text(self):
        self.says({"stop": ["b", "abcde"]}, ["a", "b", "cde"], {"text": "", "finish_reason": "stop", "stop_reason": "abcde"},
                  'missed-stop (R3)', 'the stop "b" was complete after token 2 (byte 1), but the engine went past it',
                  'it gives finish_reason "stop", stop_reason "abcde"')

    def test_R11_a_text_that_is_no_utf8(self):
        for broken in ("ff", "54ff"):
            self.says({}, ["The"], {"text": {"hex": broken}}, "bad-utf8 (R11): text is no UTF-8",
                      "expected valid UTF-8, found")

    def test_text_too_much_that_the_stop_begins_with(self):
        """It came too soon, and stands at the end; or it is there twice, of which the first is meant."""
        over = {"finish_reason": "stop", "tokens": 3}
        self.says({"stop": ["abEND"]}, ["ab", "ab", "END"], {"deltas": ["ab", "ab", ""], **over}, "leak (R4) at step 2, byte 2",
                  'so the deltas must end at byte 2, but "ab" was shown after it')
        self.says({"stop": ["abEND"]}, ["ab", "ab", "abEND"], {"deltas": ["", "abab", "ab"], **over},
                  "duplicate-text (R11) at step 2, byte 2")

    def test_one_fault_in_deltas_and_text_is_told_once(self):
        """Both are cut too soon, at other places; both show the stop."""
        steps = [[{"id": 0, "text": "The E"}], [{"id": 1, "text": "ND"}]]
        short = {"case": "short", "request": {"stop": "END"}, "steps": steps,
                 "result": {"deltas": ["", "T"], "text": "Th", "finish_reason": "stop", "tokens": 2}}
        seen = {"case": "seen", "request": {"stop": "END"}, "result": {"deltas": ["aEND b"], "text": "cEND d"}}
        out = endstop("check", "--format=json", text=lines(short, seen))[1]
        kinds = [[fault["kind"] for fault in json.loads(line)["faults"]] for line in out.splitlines()]
        self.assertEqual(kinds, [["wrong-cut"], ["missed-stop"]])

    def test_long_lists_are_shortened_in_the_middle(self):
        due, taken = list(range(14)), [0] * 14
        self.says({"max_tokens": 14}, ["a"] * 20, {"text": "a" * 14, "token_ids": taken, "tokens": 14},
                  f"expected [{', '.join(map(str, due[:6]))}, …, {', '.join(map(str, due[8:]))}]",
                  "found [0, 0, 0, 0, 0, 0, …, 0, 0, 0, 0, 0, 0]")
        wrong = recording({"case": "o", "events": [event("token_commit", tok=f"T{i}") for i in range(12)]},
                          committed=[f"T{i}" for i in range(11)])
        self.assertIn('expected committed ["T0", "T1", "T2", "T3", "T4", "T5", "T6", "T7", …]',
                      endstop("check", text=lines(wrong))[1])

    def test_one_token_is_no_plural(self):
        self.says({"stop": ["b"]}, ["ab"], {"text": "a", "tokens": 2}, "1 token was taken", "expected 1 token, found 2 tokens")


class Check(unittest.TestCase):
    def test_nothing_to_judge_is_no_success(self):
        status, out, err = endstop("check", text="\n\n")
        self.assertEqual((status, out), (2, "0 recordings: 0 conform, 0 violate, 0 unsupported, 0 unreadable\n"))
        self.assertIn("expected recordings, found none", err)
        status, out, err = endstop("check", text=lines({**case("x", "a"), "result": {"output": "a"}}))
        self.assertEqual(status, 2)
        self.assertIn("expected at least one member of a result", err)

    def test_a_race_order_with_a_result_is_a_recording(self):
        right = recording(STOPPED)
        self.assertEqual(endstop("check", text=lines(right))[0], 0)
        wrong = recording(STOPPED, committed=["T0", "T1"])
        status, out, _ = endstop("check", "--format=json", text=lines(wrong, right, STOPPED))
        verdicts = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((status, [v["verdict"] for v in verdicts]), (2, ["violates", "conforms", "unreadable"]))
        self.assertEqual(verdicts[0]["faults"], [{
            "rule": "R14", "kind": "after-end", "by": "rule", "expected": 'committed ["T0"]',
            "actual": 'committed ["T0", "T1"]', "why": "token 2 was taken though the lane was over"}])
        for form in ("text", "table", "junit"):
            status, out, _ = endstop("check", "--format", form, text=lines(wrong, right))
            self.assertEqual(status, 1)
            self.assertIn("after-end", out)

    def test_unsupported_says_why(self):
        by_time = recording(case("x", "a", flush={"ms": 5}), unsupported=None, text="a")
        status, out, _ = endstop("check", text=lines(by_time))
        self.assertEqual(status, 0)
        self.assertIn("x: unsupported: flush by time", out)
        self.assertIn("unsupported: flush by time", endstop("run", "--trace", text=lines(case("x", "a", flush={"ms": 5})))[1])
        refused = endstop("run", "--trace", text=lines(case("x", "a", stop=["a", ""])))[1]
        self.assertIn("refused: stop[1]: ", refused)
        self.assertIn("flush by time", json.loads(endstop("check", "--format=json", text=lines(by_time))[1])["why"])

    def test_exit_status(self):
        good, bad = recording(END), leaking()
        self.assertEqual(endstop("check", text=lines(good))[0], 0)
        self.assertEqual(endstop("check", text=lines(good, bad))[0], 1)
        self.assertEqual(endstop("check", text=lines(good, "{\n"))[0], 2)
        self.assertEqual(endstop("check", text=lines(bad, "{\n", good))[0], 2)
        self.assertEqual(endstop("check", text=lines(END))[0], 2)  # a case is no recording

    def test_text_for_people(self):
        many = [leaking(f"leak-{i}" + "-long" * (i != 4)) for i in range(6)]
        status, out, err = endstop("check", text=lines(recording(END), *many))
        self.assertEqual((status, err), (1, ""))
        self.assertEqual(out.splitlines()[-1], "7 recordings: 1 conform, 6 violate, 0 unsupported, 0 unreadable")
        self.assertRegex(out, r"(?m)^<stdin>:2: leak-0-long: leak \(R\d+\) at step 2")
        self.assertEqual(len(re.findall(r"(?m)^<stdin>:\d+: leak-\S+ leak ", out)), 3)
        self.assertRegex(out, r"(?m)^leak +6 +leak-4 +6$")
        self.assertNotIn("\x1b", out)
        every = endstop("check", "--all", text=lines(*many))[1]
        self.assertEqual(len(re.findall(r"(?m)^<stdin>:\d+: leak-\S+ leak ", every)), 6)

    def test_control_characters_do_not_reach_the_terminal(self):
        _, out, err = endstop("check", text=lines(leaking("evil\x1b]0;x\x07\x7f\u202e"), '{"case":"\x1b[2J"}\n'))
        self.assertRegex(out, r"evil\\x1b\]0;x\\x07\\x7f\\u\{202e\}")
        self.assertNotRegex(out + err, r"[\x00-\x09\x0b-\x1f\x7f\u202e]")

    def test_json_is_one_verdict_a_line(self):
        status, out, _ = endstop("check", "--format", "json", text=lines(recording(END), leaking(), "{\n"))
        verdicts = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([v["verdict"] for v in verdicts], ["conforms", "violates", "unreadable"])
        self.assertEqual([v["format"] for v in verdicts], [1, 1, 1])
        self.assertIn("leak", [fault["kind"] for fault in verdicts[1]["faults"]])
        self.assertEqual(status, 2)

    def test_table_has_a_row_for_each_file(self):
        leak = leaking()
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (("a.jsonl", (recording(END), leak)), ("b.jsonl", (leak, leak)), ("c.jsonl", ()),
                                  ("d.jsonl", (case("no result", "x"),))):
                Path(folder, name).write_text(lines(*content))
            files = [str(path) for path in sorted(Path(folder).iterdir())]
            status, out, err = endstop("check", "--format", "table", *files)
        self.assertEqual(status, 2)
        self.assertRegex(err, r"^\S+d.jsonl:1: result: expected a result, found none$")
        rows = [line.split() for line in out.splitlines()[2:]]
        self.assertEqual(rows, [["a.jsonl", "2", "1", "1", "0", "leak", "1"], ["b.jsonl", "2", "0", "2", "0", "leak", "2"],
                                ["d.jsonl", "1", "0", "0", "1"]])

    def test_a_long_name_of_a_file_is_cut_in_the_table(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("n" * 70, "中" * 31 + ".jsonl"):
                Path(folder, name).write_text(lines(recording(END)))
            out = endstop("check", "--format", "table", *sorted(map(str, Path(folder).iterdir())))[1]
        rows = out.splitlines()[2:]
        self.assertTrue(rows[0].startswith("n" * 59 + "…  "), rows)
        self.assertTrue(rows[1].startswith("中" * 29 + "… "), rows)  # two columns each, so one is left

    def test_junit_is_xml(self):
        text = lines(recording(END), leaking('<&">\x01\ud83d\ude00'), "{\n",
                     {**case("ms", "x"), "result": {"case": "ms", "unsupported": "no clock"}})
        with tempfile.NamedTemporaryFile("w", suffix="<&'.jsonl") as file:
            file.write(text)
            file.flush()
            status, out, _ = endstop("check", "--format", "junit", file.name, "-", text=lines(recording(END)))
            root = xml.fromstring(out)
            self.assertEqual(root[0].get("name"), file.name)
        self.assertEqual(status, 2)
        self.assertEqual([suite.tag for suite in root], ["testsuite", "testsuite"])
        counts = {name: int(root[0].get(name)) for name in ("tests", "failures", "errors", "skipped")}
        self.assertEqual(counts, {"tests": 4, "failures": 1, "errors": 1, "skipped": 1})
        self.assertEqual(counts["failures"], len(root[0].findall("testcase/failure")))
        failed = root[0][1]
        self.assertEqual(failed.get("name"), '<&">\\x01\U0001f600')
        self.assertIn("leak", failed[0].text)
        self.assertEqual(xml.fromstring(endstop("check", "--format=junit", "/nowhere")[1]).tag, "testsuites")

    def test_each_verdict_comes_before_the_next_line(self):
        with subprocess.Popen([ENDSTOP, "check", "--format=json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              bufsize=0) as process:
            for _ in range(3):
                process.stdin.write(lines(recording(END)).encode())
                self.assertTrue(select.select([process.stdout], [], [], 10)[0], "no verdict")
                self.assertEqual(json.loads(process.stdout.readline())["verdict"], "conforms")
            process.stdin.close()
            self.assertEqual(process.wait(10), 0)


class Streams(unittest.TestCase):
    VERBS = (["run"], ["run", "--trace"], ["check"], ["check", "--format=json"], ["check", "--format=junit"],
             ["check", "--format=table"])

    def test_a_full_disk_is_told(self):
        for verb in self.VERBS:
            with open("/dev/full", "w") as full:
                done = subprocess.run([ENDSTOP, *verb], input=lines(recording(END)).encode(), stdout=full,
                                      stderr=subprocess.PIPE, timeout=TIMEOUT)
            self.assertEqual((verb, done.returncode), (verb, 2))
            self.assertIn(b"No space left", done.stderr)

    def test_a_closed_pipe_is_no_signal(self):
        for verb in self.VERBS:
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([ENDSTOP, *verb], input=lines(recording(END)).encode(), stdout=write,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT)
            os.close(write)
            self.assertEqual((verb, done.returncode), (verb, 2))
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_closed_standard_output_or_input(self):
        for verb in self.VERBS:
            done = subprocess.run(["/bin/sh", "-c", '"$@" >&-', "sh", ENDSTOP, *verb],
                                  input=lines(recording(END)).encode(), stderr=subprocess.PIPE, timeout=TIMEOUT)
            self.assertEqual((verb, done.returncode), (verb, 2))
            done = subprocess.run(["/bin/sh", "-c", '"$@" <&-', "sh", ENDSTOP, *verb], capture_output=True,
                                  timeout=TIMEOUT)
            self.assertEqual((verb, done.returncode), (verb, 2))
            self.assertNotEqual(done.stderr, b"")

    def test_the_output_is_whole_when_long(self):
        many = [case(f"case-{i}", "x" * 100) for i in range(3000)]
        with tempfile.TemporaryFile("w+") as file:
            file.write(lines(*many))
            file.seek(0)
            done = subprocess.run([ENDSTOP, "run"], stdin=file, capture_output=True, timeout=TIMEOUT)
        self.assertEqual([json.loads(line)["case"] for line in done.stdout.splitlines()], [c["case"] for c in many])


class Terminal(unittest.TestCase):
    def on_terminal(self, arguments, streams, environment=None, interrupt=None, columns=100):
        """Runs the command with `streams` (of 1, 2) on a terminal, the others in a pipe: status, terminal, pipe."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        place = {stream: slave if stream in streams else subprocess.PIPE for stream in (1, 2)}
        process = subprocess.Popen([ENDSTOP, *arguments], stdin=subprocess.DEVNULL, stdout=place[1], stderr=place[2],
                                   env={"TERM": "xterm", "PATH": os.environ["PATH"], **(environment or {})},
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        os.close(slave)
        seen, piped, end = b"", b"", time.monotonic() + TIMEOUT
        pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe]
        sources = [master] + pipes
        while sources and time.monotonic() < end:
            for source in select.select(sources, [], [], 1)[0]:
                try:
                    data = os.read(source if source == master else source.fileno(), 65536)
                except OSError:  # the terminal's other side is closed
                    data = b""
                if not data:
                    sources.remove(source)
                elif source == master:
                    seen += data
                else:
                    piped += data
            if interrupt is not None and interrupt in seen:
                process.send_signal(signal.SIGINT)
                interrupt = None
        status = process.wait(10)
        os.close(master)
        for pipe in pipes:
            pipe.close()
        return status, seen, piped

    def slow_file(self, folder, count):
        """Cases on which the slow model is slow: longer than half a second together."""
        path = os.path.join(folder, "slow.jsonl")
        with open(path, "w") as file:
            for i in range(count):
                file.write(lines(case(f"slow-{i}", *["abcdefgh"] * 150, stop=["abcdefghi" + c for c in "abcdefgh"])))
        return path

    def test_colours_only_on_a_terminal(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(lines(leaking()))
            file.flush()
            status, seen, _ = self.on_terminal(["check", file.name], [1, 2])
            self.assertEqual(status, 1)
            self.assertIn(b"\x1b[1m", seen)
            self.assertNotIn(b"\x1b", self.on_terminal(["check", file.name], [1, 2], {"NO_COLOR": "1"})[1])
            self.assertNotIn(b"\x1b", self.on_terminal(["check", file.name], [1, 2], {"TERM": "dumb"})[1])
            status, seen, piped = self.on_terminal(["check", file.name], [2])
            self.assertEqual((status, seen), (1, b""))
            self.assertNotIn(b"\x1b", piped)
            self.assertIn(b"1 recording: 0 conform, 1 violate", piped)

    def test_progress_only_on_a_terminal_and_gone_at_the_end(self):
        with tempfile.TemporaryDirectory() as folder:
            count, took = 75, 0
            while took < 1.5:  # long enough for progress to be shown, however fast the machine
                count *= 2
                path = self.slow_file(folder, count)
                arguments = ["run", "--matcher=model", path]
                start = time.monotonic()
                status, seen, piped = self.on_terminal(arguments, [2])
                took = time.monotonic() - start
            self.assertEqual((status, len(piped.splitlines())), (0, count))
            drawn = re.findall(rb"\r *(\d+) % \[[= ]{30}\] \d+\.\d of \d+\.\d MB\x1b\[K", seen)
            self.assertGreater(len(drawn), 0)
            self.assertLessEqual(len(drawn), 1 + took * 10)
            self.assertEqual(sorted(map(int, drawn)), list(map(int, drawn)))
            self.assertTrue(seen.endswith(b"\r\x1b[K"), seen)
            status, seen, piped = self.on_terminal(arguments, [1])
            self.assertNotIn(b" % [", seen + piped)
            self.assertEqual(self.on_terminal(arguments, [2], columns=40)[1], b"")

    def test_an_interrupt_leaves_the_terminal_clean(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.slow_file(folder, 1500)
            status, seen, _ = self.on_terminal(["run", "--matcher=model", path], [2], interrupt=b" MB")
            self.assertEqual(status, -signal.SIGINT)
            self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])

    def test_a_fast_file_shows_no_progress(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(lines(END))
            file.flush()
            self.assertEqual(self.on_terminal(["run", file.name], [2])[:2], (0, b""))


if __name__ == "__main__":
    unittest.main()

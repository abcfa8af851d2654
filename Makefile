# endstop: `make help` lists what there is to do.
BUILD ?= build
CC = gcc
CXX = g++
OPT ?= -O2 -g
SANITIZE ?=

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
includes := $(addprefix -iquote ,src/core src/lib src/json src/vocab src/oracle src/cli)
cflags   := -std=c11 $(OPT) $(SANITIZE) $(warnings) -Wstrict-prototypes -Wmissing-prototypes -fPIC -fvisibility=hidden \
            -D_POSIX_C_SOURCE=200809L $(includes) $(CFLAGS)
cxxflags := -std=c++17 $(OPT) $(SANITIZE) $(warnings) -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti $(includes) $(CXXFLAGS)

# The core must not call the C library, not even by a loop that the compiler turns into memset.
freestanding := -ffreestanding $(if $(findstring clang,$(CC)),,-fno-tree-loop-distribute-patterns)

# libFuzzer is not told of the slow model's ways: it would listen to little else.
unseen := -fno-sanitize=fuzzer-no-link

# What a source needs besides, by its folder.
of_folder = $(if $(filter src/core/%,$<),$(freestanding)) $(if $(FUZZER),$(if $(filter src/oracle/model%,$<),$(unseen))) $(if $(filter tests/%,$<),-iquote tests/engine -iquote tests/schedule)

core   := $(sort $(wildcard src/core/*.c))
lib    := $(sort $(wildcard src/lib/*.c))
json   := $(sort $(wildcard src/json/*.c)) src/json/json.cc
vocab  := $(sort $(wildcard src/vocab/*.c))
oracle := $(sort $(wildcard src/oracle/*.c)) $(vocab) $(json)
cli    := $(sort $(wildcard src/cli/*.c))
tests  := $(sort $(wildcard tests/*.c))
objects = $(patsubst %,$(BUILD)/%.o,$(basename $(1)))

.PHONY: all build help run test coverage check-concurrency bench install uninstall clean format check-format freestanding
.PHONY: fuzz fuzz-afl fuzz-build fuzz-programs print-harnesses fuzz-merge fuzz-case fuzz-smoke fuzz-replay fuzz-twins fuzzers printers
.PHONY: prove prove-fresh prove-lemmas prove-smoke prove-negative prove-selftest prove-eva prove-record mutate mutate-selftest
.PHONY: record record-vocab
.DELETE_ON_ERROR:

all: ## the command and both libraries, in build/
	@.ci/setup build
	@$(MAKE) --no-print-directory -s build

build: $(BUILD)/endstop $(BUILD)/libendstop.a $(BUILD)/libendstop.so

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(cflags) $(of_folder) -MMD -MP -c $< -o $@

$(BUILD)/%.o: %.cc Makefile
	@mkdir -p $(@D)
	@$(CXX) $(cxxflags) -MMD -MP -c $< -o $@

$(BUILD)/libendstop.a: $(call objects,$(core) $(lib))
	@rm -f $@
	$(AR) rcs $@ $^

# What a program that was linked against the library asks for is its soname: it changes when such programs must.
version := $(shell sed -n 's/^.define ES_VERSION "\(.*\)"/\1/p' src/lib/endstop.h)
shared  := libendstop.so.$(version)
soname  := libendstop.so.0
comma   := ,

$(BUILD)/$(shared): $(call objects,$(core) $(lib))
	$(CC) $(SANITIZE) -shared $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs) -Wl,-soname,$(soname) -o $@ $^

$(BUILD)/libendstop.so: $(BUILD)/$(shared)
	@ln -sf $(shared) $(BUILD)/$(soname)
	@ln -sf $(soname) $@

$(BUILD)/endstop: $(call objects,$(cli) $(oracle)) $(BUILD)/libendstop.a
	$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson

$(BUILD)/unit: $(call objects,$(tests) $(oracle)) $(BUILD)/libendstop.a
	$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson $(shell pkg-config --libs check)

$(BUILD)/parse: $(BUILD)/tests/bench/parse.o $(call objects,$(oracle)) $(BUILD)/libendstop.a
	$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson

$(BUILD)/poll: $(BUILD)/tests/bench/poll.o $(BUILD)/libendstop.a
	$(CC) $(SANITIZE) -o $@ $^

# The engine loop with its test benches: the code of the lanes, without the reader of JSON.
loop    := $(core) src/lib/cause.c $(wildcard src/oracle/engine*.c src/oracle/run*.c)
history := tests/engine/history.c tests/engine/history_print.c tests/engine/logs.c tests/engine/script.c
seen    := tests/engine/load.c tests/engine/saw.c
traced   = $(patsubst %,$(BUILD)/traced/%.o,$(basename $(1)))

$(BUILD)/stress: $(call objects,$(loop) $(history) $(seen) tests/engine/stress.c)
	$(CC) $(SANITIZE) -o $@ $^ -pthread

$(BUILD)/engine: $(call objects,$(loop) tests/memory/engine.c)
	$(CC) $(SANITIZE) -o $@ $^

# Compiled for a thread sanitizer, whose entry points are ours.
$(BUILD)/traced/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(cflags) -fsanitize=thread $(of_folder) -MMD -MP -c $< -o $@

$(BUILD)/explore: $(call traced,$(loop) $(seen) tests/schedule/scenes.c) \
                  $(call objects,$(history) tests/schedule/explore.c tests/schedule/fibers.c tests/schedule/atomics.c)
	$(CC) -Wl,--wrap=free -o $@ $^

# Fuzzing: a program a harness. With FUZZER empty it replays inputs; fuzz-build gives it libFuzzer's main instead.
FUZZER ?=
SIMDJSON ?= -lsimdjson
of_cases  := lane split overlap
of_core   := utf8 stops matcher guard race edges window
of_files  := json vocab
harnesses := $(of_core) $(of_cases) $(of_files)
framed    := fuzz/frame.c fuzz/seen.c $(if $(FUZZER),,fuzz/replay.c)
slow      := $(core) src/oracle/buffer.c $(wildcard src/oracle/model*.c)
ran       := fuzz/cases.c fuzz/answers.c src/lib/cause.c $(wildcard src/oracle/run*.c)
fuzzer     = $(addprefix $(BUILD)/fuzz-,$(1))

$(call fuzzer,$(of_core) $(of_cases)): $(if $(FUZZER),$(call objects,fuzz/mutate.c))
$(call fuzzer,json): $(if $(FUZZER),$(call objects,fuzz/mutate_json.c))
$(call fuzzer,$(of_core)): $(call objects,$(slow))
$(call fuzzer,$(of_cases)): $(call objects,$(slow) $(ran))
$(call fuzzer,$(of_files)): $(call objects,fuzz/cases.c $(core) $(oracle) $(lib))
$(call fuzzer,$(of_files)): libraries := $(SIMDJSON)
$(call fuzzer,$(of_files)): cflags += -DES_FUZZ_CHUNK=1024

$(call fuzzer,$(harnesses)): $(BUILD)/fuzz-%: $(BUILD)/fuzz/%.o $(call objects,$(framed))
	$(CXX) $(SANITIZE) $(CXXFLAGS) $(FUZZER) -o $@ $^ $(libraries)

fuzzers: $(call fuzzer,$(harnesses))

# The cases that a harness makes of its inputs, as lines.
printer = $(addprefix $(BUILD)/print-,$(1))

$(call printer,$(of_cases)): $(BUILD)/print-%: $(BUILD)/fuzz/%.o \
                             $(call objects,fuzz/frame.c fuzz/seen.c fuzz/print.c $(filter-out fuzz/answers.c,$(slow) $(ran)))
	$(CC) $(SANITIZE) -o $@ $^

printers: $(call printer,$(of_cases))

$(BUILD)/encode: $(call objects,$(wildcard fuzz/encode*.c) fuzz/cases.c fuzz/seen.c $(core) $(oracle) $(lib))
	@$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson

print-harnesses:
	@echo $(harnesses)

fuzz-build: ## the fuzzing harnesses with libFuzzer and sanitizers, in build/fuzz
	@.ci/setup build test
	@$(MAKE) --no-print-directory -s fuzz-programs

# PROGRAMS: what of it; the scripts of fuzz/ ask for single ones.
PROGRAMS ?= fuzzers
fuzz-programs:
	@$(MAKE) --no-print-directory -s BUILD=$(BUILD)/fuzz CC=clang CXX=clang++ FUZZER=-fsanitize=fuzzer \
	  SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' $(PROGRAMS)

T     ?=
J     ?= $(shell nproc)
LOG   ?=
ONLY  ?=
FILE  ?=
asked  = --jobs '$(J)' --only '$(ONLY)' $(if $(filter 1,$(LOG)),--log) '$(T)'
look   = fuzz/asked.py 'J=$(J)' 'ONLY=$(ONLY)'

fuzz: ## all harnesses for T=minutes, on all cores or J=cores (ONLY=harness; LOG=1: a row each in fuzz/log.md)
	@.ci/setup build test
	@$(look) 'T=$(T)' 'LOG=$(LOG)'
	@$(MAKE) --no-print-directory -s -j'$(J)' fuzz-build
	@fuzz/campaign.py $(asked)

fuzz-afl: ## the same with AFL++
	@.ci/setup build test
	@$(look) 'T=$(T)' 'LOG=$(LOG)'
	@.ci/setup afl
	@$(MAKE) --no-print-directory -s -j'$(J)' fuzz-build
	@$(MAKE) --no-print-directory -s -j'$(J)' BUILD=$(BUILD)/afl CC=afl-clang-fast CXX=afl-clang-fast++ fuzzers
	@fuzz/campaign.py --afl $(asked)

fuzz-merge: ## make corpus/fuzz anew of all that was kept: few inputs that reach as much
	@.ci/setup build test
	@$(look)
	@$(MAKE) --no-print-directory -s -j'$(J)' fuzz-build
	@fuzz/merge.py --jobs '$(J)' --only '$(ONLY)'

fuzz-case: ## what a campaign found becomes a case, or an input of corpus/fuzz: FILE=build/fuzz/found/…
	@.ci/setup build test
	@$(look) 'FILE=$(FILE)'
	@$(MAKE) --no-print-directory -s -j'$(J)' fuzz-build build
	@$(MAKE) --no-print-directory -s -j'$(J)' BUILD=$(BUILD)/replay printers
	@fuzz/case.py '$(FILE)'

fuzz-twins: ## plant faults in copies of the sources: each harness must find its own
	@.ci/setup build test
	@$(MAKE) --no-print-directory fuzz-build
	@fuzz/twins.py

fuzz-smoke: ## all harnesses: what is committed replayed, features, planted faults, OSS-Fuzz's build; 4 minutes
	@.ci/setup build test
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u BUILD -u CC -u CXX fuzz/smoke.sh

fuzz-replay: ## seeds from the cases, and all of corpus/fuzz, through the harnesses, with gcc and without a fuzzer
	@.ci/setup build test
	@$(MAKE) --no-print-directory -s BUILD=$(BUILD)/replay fuzzers $(BUILD)/replay/encode
	@rm -rf $(BUILD)/replay/seeds
	@fuzz/seeds.py $(BUILD)/replay/seeds
	@for harness in $(harnesses); do \
	  $(BUILD)/replay/fuzz-$$harness corpus/fuzz/$$harness $$(ls -d $(BUILD)/replay/seeds/$$harness 2>/dev/null) || exit; \
	done

bench: ## what run and check cost beyond reading, a look at the stop flag beside a load, rates of the harnesses: medians
	@.ci/setup build test bench
	@$(MAKE) --no-print-directory -s build $(BUILD)/parse $(BUILD)/poll
	@$(MAKE) --no-print-directory -s BUILD=$(BUILD)/rate CC=clang CXX=clang++ fuzzers
	@$(MAKE) --no-print-directory -s BUILD=$(BUILD)/rate-sanitized CC=clang CXX=clang++ \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' fuzzers
	@python3 tests/bench/poll.py $(BUILD)
	@python3 tests/bench/bench.py $(BUILD)
	@python3 tests/bench/fuzz.py $(BUILD)

run: ## judge the committed recordings of five real engines
	@.ci/setup build
	@$(MAKE) --no-print-directory -s build
	@tests/judge_recordings.sh $(BUILD)/endstop

test: ## all tests, a few minutes
	@.ci/setup build test
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u BUILD -u CC -u CXX tests/run.sh

coverage: ## what of src the unit tests, the fuzz corpus and all tests reach: a table, and pages in build/coverage/html
	@.ci/setup build test
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u BUILD -u CC -u CXX tests/coverage.py

check-concurrency: ## stop flag and engine loop: models, orders, every schedule, threads; minutes
	@.ci/setup build test
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u BUILD -u CC -u CXX tests/concurrency.sh

PREFIX  ?= /usr/local
DESTDIR ?=
to      := $(DESTDIR)$(PREFIX)
pages   := endstop.1 endstop-run.1 endstop-check.1

# All that install puts there.
installed := bin/endstop include/endstop.h lib/libendstop.a lib/$(shared) lib/$(soname) lib/libendstop.so \
             lib/pkgconfig/endstop.pc $(addprefix share/man/man1/,$(pages)) share/bash-completion/completions/endstop \
             share/endstop/python/endstop.py

# They end up in files of others' languages, where a space or a quote would mean something else.
plain_path = case '$(1)' in ''|*[!A-Za-z0-9._/+@~-]*) echo "$(2): expected a path of letters, digits and ._/+@~-" >&2; exit 2;; esac

install: ## to PREFIX (/usr/local), below DESTDIR if it is set
	@case '$(PREFIX)' in /*) ;; *) echo "PREFIX: expected a path that begins with /" >&2; exit 2;; esac
	@$(call plain_path,$(PREFIX),PREFIX)
	@$(MAKE) --no-print-directory -s build
	@install -d -m 755 $(addprefix '$(to)'/,$(sort $(dir $(installed))))
	@install -m 755 $(BUILD)/endstop '$(to)/bin'
	@install -m 644 src/lib/endstop.h '$(to)/include'
	@install -m 644 $(BUILD)/libendstop.a $(BUILD)/$(shared) '$(to)/lib'
	@ln -sf $(shared) '$(to)/lib/$(soname)'
	@ln -sf $(soname) '$(to)/lib/libendstop.so'
	@for file in lib/endstop.pc.in $(addprefix cli/man/,$(pages)); do \
	  sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(version)|' src/$$file >$(BUILD)/$$(basename $$file .in) || exit; \
	done
	@install -m 644 $(BUILD)/endstop.pc '$(to)/lib/pkgconfig'
	@install -m 644 $(addprefix $(BUILD)/,$(pages)) '$(to)/share/man/man1'
	@install -m 644 src/cli/endstop.bash '$(to)/share/bash-completion/completions/endstop'
	@install -m 644 src/lib/endstop.py '$(to)/share/endstop/python'

uninstall: ## what install put there, and nothing else
	@rm -f $(addprefix '$(to)'/,$(installed))
	@rm -rf '$(to)/share/endstop/python/__pycache__'
	@rmdir '$(to)/share/endstop/python' '$(to)/share/endstop' 2>/dev/null || true

FN ?=

prove: ## prove the core with Frama-C: kept answers are replayed, all but a tenth (FN=name: one function or file)
	@.ci/setup proof
	@proofs/prove.py --only '$(FN)'

prove-fresh: ## the same, with nothing replayed
	@.ci/setup proof
	@proofs/prove.py --fresh --only '$(FN)'

prove-lemmas: ## the same as prove, for the lemmas alone
	@.ci/setup proof
	@proofs/prove.py --lemmas --only '$(FN)'

prove-smoke: ## look for contracts that contradict themselves, and for code that cannot be reached
	@.ci/setup proof
	@proofs/prove.py --smoke --only '$(FN)'

prove-negative: ## plant faults in the core: each must leave a goal open (FN=name: one fault, function or file)
	@.ci/setup proof
	@proofs/prove.py --negative --only '$(FN)'

prove-selftest: ## show that the gate of the proof bites
	@.ci/setup proof
	@proofs/prove.py --selftest

prove-eva: ## follow all runs of the library with Eva, then plant faults that it must find
	@.ci/setup proof
	@proofs/eva.py
	@proofs/eva.py --planted

prove-record: ## prove what has changed, and write proofs/cache and proofs/results
	@.ci/setup proof
	@proofs/prove.py --record --only '$(FN)'
	@proofs/prove.py --smoke --record --only '$(FN)'

ALL  ?=
SEED ?=

mutate: ## plant small faults in the core, a drawn few: tests or proof must find each (SEED=number; ALL=1: all, an hour or two)
	@.ci/setup build test proof
	@proofs/mutate.py $(if $(filter 1,$(ALL)),--all) $(if $(SEED),--seed $(SEED))

mutate-selftest: ## show that mutants live, and are named, where tests are taken away
	@.ci/setup build test
	@proofs/mutate.py --selftest

format: ## lay out the C code
	@.ci/setup test
	@clang-format -i $(formatted)

freestanding: $(call objects,$(core))
	@nm -u $^ | awk '$$1 == "U" && $$2 !~ /^es_|^_GLOBAL_OFFSET_TABLE_$$/ {print "src/core calls " $$2; bad = 1} END {exit bad}'
	@nm -u $^ | grep -q es_utf8_take

check-format:
	@clang-format --dry-run -Werror $(formatted)

formatted = $(wildcard src/*/*.[ch] src/*/*.cc fuzz/*.[ch] tests/*.[ch] tests/*/*.[ch] tests/relacy/*.cc proofs/eva/*.c)

PEER ?= transformers
peer  = $(BUILD)/venv-$(PEER)

$(peer)/ready: tests/peers/$(PEER)/setup.sh $(wildcard tests/peers/$(PEER)/requirements*.txt)
	rm -rf $(peer)
	tests/peers/$(PEER)/setup.sh $(peer)
	@touch $@

record: ## record a real engine anew: PEER=transformers (7 GB in build/, 20 minutes) or another of tests/peers
	@.ci/setup record
	@$(MAKE) --no-print-directory $(peer)/ready
	$(peer)/bin/python tests/peers/$(PEER)/record.py corpus/recordings $(wildcard $(peer)/[0-9]*)

vocab_venv := $(BUILD)/venv-vocab

$(BUILD)/vocab_dump: $(BUILD)/tests/vocab/dump.o $(call objects,$(oracle)) $(BUILD)/libendstop.a
	$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson

$(vocab_venv)/ready: tests/vocab/requirements.txt
	python3 -m venv $(vocab_venv)
	$(vocab_venv)/bin/pip install --quiet --no-deps -r $<
	@touch $@

record-vocab: $(BUILD)/vocab_dump ## compare vocabularies with the real libraries anew: 450 MB in build/, 5 minutes
	@.ci/setup record
	@$(MAKE) --no-print-directory $(vocab_venv)/ready
	$(vocab_venv)/bin/python tests/vocab/small.py corpus/vocab
	$(vocab_venv)/bin/python tests/vocab/compare.py $(BUILD)/vocab_dump --self-test
	$(vocab_venv)/bin/python tests/vocab/compare.py $(BUILD)/vocab_dump tests/vocab/compared.tsv

clean: ## remove what was built
	@rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

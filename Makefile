# endstop: `make help` lists what there is to do.
BUILD ?= build
CC = gcc
CXX = g++
OPT ?= -O2 -g
SANITIZE ?=

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
includes := $(addprefix -iquote ,src/core src/json src/vocab src/oracle src/cli)
cflags   := -std=c11 $(OPT) $(SANITIZE) $(warnings) -Wstrict-prototypes -Wmissing-prototypes -fPIC -fvisibility=default \
            -D_POSIX_C_SOURCE=200809L $(includes) $(CFLAGS)
cxxflags := -std=c++17 $(OPT) $(SANITIZE) $(warnings) -fPIC -fno-exceptions -fno-rtti $(includes) $(CXXFLAGS)

# The core must not call the C library, not even by a loop that the compiler turns into memset.
freestanding := -ffreestanding $(if $(findstring clang,$(CC)),,-fno-tree-loop-distribute-patterns)

core   := $(sort $(wildcard src/core/*.c))
json   := $(sort $(wildcard src/json/*.c)) src/json/json.cc
vocab  := $(sort $(wildcard src/vocab/*.c))
oracle := $(sort $(wildcard src/oracle/*.c)) $(vocab) $(json)
cli    := $(sort $(wildcard src/cli/*.c))
tests  := $(sort $(wildcard tests/*.c))
objects = $(patsubst %,$(BUILD)/%.o,$(basename $(1)))

.PHONY: all build help run test format check-format freestanding prove bench record clean
.DELETE_ON_ERROR:

all: ## the command and both libraries, in build/
	@.ci/setup build
	@$(MAKE) --no-print-directory -s build

build: $(BUILD)/endstop $(BUILD)/libendstop.a $(BUILD)/libendstop.so

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(cflags) $(if $(filter src/core/%,$<),$(freestanding)) -MMD -MP -c $< -o $@

$(BUILD)/%.o: %.cc Makefile
	@mkdir -p $(@D)
	@$(CXX) $(cxxflags) -MMD -MP -c $< -o $@

$(BUILD)/libendstop.a: $(call objects,$(core))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libendstop.so: $(call objects,$(core))
	$(CC) $(SANITIZE) -shared -Wl,-soname,libendstop.so.0 -o $@ $^
	@ln -sf libendstop.so $(BUILD)/libendstop.so.0

$(BUILD)/endstop: $(call objects,$(cli) $(oracle)) $(BUILD)/libendstop.a
	$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson

$(BUILD)/unit: $(call objects,$(tests) $(oracle)) $(BUILD)/libendstop.a
	$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson $(shell pkg-config --libs check)

$(BUILD)/parse: $(BUILD)/tests/bench/parse.o $(call objects,$(oracle)) $(BUILD)/libendstop.a
	$(CXX) $(SANITIZE) -o $@ $^ -lsimdjson

bench: ## what run and check cost beyond reading: ratios, medians
	@.ci/setup build bench
	@$(MAKE) --no-print-directory -s build $(BUILD)/parse
	@python3 tests/bench/bench.py $(BUILD)

run: ## judge the committed recordings of a real engine
	@.ci/setup build
	@$(MAKE) --no-print-directory -s build
	@tests/judge_recordings.sh $(BUILD)/endstop

test: ## all tests, a few minutes
	@.ci/setup build test
	@env -u MAKEFLAGS -u MAKEOVERRIDES -u BUILD -u CC -u CXX tests/run.sh

prove: ## prove the core with Frama-C, and show that the proof bites
	@.ci/setup proof
	@proofs/prove.py
	@proofs/prove.py --negative

format: ## lay out the C code
	@.ci/setup test
	@clang-format -i $(formatted)

freestanding: $(BUILD)/libendstop.a
	@nm -u $< | awk '$$1 == "U" && $$2 !~ /^es_|^_GLOBAL_OFFSET_TABLE_$$/ {print "src/core calls " $$2; bad = 1} END {exit bad}'
	@nm -u $< | grep -q es_utf8_take

check-format:
	@clang-format --dry-run -Werror $(formatted)

formatted = $(wildcard src/*/*.[ch] src/*/*.cc tests/*.[ch] tests/*/*.[ch])

peer    := tests/peers/transformers
venv    := $(BUILD)/venv-transformers
overlay := $(BUILD)/transformers-4.57.6

$(venv)/ready: $(peer)/requirements.txt
	python3 -m venv $(venv)
	$(venv)/bin/pip install --quiet --no-deps -r $<
	@touch $@

$(overlay)/ready: $(peer)/requirements-4.57.txt $(venv)/ready
	rm -rf $(overlay)
	$(venv)/bin/pip install --quiet --no-deps --target $(overlay) -r $<
	@touch $@

record: ## record the real engine anew: 7 GB in build/, 10 to 20 minutes
	@.ci/setup record
	@$(MAKE) --no-print-directory $(venv)/ready $(overlay)/ready
	$(venv)/bin/python $(peer)/record.py corpus/recordings $(overlay)

clean: ## remove what was built
	@rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

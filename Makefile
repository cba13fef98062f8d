# tensordbg: a terminal debugger for TensorFlow dumps.
#
#   make           builds build/tensordbg, or says what is missing for that
#   make deps      installs what is missing to build and test (Debian); elsewhere names it
#   make demo      installs what is missing to build, builds, and opens a recorded dump
#   make test      deps, build, every test
#   make asan      every test under AddressSanitizer and UBSan, with constants made small
#   make coverage  the share of lines that tests run, of each source file, lowest first
#   make mutants   small wrong changes: each must break a test
#   make recorders PYTHONS="FILE..."  what --recorder prints, with these interpreters' frameworks
#   make bench     one line per case: time, memory, and the same work by the plainest means
#   make bench-large  how both grow up to a million files, ten million traces (5 GB in $(LARGE))
#   make golden    rewrites tests/golden/*.out
#   make manual    rewrites the commands, keys and recorders in the man pages and completions
#   make static    build-static/tensordbg, which needs nothing of the system it runs on
#   make html      the man pages as HTML, in $(B)/html
#   make install   to $(DESTDIR)$(PREFIX); install-strip without symbols, uninstall takes it away
#   make dist, make deb, make package-files  the sources as a tarball, a package for Debian, a
#                  formula (Homebrew), PKGBUILD (Arch) and spec file (RPM); all below build/packages
#   make soak      random keys, sizes and signals, $(SOAK_MINUTES) minutes under each sanitizer
#   make fuzz, make screenshots, make clean, make help
#
# V=1 shows the commands, WERROR=1 makes warnings errors. CC, CPPFLAGS, CFLAGS, LDFLAGS are yours.

B      ?= build
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
PROTOC_C ?= protoc-c
JOBS   ?= 2
Q      := $(if $(V),,@)

# $(call say,CC,FILE): the line of a step. On a terminal it says how far make is: [ 37/642]. The
# steps are counted once, when the first line is due, by a dry run that prints a word for each.
say = @echo "  $1 $2"
ifdef MAKE_TERMOUT
say = $(eval steps_begun += x)@n=$(n_steps); printf "[%$${\#n}d/$$n] %s %s\n" \
      $(words $(steps_begun)) $1 $2
n_steps = $(eval n_steps := $(shell MAKEFLAGS= $(MAKE) -n COUNT_STEPS=1 $(MAKEOVERRIDES) \
          $(MAKECMDGOALS) | grep -c 'echo A_STEP'))$(n_steps)
endif
ifdef COUNT_STEPS
say = @echo A_STEP
endif

LIBRARIES      := ncursesw readline libpcre2-8 libprotobuf-c sqlite3 zlib libarchive
TEST_LIBRARIES := check vterm

# The static program brings descriptions of these terminals; NAME=OTHER: as OTHER.
TERMINALS := $(if $(STATIC),alacritty ansi dumb Eterm gnome-256color kitty konsole-256color \
	linux mintty ms-terminal nsterm putty putty-256color rxvt rxvt-256color rxvt-unicode \
	rxvt-unicode-256color screen screen-256color screen.xterm-256color st st-256color tmux \
	tmux-256color vscode vt100 vt102 vt220 vte-256color xterm xterm-16color xterm-256color \
	xterm-color xterm-direct foot=xterm-256color xterm-ghostty=xterm-256color \
	xterm-kitty=kitty)

# What libarchive needs for what we don't use of it; the linker takes none of that.
NOT_USED  := -lacl -lbz2 -llz4 -llzma -lnettle -lxml2

# What it would need shared libraries of the system for; see tui/alone/alone.c.
NOT_ASKED := dlopen getpwnam getpwuid getpwent setpwent endpwent

# gcc lets a row that has a designator end early; clang warns of it too.
WARN := -Wall -Wextra -Wpedantic -Wno-overlength-strings -Wshadow -Wpointer-arith \
        -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla -Wundef \
        -Werror=date-time $(if $(WERROR),-Werror) \
        $(if $(findstring clang,$(CC)),-Wno-missing-field-initializers)

# Asked of pkg-config when first used, then kept: `make deps` must work before there is one.
ask_once = $(eval $1 := $(shell $(PKG_CONFIG) $2))$($1)
LIBRARY_CFLAGS    = $(call ask_once,LIBRARY_CFLAGS,--cflags $(LIBRARIES))
LIBRARY_LIBS      = $(call ask_once,LIBRARY_LIBS,$(if $(STATIC),--static) --libs $(LIBRARIES))
TEST_LIBRARY_LIBS = $(call ask_once,TEST_LIBRARY_LIBS,--libs $(TEST_LIBRARIES))

# All code may go into the library of the test programs. For the program this is no slower.
SHAREABLE = $(if $(STATIC),,-fPIC -fno-semantic-interposition)

ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(CPPFLAGS) $(CFLAGS) $(SHAREABLE) $(SAN) $(SMALL) \
             -I. -I$(B) $(LIBRARY_CFLAGS) -ffile-prefix-map=$(CURDIR)=.
STATIC_LIBS = -static-pie -s $(NOT_ASKED:%=-Wl,--wrap=%)
ALL_LIBS   = $(if $(STATIC),$(STATIC_LIBS)) $(LDFLAGS) \
             $(filter-out $(if $(STATIC),$(NOT_USED)),$(LIBRARY_LIBS)) -liberty -lm -pthread
TEST_LIBS  = $(ALL_LIBS) $(TEST_LIBRARY_LIBS) -lutil

PROTO   := $(sort $(wildcard dump/proto/*.proto))
PB_C    := $(PROTO:%.proto=$(B)/%.pb-c.c)
PB_H    := $(PB_C:.c=.h)
SOURCE  := $(sort $(wildcard dump/*.c dump/*/*.c cmds/*.c cmds/*/*.c cmds/*/*/*.c tui/*.c))
OBJ     := $(SOURCE:%.c=$(B)/%.o) $(PB_C:.c=.o) $(B)/tui/recorder_texts.o \
           $(B)/tui/terminfo_table.o $(if $(STATIC),$(patsubst %,$(B)/tui/alone/%.o,alone utf8 ctype))
LIB_OBJ := $(filter-out $(B)/tui/main.o,$(OBJ))

# In tests/: test_* are suites, fuzz_* fuzz targets, tool_* programs of their own, the rest shared.
IN_TESTS  := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/*.c)))
TESTS     := $(filter $(B)/tests/test_%,$(IN_TESTS))
FUZZ      := $(filter-out %/fuzz_main,$(filter $(B)/tests/fuzz_%,$(IN_TESTS)))
TOOLS     := $(filter $(B)/tests/tool_%,$(IN_TESTS))
SHARED    := $(addsuffix .o,$(filter-out $(TESTS) $(TOOLS) $(B)/tests/fuzz_%,$(IN_TESTS)))
TEST_OBJ  := $(TESTS:=.o) $(FUZZ:=.o) $(TOOLS:=.o) $(SHARED)
SCRIPTS   := tests/layers.sh tests/golden.sh tests/readme.sh tests/manual.sh tests/install.sh \
             tests/profile_odd.sh tests/running.sh tests/soak.sh tests/static.sh \
             tests/building.sh tests/package_files.sh

all: $(B)/tensordbg

# All that is built is built again when the command line for it changes; the first thing is to look
# whether it can be built. CC may be a command with arguments.
flags_now = $(subst ','"'"',$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(SAN) $(SMALL) $(WERROR))
flags_hold = $(shell echo '$(flags_now)' | cmp -s - $(B)/flags && echo yes)
$(B)/flags: $(if $(COUNT_STEPS),$(if $(flags_hold),,FORCE),FORCE)
	@mkdir -p $(B)
	@echo '$(flags_now)' | cmp -s - $@ || { \
		CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' \
			tests/deps.sh check build $(if $(STATIC),static) && \
		echo '$(flags_now)' >$@; }

$(B)/tensordbg: $(OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(SAN) -o $@ $^ $(ALL_LIBS)

# Of the test programs, which would else have 10 MB each, 40 with sanitizers.
$(B)/libtensordbg.so: $(LIB_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) $(CFLAGS) $(SAN) -o $@ $^ $(ALL_LIBS)

$(B)/%.pb-c.c $(B)/%.pb-c.h: %.proto | $(B)/flags
	@mkdir -p $(@D)
	$(call say,PB,$<)
	$(Q)$(PROTOC_C) --c_out=$(B) $<

$(B)/tui/terminfo_table.c: tui/terminfo.sh $(B)/flags
	@mkdir -p $(@D)
	$(Q)tui/terminfo.sh $(TERMINALS) >$@

CTYPE := /usr/lib/locale/C.utf8/LC_CTYPE
$(B)/tui/alone/ctype.c: $(CTYPE) $(B)/flags
	@mkdir -p $(@D)
	$(Q){ echo '#include "tui/alone/utf8.h"'; echo 'const unsigned char alone_ctype[] = {'; \
		od -v -An -tu1 $< | sed 's/$$/,/; s/\([0-9]\)  */\1,/g'; echo '};'; \
		echo 'const size_t alone_ctype_bytes = sizeof alone_ctype;'; } >$@

$(B)/%.o: %.c $(B)/flags | $(PB_H)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The Python of --recorder, as texts in C. A part_ is included in others.
RECORDERS := $(sort $(wildcard tui/recorders/*.py))
$(B)/tui/recorder_texts.c: tui/recorders/texts.awk $(RECORDERS)
	@mkdir -p $(@D)
	$(Q)awk -f $^ >$@

# What is made in C.
$(addprefix $(B)/tui/,recorder_texts.o terminfo_table.o alone/ctype.o): $(B)/%.o: $(B)/%.c $(B)/flags
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Loops over whole tensors: only there do the vectors of -O3 count.
$(B)/dump/model/stats.o $(B)/dump/model/compare_floats.o $(B)/tests/tool_scan.o: \
	ALL_CFLAGS += $(if $(filter -O2,$(CFLAGS)),-O3)

$(B)/tui/locale.o: ALL_CFLAGS += $(if $(STATIC),-DSTATIC)

$(B)/%.pb-c.o: $(B)/%.pb-c.c $(B)/%.pb-c.h $(B)/flags
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(TESTS) $(TOOLS): $(B)/tests/%: $(B)/tests/%.o $(SHARED) $(B)/libtensordbg.so
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(SAN) -o $@ $^ -Wl,-rpath,'$$ORIGIN/..' $(TEST_LIBS)

# ---- tests

in_parallel = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

test: deps
	@$(MAKE) --no-print-directory $(in_parallel) run-tests

run-tests: $(B)/tensordbg $(TESTS) $(FUZZ) $(TOOLS)
	$(Q)B=$(abspath $(B)) JOBS=$(JOBS) tests/run.sh $(TESTS) $(FUZZ) $(SCRIPTS)

sanitized = CFLAGS="-O1 -g -fno-omit-frame-pointer" \
            SAN="-fsanitize=address,undefined -fno-sanitize-recover=all"

# Small constants make every boundary happen.
asan:
	@$(MAKE) --no-print-directory B=build-asan $(sanitized) \
		SMALL="-DARENA_BLOCK=64 -DFEW_BAD=0 -DMAP_SLOTS=2 -DREAD_CHUNK=7 -DWALK_ALONE=2 \
		-DNOTES_MAX=300" test

# A program that a signal ends tells nothing of the lines it ran, and gcov's own complaints fail a
# few tests about standard error: shares are a little low, and failures are not looked at here.
coverage:
	$(Q)find . -path './build-coverage/*.gcda' -delete
	-@$(MAKE) --no-print-directory $(in_parallel) B=build-coverage CC=gcc \
		CFLAGS="-O0 -g --coverage" LDFLAGS=--coverage run-tests
	@$(MAKE) --no-print-directory B=build-coverage print-coverage

print-coverage:
	$(Q)for file in $(SOURCE:.c=); do gcov -n -o $(B)/$$file.o $$file.c; done 2>/dev/null | \
		awk -F "[':% ]" '/^File / { file = $$3 } \
			/^Lines executed/ && file ~ /\.c$$/ { print $$3 "% of " $$6, file; \
			file = "" }' | sort -n

# Small wrong changes, each of which a suite must notice.
mutants:
	$(Q)B=$(abspath $(B)) JOBS=$(JOBS) CC='$(CC)' tests/mutants.sh

# What ended badly is printed with its seed; `B=$PWD/build-soak tests/soak.sh SEED` has it again.
SOAK_MINUTES ?= 5
SOAK_SEED    ?=
soak:
	@$(MAKE) --no-print-directory B=build-soak $(sanitized) run-soak
	@$(MAKE) --no-print-directory B=build-soak-thread CFLAGS="-O1 -g" SAN=-fsanitize=thread \
		run-soak

run-soak: $(B)/tensordbg $(B)/tests/tool_soak
	$(Q)B=$(abspath $(B)) tests/soak.sh --minutes $(SOAK_MINUTES) $(SOAK_SEED)

golden: $(B)/tensordbg
	$(Q)B=$(abspath $(B)) tests/golden.sh --write

manual: $(B)/tests/tool_manual
	$(Q)B=$(abspath $(B)) tests/manual.sh --write

bench: deps
	@$(MAKE) --no-print-directory $(in_parallel) $(B)/tensordbg $(TOOLS)
	$(Q)B=$(abspath $(B)) tests/bench.sh

bench-large: deps
	@$(MAKE) --no-print-directory $(in_parallel) $(B)/tensordbg $(TOOLS)
	$(Q)B=$(abspath $(B)) tests/bench_large.sh

PYTHONS ?= python3
recorders: $(B)/tensordbg
	$(Q)B=$(abspath $(B)) tests/recorders.sh $(PYTHONS)

screenshots: $(B)/tensordbg $(B)/tests/tool_screenshot
	$(Q)B=$(abspath $(B)) tests/screenshots.sh

# A fuzz target replays testdata/fuzz/NAME. `make fuzz` puts libFuzzer in the place of fuzz_main.o,
# and each target runs for FUZZ_SECONDS; its finds are left in build-fuzz/tests/fuzz_NAME.found.
FUZZ_SECONDS ?= 15
FUZZER = $(B)/tests/fuzz_main.o
fuzzing = B=build-fuzz CC=clang-14 CFLAGS="-O2 -g -fno-omit-frame-pointer" \
          SMALL=-DWALK_BLOCK=2048 FUZZER=-fsanitize=fuzzer \
          SAN="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
fuzz:
	@$(MAKE) --no-print-directory $(in_parallel) $(fuzzing) fuzz-targets
	@$(MAKE) --no-print-directory $(fuzzing) run-fuzz

fuzz-targets: $(FUZZ)
run-fuzz: $(FUZZ:%=%.run)

$(FUZZ): $(B)/tests/%: $(B)/tests/%.o $(filter %.o,$(FUZZER)) $(B)/tests/input.o \
                       $(B)/tests/program.o $(B)/tests/message.o \
                       $(B)/tests/program_input.o $(B)/tests/commands.o \
                       $(B)/tests/read_arrays.o $(B)/tests/hlo_walk.o \
                       $(B)/libtensordbg.so
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(SAN) $(filter -%,$(FUZZER)) -o $@ $^ -Wl,-rpath,'$$ORIGIN/..' $(ALL_LIBS)

# What is large is slow and says little more. Weighing inputs by rare features (-entropic) took half
# the time of targets that reach much code; naming new functions starts another program. readline
# keeps a little of each run: fuzz_prompt looks for leaks at its end, and so do targets whose
# session stays open. These change one input often, mostly in its commands.
FUZZ_OPTIONS = -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=10 -rss_limit_mb=1024 \
               -entropic=0 -print_funcs=0 -verbosity=0 -print_final_stats=1
fuzz_runs = $(patsubst %,$(B)/tests/fuzz_%.run,$(1))
$(call fuzz_runs,prompt): FUZZ_OPTIONS += -detect_leaks=0
$(call fuzz_runs,session programs export line): FUZZ_OPTIONS += -detect_leaks=0 -mutate_depth=32
$(call fuzz_runs,programs program tfprof hlo): FUZZ_OPTIONS += -max_len=2048
$(call fuzz_runs,table): FUZZ_OPTIONS += -max_len=1536
# What is freed is kept back for about three runs, no longer: fresh memory is what costs most. A
# find has two frames of where memory came from; run it again with another malloc_context_size.
FUZZ_ASAN := quarantine_size_mb=1:thread_local_quarantine_size_kb=64:max_malloc_fill_size=256
FUZZ_ASAN := $(FUZZ_ASAN):malloc_context_size=2:allocator_may_return_null=1
# Each find, also of earlier runs, is then tried by itself: one of a session that stays open may need
# the inputs before it.
%.run: %
	@mkdir -p $<.found
	@echo "  FUZZ $<"
	$(Q)export ASAN_OPTIONS=$(FUZZ_ASAN) LC_ALL=C.UTF-8 TZ=UTC; \
	$< $(FUZZ_OPTIONS) -artifact_prefix=$<. $<.found testdata/fuzz/$(subst fuzz_,,$(<F)) || { \
		for find in $<.crash-* $<.leak-* $<.oom-* $<.timeout-*; do \
			[ -e "$$find" ] || continue; \
			if $< $(FUZZ_OPTIONS) "$$find" >/dev/null 2>&1; then echo \
				"$$find: does not fail by itself; it may need the inputs before it"; \
			else echo "$$find: fails by itself"; fi; \
		done; exit 1; }

# ---- a program for wherever nothing may be installed

static: static-deps
	@$(MAKE) --no-print-directory $(in_parallel) B=build-static STATIC=1 build-static/tensordbg

static-deps:
	$(Q)CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/deps.sh install build static

# ---- the rest

deps:
	$(Q)CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/deps.sh install build test

demo-deps:
	$(Q)CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/deps.sh install build

demo: demo-deps
	@$(MAKE) --no-print-directory $(in_parallel) $(B)/tensordbg
	$(Q)if [ -t 1 ]; then $(B)/tensordbg testdata/mnist_nan; \
	else $(B)/tensordbg -c lt testdata/mnist_nan; fi

# What goes where: FROM=TO below $(PREFIX).
ZSH_FUNCTIONS ?= share/zsh/site-functions
MAN_PAGES := $(sort $(wildcard tui/*.[17]))
INSTALLED := $(B)/tensordbg=bin/tensordbg \
             $(foreach page,$(MAN_PAGES),$(page)=share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
             tui/completion.bash=share/bash-completion/completions/tensordbg \
             tui/_tensordbg=$(ZSH_FUNCTIONS)/_tensordbg
to = "$(DESTDIR)$(PREFIX)/$(word 2,$(subst =, ,$1))"
install_one = mkdir -p "$$(dirname $(call to,$1))" && \
              install -m $(if $(filter bin/%,$(word 2,$(subst =, ,$1))),755 $(STRIP),644) \
              $(word 1,$(subst =, ,$1)) $(call to,$1)
define newline


endef

html:
	$(Q)tui/html.sh $(B)/html $(MAN_PAGES)
	@echo $(B)/html/index.html

install: $(B)/tensordbg
	$(foreach one,$(INSTALLED),$(call install_one,$(one))$(newline)	)

install-strip: STRIP = -s
install-strip: install

uninstall:
	rm -f $(foreach one,$(INSTALLED),$(call to,$(one)))

# ---- packages; SOURCE_URL=, HOMEPAGE= and MAINTAINER= are what they will say

PACKAGES := build/packages
VERSION  := $(shell sed -n 's/.*TENSORDBG_VERSION "\(.*\)"/\1/p' dump/base/version.h)
TARBALL  := $(CURDIR)/$(PACKAGES)/tensordbg-$(VERSION).tar.gz
export SOURCE_URL HOMEPAGE MAINTAINER

# git lists the sources of a checkout; what `dist` packed has no .git.
dist:
	$(Q)tests/deps.sh install $(if $(wildcard .git),git)
	$(Q)tui/packages/make.sh source $(TARBALL)
	@echo $(TARBALL)

package-files: dist
	$(Q)tui/packages/make.sh files $(PACKAGES) $(TARBALL)
	$(Q)cd $(PACKAGES) && for file in tensordbg.rb PKGBUILD tensordbg.spec; do \
		echo; echo "# $(PACKAGES)/$$file"; cat $$file; done

deb:
	$(Q)CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/deps.sh install build test deb $(if $(wildcard .git),git)
	@$(MAKE) --no-print-directory dist
	$(Q)JOBS=$(JOBS) tui/packages/make.sh debian $(CURDIR)/$(PACKAGES)/deb $(TARBALL)
	@ls $(PACKAGES)/deb/tensordbg*_*

help:
	@sed -n 's/^#   //p' Makefile

clean:
	rm -rf build build-asan build-coverage build-fuzz build-soak build-soak-thread build-static

-include $(OBJ:.o=.d) $(TEST_OBJ:.o=.d)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all test run-tests asan coverage print-coverage mutants golden manual bench \
        bench-large recorders screenshots fuzz fuzz-targets run-fuzz soak run-soak deps \
        demo-deps demo html install install-strip uninstall static static-deps dist deb \
        package-files help clean FORCE

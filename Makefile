# tensordbg: a terminal debugger for TensorFlow dumps.
# make, make deps, demo, test, asan, bench, golden, install, clean. V=1 shows the commands.

B      ?= build
PREFIX ?= /usr/local
CC     ?= cc
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
Q := $(if $(V),,@)

PACKAGES := ncursesw readline libpcre2-8 libprotobuf-c
TEST_PACKAGES := check vterm

WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes \
        -Wwrite-strings -Wvla -Wundef -Werror=date-time $(if $(WERROR),-Werror)
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(SAN) -I. -I$(B) \
             $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
ALL_LIBS = $(LDFLAGS) $(SAN) $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lm -pthread
TEST_LIBS = $(ALL_LIBS) $(shell $(PKG_CONFIG) --libs $(TEST_PACKAGES)) -lutil

PROTO  := $(sort $(wildcard dump/proto/*.proto))
PB_C   := $(PROTO:%.proto=$(B)/%.pb-c.c)
PB_H   := $(PB_C:.c=.h)
SOURCE := $(sort $(wildcard dump/base/*.c dump/*.c cmds/*.c tui/*.c))
OBJ    := $(SOURCE:%.c=$(B)/%.o) $(PB_C:.c=.o)
LIB_OBJ := $(filter-out $(B)/tui/main.o,$(OBJ))
TESTS  := $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/test_*.c)))
TEST_HELP := $(patsubst %.c,$(B)/%.o,$(sort $(filter-out $(wildcard tests/test_*.c tests/fuzz_*.c tests/bench_*.c),$(wildcard tests/*.c))))

all: $(B)/tensordbg

$(B)/tensordbg: $(OBJ)
	@echo "  LD $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(ALL_LIBS)

$(B)/libtensordbg.a: $(LIB_OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/%.pb-c.c $(B)/%.pb-c.h: %.proto
	@mkdir -p $(@D)
	$(Q)protoc-c --c_out=$(B) $<

$(B)/%.o: %.c | $(PB_H)
	@mkdir -p $(@D)
	@echo "  CC $<"
	$(Q)$(CC) $(ALL_CFLAGS) -ffile-prefix-map=$(CURDIR)=. -MMD -MP -c -o $@ $<

$(B)/%.pb-c.o: $(B)/%.pb-c.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/tests/test_%: $(B)/tests/test_%.o $(TEST_HELP) $(B)/libtensordbg.a
	@echo "  LD $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(TEST_LIBS)

check: $(B)/tensordbg $(TESTS)
	$(Q)for t in $(TESTS); do TENSORDBG=$(CURDIR)/$(B)/tensordbg LC_ALL=C.UTF-8 TZ=UTC $$t || exit 1; done

clean:
	rm -rf build build-asan build-fuzz

-include $(OBJ:.o=.d) $(TESTS:=.d) $(TEST_HELP:.o=.d)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all check clean

#ifndef TESTS_PROGRAM_LINES_H
#define TESTS_PROGRAM_LINES_H

#include "dump/base/str.h"
#include "dump/model/program.h"

/*
 * All that is known of a recorded program as lines of fields with tabs between, by kind: "source",
 * "frame", "device", "graph", "op", "execution", "trace" (as recorded), "step", "tensor", "health",
 * "flagged", "feed", "use" (as joined). The program is scanned.
 */
typedef void program_lines_sink(void *owner, const char *kind, const struct str *line);
void program_lines(const struct program *program, program_lines_sink *sink, void *owner);

/* The same told short: of each kind how many lines, and the CRC-32 of all of them with newlines. */
struct program_kind {
	char name[16];
	uint64_t count;
	uint32_t crc;
};
struct program_kinds {
	struct program_kind at[16];
	size_t len;
};
void program_kinds_of(const struct program *program, struct program_kinds *out);
/* Adds one without lines if there is none of this name. */
struct program_kind *program_kind(struct program_kinds *kinds, const char *name);

#endif

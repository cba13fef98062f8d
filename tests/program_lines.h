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

#endif

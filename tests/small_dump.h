#ifndef TESTS_SMALL_DUMP_H
#define TESTS_SMALL_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/session/shell.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/* Dumps that tests make, spoil and look at through a session. */

#define SMALL_DEVICE "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"

/* Writes a file below dir and makes the directories above it; "NAME/" is a directory alone. */
void dump_put(const char *dir, const char *name, const void *bytes, size_t len);
/* The same with what the file `from` holds. */
void dump_copy(const char *dir, const char *name, const char *from);

/* A part of a recording, in a directory of its own. */
enum part_kind { PART_TENSOR, PART_GRAPH, PART_INFO };
struct part {
	enum part_kind kind;
	const char *name;        /* below dir */
	const char *tensor;      /* PART_TENSOR: "linear/w:0" */
	struct str bytes;
};
#define SMALL_PARTS 8
struct small_dump {
	char *dir;
	struct part part[SMALL_PARTS];
};

/* Of testdata/linear: four tensors, the nodes below linear/, and what it says about the run. */
void small_dump_make(struct small_dump *dump);
void small_dump_remove(struct small_dump *dump);

/* A session over a directory; the test fails if it can't be opened or loaded. */
struct shell *session_of(const char *dir);
/* Appends its warnings, one a line. */
void session_warnings(struct shell *shell, struct str *out);
/* The answer as batch mode prints it; *out holds nothing else. True unless the command failed. */
bool session_ask(struct shell *shell, const char *line, struct str *out);
/* The test fails unless the command succeeds and its text has these words. */
void session_answers(struct shell *shell, const char *line, const char *words);

/*
 * The offset of the first thing that must not reach a terminal: a byte that is not UTF-8, a control
 * character other than a newline, a character that changes the direction of text; len if there is
 * none. tabs: they are allowed, as in CSV and in a tool's report.
 */
size_t unsafe_at(const char *text, size_t len, bool tabs);

#endif

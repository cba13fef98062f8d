#ifndef CMDS_FINDINGS_H
#define CMDS_FINDINGS_H

#include "cmds/session/session.h"

/* What is wrong with a dump, all of it: the rows of `doctor`. */

#define FINDING_LEVELS(X) X(DAMAGE, "damage") X(LOSS, "loss") X(DOUBT, "doubt") X(NOTE, "note")
enum finding_level {
#define X(id, word) LEVEL_##id,
	FINDING_LEVELS(X)
#undef X
	N_FINDING_LEVELS
};
extern const char *const finding_level_words[N_FINDING_LEVELS];

/* X(id, word, level, cure): what can be done about it, or what it means. */
#define FINDINGS(X) \
	X(TRUNCATED, "truncated", DAMAGE, "copy the file again; what followed is lost") \
	X(CHECKSUM, "checksum", DAMAGE, "copy the file again; this record is left out") \
	X(NOT_AN_EVENT, "not_an_event", DAMAGE, "copy the file again; it is not shown") \
	X(UNREADABLE, "unreadable", DAMAGE, "look at its permissions, its size and the disk") \
	X(EMPTY, "empty", LOSS, "copy it again; if it was empty there, nothing was written") \
	X(MISSING_TENSOR, "missing_tensor", LOSS, "") \
	X(MISSING_SHARDS, "missing_shards", LOSS, \
	  "merge all shards: without them no origin is reported") \
	X(PARTIAL_RUN, "partial_run", LOSS, "see \"ri\" for the ops that gave nothing") \
	X(RUN_WITHOUT_GRAPH, "run_without_graph", LOSS, \
	  "copy the graph's file too, or name one with --graph") \
	X(LEFT_OUT, "left_out", LOSS, \
	  "the recorder could not record this; see the reason") \
	X(WINDOW, "window", LOSS, "record with circular_buffer_size=-1") \
	X(STRANGER, "stranger", DOUBT, "it is passed over; move it away if it isn't the dump's") \
	X(CAUSALITY, "causality", DOUBT, \
	  "do not trust the order: clocks differ, or files of two runs are mixed") \
	X(UNKNOWN_NODE, "unknown_node", DOUBT, "it is of another graph: see if its run is") \
	X(CLOCK, "clock", DOUBT, "do not trust the times; counters and names give the order") \
	X(MIXED_WRITERS, "mixed_writers", DOUBT, "runs --split") \
	X(UNRESOLVED, "unresolved", DOUBT, "it was not recorded, or lost: what names it stays") \
	X(GRAPH_WITHOUT_RUN, "graph_without_run", DOUBT, \
	  "the program may have ended before it ran, or still be running") \
	X(NO_HEALTH, "no_health", NOTE, "") \
	X(NO_VALUES, "no_values", NOTE, "") \
	X(VERSION, "version", NOTE, "it is sound: a newer version of this program may read it")
enum finding_what {
#define X(id, word, level, cure) FINDING_##id,
	FINDINGS(X)
#undef X
	N_FINDINGS
};
extern const char *const finding_words[N_FINDINGS];

/* All texts are in the memory of the findings, or static; NULL: there is none. */
struct finding {
	enum finding_what what;
	enum finding_level level;
	const char *file;        /* relative to what was opened */
	const char *subject;     /* the same, shorter: a tensor, a file's name */
	const char *cause;       /* a word, of missing tensors */
	const char *text, *cure;
	const char *link;        /* a command line */
	uint64_t off;
	bool has_off;
	size_t run;              /* its number, from 1; 0: it is about all of them */
	uint64_t order;          /* rank in its level: first what is about all runs, then by run */
};

struct findings {
	VEC(struct finding) list;
	uint64_t count[N_FINDING_LEVELS];
	uint64_t files, tensors, runs;   /* that were looked at */
	bool files_unknown;              /* files is not their number: nobody kept it */
	struct arena mem;
};

void findings_release(struct findings *findings);
/* Worst first; of one level as they were found. */
void findings_sort(struct findings *findings);

/* Adds one with the level and cure of its kind; good until the next. text may be NULL. */
struct finding *finding_add(struct findings *findings, enum finding_what what, const char *text);
enum finding_what finding_of_problem(enum problem_kind kind);

/*
 * Looks at a run: its files, its graphs, what they promise. open: the run, if the caller has it
 * open; NULL: it is opened. False with ERR_CANCELLED, and what was found by then is there.
 */
bool findings_of_run(struct findings *findings, struct shell *shell, struct run_entry *entry,
                     const struct run *open, struct progress *progress, struct err *err);
/* What is wrong with the list of runs, and with what lies beside it; what a recorder left out. */
void findings_of_root(struct findings *findings, const struct shell *shell);
/* Of the i-th recorded program, from 0. */
bool findings_of_program(struct findings *findings, struct shell *shell, size_t i,
                         struct progress *progress, struct err *err);
/*
 * Looks at all that is open, and sorts the findings. The first findings->runs runs have been looked
 * at before. False with ERR_CANCELLED.
 */
bool findings_of_all(struct findings *findings, struct shell *shell, struct progress *progress,
                     struct err *err);

#endif

#ifndef CMDS_COMPLETE_PARTS_H
#define CMDS_COMPLETE_PARTS_H

#include "cmds/session/complete.h"

/* What Tab (complete.h) and the offers of the screen (offers.h) share. */
enum context {
	CONTEXT_COMMANDS, CONTEXT_WORDS, CONTEXT_TENSORS, CONTEXT_NODES, CONTEXT_FILTERS,
	CONTEXT_RUNS, CONTEXT_STEPS, CONTEXT_GRAPHS, CONTEXT_SETTINGS, CONTEXT_THEMES,
	CONTEXT_ALIASES, CONTEXT_NOTHING, N_CONTEXTS
};

/* Sorted, without repeats; made when first asked for. */
struct words_list {
	VEC(const char *) at;
	bool made;
};

/* The word before the cursor. */
struct completed_word {
	enum context context;
	size_t begin;            /* in the line, bytes */
	const struct opt *opt;   /* that it is a word of; NULL: of none */
	const char *const *words;        /* of CONTEXT_WORDS: those there are */
};
struct completed_word candidates_word(const struct candidates *c, const char *line, size_t cursor);
/* Good until the next call. Tensors, nodes and steps may be many: then this takes long. */
const struct words_list *candidates_list(struct candidates *c, const struct completed_word *word);

const struct offered *candidates_offered(const struct candidates *c);

#endif

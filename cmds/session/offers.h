#ifndef CMDS_OFFERS_H
#define CMDS_OFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/session/shell.h"
#include "dump/base/vec.h"

/*
 * What may stand at the word before the cursor, for whoever goes through all of it a slice at a
 * time: commands, then words and options, nodes, tensors, runs or steps. Nothing is listed or
 * sorted beforehand, nothing is read: however many there are, the first costs no more than the
 * last.
 *
 * A line that goes on in a pipe or a file is offered nothing there.
 */
enum offer_kind {
	OFFER_COMMAND /* an alias, too */, OFFER_OPTION, OFFER_WORD, OFFER_NODE, OFFER_TENSOR,
	OFFER_RUN, OFFER_STEP, N_OFFER_KINDS
};

/* n of one kind, one after the other. */
struct offers_part {
	enum offer_kind kind;
	uint64_t n;
	const void *of;          /* whose they are; private */
};
struct offers {
	size_t word_begin;       /* in the line, bytes */
	bool begins_line;        /* it is the first word: what names a thing stands for a command */
	VEC(struct offers_part) parts;
	const void *offered;     /* private */
};

/*
 * Only while no command runs; good until one does. Start with {0}; what was there before goes.
 */
void offers_at(struct shell *shell, const char *line, size_t cursor, struct offers *out);
void offers_release(struct offers *offers);

/*
 * The name of one, as it is typed, into name->text; what was there goes. False: it is none, or one
 * that was there before. Commands and options may have two names: *alias, else NULL, is good as
 * long as *name; alias may be NULL.
 */
bool offers_name(const struct offers *offers, size_t part, uint64_t i, struct str *name,
                 const char **alias);
/* What there is to say about it in a line, appended: "node  MatMul". */
void offers_tell(const struct offers *offers, size_t part, uint64_t i, struct str *out);
/* What stands before its name where it begins the line: "ni "; "" otherwise. */
const char *offers_before(const struct offers *offers, size_t part);
/* A command that can't do without another word. */
bool offers_wants_more(const struct offers *offers, size_t part, uint64_t i);

#endif

#ifndef CMDS_SUGGEST_H
#define CMDS_SUGGEST_H

#include "cmds/session/session.h"

/*
 * What a word that names nothing may have been meant to be. Near is a name that differs in case,
 * in a letter or two, or two that changed places; one that ends with the word after a slash; one
 * that lies below it. The answer itself stays what it is: what is said here goes to standard
 * error, on a screen to the toast.
 */

enum { SUGGESTED_MAX = 3 };
struct suggest {
	const char *word;
	size_t n;
	struct {
		const char *name;
		unsigned distance;
	} best[SUGGESTED_MAX];           /* the nearest first */
};

/* names have to live until suggest_say. */
void suggest_try(struct suggest *suggest, const char *name);
/* "WORD: did you mean a, b or c?"; false: nothing was near. */
bool suggest_say(struct call *call, const struct suggest *suggest);

void suggest_command(struct call *call, const char *word);
void suggest_filter(struct call *call, const char *word);
/* Of the graphs of the run; and why a node of the program may be in none of them. */
void suggest_node(struct call *call, const char *word);
/* Of any graphs; false: nothing was near. */
bool suggest_in_graphs(struct call *call, struct graph *const *graphs, size_t n, const char *word);
/* Of those that were dumped. */
void suggest_tensor(struct call *call, const char *word);

#endif

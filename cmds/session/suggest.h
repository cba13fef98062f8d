#ifndef CMDS_SUGGEST_H
#define CMDS_SUGGEST_H

#include "cmds/session/session.h"

/*
 * Suggestions for a word that names nothing. A name is near if it differs in case, in a letter or
 * two, or in two swapped letters; if it ends with the word after a slash; or if it lies below the
 * word. The answer itself does not change: suggestions go to standard error, or to the screen's
 * toast.
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
/* "a, b or c"; false: nothing was near. */
bool suggest_put(const struct suggest *suggest, struct str *out);
/* "WORD: did you mean a, b or c?"; false: nothing was near. */
bool suggest_say(struct call *call, const struct suggest *suggest);

void suggest_command(struct call *call, const char *word);
void suggest_filter(struct call *call, const char *word);
/* From the run's graphs; also says why a node of the program may be in none of them. */
void suggest_node(struct call *call, const char *word);
/* From any graphs; false: nothing was near. */
bool suggest_in_graphs(struct call *call, struct graph *const *graphs, size_t n, const char *word);
/* From the nodes with dumps. */
void suggest_tensor(struct call *call, const char *word);

#endif

#ifndef CMDS_RUN_SEARCH_H
#define CMDS_RUN_SEARCH_H

#include "cmds/doc/visible.h"
#include "cmds/session/session.h"

/*
 * Looks through runs, one after the other, for the first that a filter stops at: a tensor of it
 * passes. Two threads test runs; what comes out is what one would have found.
 */
struct run_search {
	const struct named_filter *filter;      /* NULL: only runs that look cut short stop it */
	const char *exclude;             /* nodes whose name matches are passed over; NULL: none */
	struct visible_words visible;
	bool through_hits;               /* nothing stops it: every run is tested */
	bool through_partial;            /* a run that looks cut short does not stop it */
	size_t from, to;                 /* positions; to < from: backward. Both are looked at */
};

/* A run that could not be asked in full. */
struct run_trouble {
	size_t position;
	uint64_t unreadable;             /* tensors; 0: the run itself, or it was cut short */
	size_t files;                    /* beside them: graphs, what it fetched and was fed */
	bool partial, gone;
};

struct search_result {
	struct run_entry *stop;          /* the run it stopped at; NULL: none */
	bool hit;                        /* a tensor passed there; else it looks cut short */
	struct hit first;                /* if so */
	struct run_entry *last;          /* the last tested; all before it were too; NULL: none */
	bool cancelled;
	uint64_t runs, tensors, bytes, unreadable;       /* tested */
	VEC(struct run_trouble) troubles;
	struct run *run;                 /* of stop, loaded; who takes it sets it NULL */
	unsigned char *verdicts;         /* of its tensors; the same */
	struct arena mem;
};

/* False with *err: a pattern is bad or too costly. Results on whole runs go to shell->hits. */
bool run_search(struct shell *shell, const struct run_search *search, struct progress *progress,
                struct search_result *out, struct err *err);
void search_result_release(struct search_result *result);

/* "Run #2 has 3 unreadable tensors" */
void search_put_trouble(struct str *out, const struct run_trouble *trouble);

#endif

#ifndef CMDS_RUN_SEARCH_H
#define CMDS_RUN_SEARCH_H

#include "cmds/doc/visible.h"
#include "cmds/session/session.h"

/*
 * Looks through runs in order for the first one with a tensor that passes a filter. Two threads
 * test runs; the result is the one a single thread would find.
 */
struct run_search {
	const struct named_filter *filter;      /* NULL: stop only at a run that looks cut short */
	const char *exclude;             /* a regex: nodes it matches are skipped; NULL: none */
	struct visible_words visible;
	bool through_hits;               /* do not stop: test every run */
	bool through_partial;            /* do not stop at a run that looks cut short */
	size_t from, to;                 /* positions, both included; to < from: backward */
};

/* A run that could not be tested in full. */
struct run_trouble {
	const struct run_entry *entry;
	uint64_t unreadable;             /* tensors; 0: the run itself is, or it was cut short */
	size_t files;                    /* other unreadable files: graphs, fetches, feeds */
	bool partial;
	const char *broken;              /* NULL; or why the run itself could not be read */
};

struct search_result {
	struct run_entry *stop;          /* the run it stopped at; NULL: none */
	bool hit;                        /* a tensor of it passed; else it looks cut short */
	struct hit first;                /* if hit */
	struct run_entry *last;          /* all up to this were tested; NULL: none was */
	bool cancelled;
	uint64_t runs, tensors, bytes, unreadable;       /* tested */
	VEC(struct run_trouble) troubles;
	struct run *run;                 /* stop, loaded; to take it over, set it to NULL here */
	unsigned char *verdicts;         /* of its tensors; taken over the same way */
	struct arena mem;
};

/* False with *err: a pattern is bad or too costly. Results of whole runs go to shell->hits. */
bool run_search(struct shell *shell, const struct run_search *search, struct progress *progress,
                struct search_result *out, struct err *err);
void search_result_release(struct search_result *result);

/* "Run #2 has 3 unreadable tensors", "Run #3 could not be read: FILE, offset 0: ..." */
void search_put_trouble(struct str *out, const struct run_trouble *trouble);

#endif

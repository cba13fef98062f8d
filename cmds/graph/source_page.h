#ifndef CMDS_SOURCE_PAGE_H
#define CMDS_SOURCE_PAGE_H

#include "cmds/graph/source.h"
#include "dump/base/vec.h"

/*
 * A source file, with what its lines made below each of them. Who recorded that fills in the lines
 * and the elements, and says how an element shows and what a typed row is.
 */
enum { PAGE_TENSORS, PAGE_MAX, PAGE_BEGIN, N_SOURCE_PAGE_OPTS };
#define SOURCE_PAGE_OPTS \
	[PAGE_TENSORS] = { OPT_FLAG, "t", "tensors", "name dumped tensors instead of ops" }, \
	[PAGE_MAX] = { OPT_INT, "m", "max_elements_per_line", \
	               "at most this many names for a line (10)" }, \
	[PAGE_BEGIN] = { OPT_INT, "b", "line_begin", "the first line to print (1)" }
#define SOURCE_PATH_POS \
	{ "source_file_path", \
	  "the source file; the end of its path is enough if it fits one file only", false }

struct source_line {
	const char *text;
	size_t len;
};

/* Something that lines may have made. */
struct source_element {
	const char *text;
	const uint32_t *calls;   /* on the way to it: n positions among the places */
	uint32_t n;
	uint32_t kind;           /* of page->kinds */
	uint32_t what;           /* its number, for the owner */
	uint32_t count;          /* of what is wrong with it */
};

struct source_page {
	VEC(struct source_line) lines;
	/* In the order in which a line has them, those of a kind together. */
	VEC(struct source_element) elements;
	/* "op(s)": so it is said how many of a kind are left out. NULL: they are only typed. */
	const char *const *kinds;
	bool of_tensors;                 /* they are tensors (-t) */
	bool once;                       /* an element is named once at a line */
	bool adds_up;                    /* a line has the sum of the counts of what it made */
	const char *host;                /* of --host in links; NULL: none */
	/* Shows the text of an element, with its link. */
	void (*put)(struct call *call, const struct source_page *page,
	            const struct source_element *element);
	/* Keys of the typed row of a line, from 1; source_page_made has what it made. */
	void (*put_keys)(const struct source_page *page, size_t line, struct data *data);
	const void *owner;
	/* Private: of line i, from 0: [start[i], start[i + 1]) in at. */
	size_t *start;
	uint32_t *at;
};

struct source_page *source_page_new(struct doc *doc);    /* the document has it */
/* Cuts a text into lines, which it goes on using. */
void source_page_cut(struct source_page *page, const char *text, size_t len);

/* Puts the answer. The elements are dealt out to the lines of this file among the places. */
void source_page_put(struct call *call, struct source_page *page,
                     const struct source_place *places, uint32_t file);
/* "  !3", or nothing */
void source_put_count(struct call *call, uint64_t count);
/* Positions in page->elements: what a line made, from 1. */
const uint32_t *source_page_made(const struct source_page *page, size_t line, size_t *n);

/*
 * The answers to a path that fits several files ("ERROR: "ops.py" is the end of 2 paths. Choose
 * one:" and a linked line for each), and to one that fits none: call->err, and what was meant.
 */
void source_put_choice(struct call *call, const struct source_paths *paths, const char *typed,
                       size_t fits);
void source_put_unknown(struct call *call, const struct source_paths *paths, const char *typed);
/* The answer that there is no text, and what would help. The name is as in source_put_advice. */
void source_put_missing(struct call *call, const char *path, const char *recorded);

#endif

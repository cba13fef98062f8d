#ifndef DUMP_ORIGIN_PARTS_H
#define DUMP_ORIGIN_PARTS_H

#include "dump/base/map.h"
#include "dump/model/origin_finder.h"
#include "dump/model/origin_run.h"

/* What origin_finder.c and origin_rows.c share. Nobody else includes it. */

#define BAD_NONE UINT32_MAX

/* A bad tensor, or a bad Const of a graph. It is known by its place in finder->bad. */
struct bad {
	int64_t time_us;                 /* -1: of a Const */
	struct bad_counts counts;
	uint32_t run, exec, slot;
	uint32_t node, op, device;       /* finder->names */
	uint32_t parents;                /* the first one in finder->parents; they lie together */
	uint32_t absorbers;              /* the same in finder->absorbers */
	uint32_t n_parents, n_absorbers;
	unsigned reach;
	bool is_flow;                    /* of a TensorArray */
	bool is_sum;                     /* no tensor: it stands for its parents */
};

struct absorber {
	uint32_t node;                   /* finder->names */
	bool masks;                      /* it is a softmax, or what one is made of */
};

/* An origin while it is being found: a row, and what it was made of. */
struct found {
	struct origin_row row;
	VEC(uint32_t) members;           /* in finder->bad: its own; what it spreads to is theirs */
	size_t n_own;                    /* of them before others were folded into it */
	int64_t time_us;                 /* of the first member */
	bool of_gradient, is_flow, is_const;
	bool is_blind;                   /* no graph has its node: who takes it is not known */
	VEC(uint32_t) forwards;          /* names of forward nodes, of it and of its gap */
	size_t folded_into;              /* in finder->found, from 1; 0: it is a row of its own */
};

/* Of a variable, by its name. */
struct variable_state {
	uint32_t bad;                    /* what left it bad in an earlier run; BAD_NONE */
	bool known;                      /* a run had writers of it */
	VEC(uint32_t) writers;           /* of the last such run: those without a dump of it */
	VEC(uint32_t) unread;            /* of them: those whose dump may be there, unreadable */
};

struct origin_finder {
	bool single;
	struct map names;
	VEC(struct bad) bad;
	VEC(uint32_t) parents;
	VEC(struct absorber) absorbers;
	struct map found_of;             /* "device\nnode" */
	VEC(struct found) found;
	struct map variable_of;          /* names of variables */
	VEC(struct variable_state) variables;
	uint32_t last_run;               /* the run before this one; 0: there was none */
	VEC(struct origin_graph *) graphs;       /* of the last runs */
	struct err graph_fault;          /* the first of a graph that could not be read again */
	uint64_t tensors, judged;        /* judged: something is known of them */
	uint32_t first_bad_run;
	uint64_t n_bad;                  /* without constants */
	bool many_devices;
	struct map unjudged;             /* debug ops that say nothing of NaN and Inf */
	struct arena mem;
};

/* The row of an origin; its first member makes it. */
struct found *origin_found(struct origin_finder *finder, uint32_t bad);

#endif

#ifndef DUMP_ORIGIN_RUN_H
#define DUMP_ORIGIN_RUN_H

#include "dump/model/origin_graph.h"
#include "dump/model/origin_value.h"
#include "dump/model/run.h"

/*
 * One run while origins are looked for in it: which dumps went into which, and where a bad one
 * goes. Serves one thread.
 */
struct origin_run {
	const struct run *run;
	const struct origin_health *health;      /* by tensor */
	size_t n_devices;
	struct origin_device *devices;   /* by run->devices */
	struct map fetched;              /* "node:slot" */
	VEC(struct origin_step) stack;   /* private, as is the rest */
	uint32_t seen;
	struct arena mem;
};

/* The bad dumps of an output of a node, by time. */
struct origin_pool {
	uint32_t slot;
	uint32_t *at;            /* in run->tensors */
	size_t n;
	VEC(uint32_t) sums;      /* the finder's: what stands for the first, the first two, ... */
	struct origin_pool *next;        /* private: of another slot */
};

struct origin_device {
	struct origin_graph *graph;      /* NULL: there is none, or it can't be read */
	uint32_t *dumps_of;              /* of a node of the graph: in run->nodes, from 1 */
	uint32_t *node_of;               /* of a name in run->nodes: in the graph; GRAPH_NONE */
	unsigned char *has_bad;          /* a dump of this node is bad */
	uint32_t *seen[2];               /* private: of walks */
	struct origin_pool **pool_of;    /* private, by node: those that were asked for */
};

/* run, health and graphs (one for each device, or NULL) are borrowed. */
void origin_run_init(struct origin_run *r, const struct run *run,
                     const struct origin_health *health, struct origin_graph **graphs);
void origin_run_release(struct origin_run *r);

/* The node of a tensor in its device's graph; GRAPH_NONE. */
uint32_t origin_node_of(const struct origin_run *r, uint32_t at);
static inline bool origin_is_bad(const struct origin_run *r, uint32_t at)
{
	return counts_are_bad(&r->health[at].counts);
}

/* A dump, or an undumped Const. */
struct origin_source {
	bool is_const;
	uint16_t device;
	uint32_t at;             /* in run->tensors; of a Const the node */
};

/* An operation that was not dumped; node GRAPH_NONE: the graph does not have it. */
struct origin_missing {
	const char *name;
	uint16_t device;
	uint32_t node;
};

/* So many bad dumps of an output, the first ones: a loop may have made very many. */
struct origin_many {
	struct origin_pool *pool;
	size_t n;
};

/* What went into an operation when it ran. Start with {0}. */
struct origin_feeds {
	VEC(struct origin_source) bad;
	VEC(struct origin_many) many;            /* further ones */
	VEC(struct origin_missing) gap;          /* some may be there twice */
	size_t n;                        /* dumps and constants, bad or not */
	struct origin_source last;       /* of them */
};
void origin_feeds_release(struct origin_feeds *feeds);

/* Of a dump. */
void origin_feeds_of(struct origin_run *r, uint32_t at, struct origin_feeds *out);
/*
 * The inputs of a node at the time of a dump, for the rules: an input is known if it is made of one
 * dump. Returns how many were filled in, at most max.
 */
size_t origin_inputs_at(struct origin_run *r, uint16_t device, uint32_t node, uint32_t at,
                        struct origin_input *in, size_t max);

/* Where a bad value goes. */
struct origin_end {
	uint16_t device;
	uint32_t node;
};
struct origin_ends {
	unsigned reach;          /* bits, dump/model/origins.h */
	VEC(struct origin_end) absorbers;        /* what took it and came out clean */
};
void origin_ends_of(struct origin_run *r, uint16_t device, uint32_t node, uint32_t slot,
                    struct origin_ends *out);

/* Is a dump of the node there? slot -1: of any output. */
bool origin_has_dumps(const struct origin_run *r, uint16_t device, uint32_t node, int slot);
/* Is a dump of it there that can't be read, or may one be? */
bool origin_is_unread(const struct origin_run *r, uint16_t device, const char *node);

#endif

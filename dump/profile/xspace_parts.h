#ifndef DUMP_XSPACE_PARTS_H
#define DUMP_XSPACE_PARTS_H

#include "dump/base/str.h"
#include "dump/base/text.h"
#include "dump/format/wire.h"
#include "dump/profile/xspace.h"

/*
 * Shared by xspace.c (planes, lines, events: records), xspace_names.c (what the events and stats of
 * a plane are called) and xspace_text.c (what their texts say); nobody else includes it.
 */

/* What the stats of an event say, as far as a record shows it. */
struct said {
	int64_t correlation;             /* TRACE_NO_ID: nothing */
	int64_t bytes;                   /* of a copy; -1: nothing */
	int64_t step;
	int64_t start_ns;                /* of the session, since 1970 */
	uint32_t node, op;               /* all.names; node MAP_NONE: nothing */
	uint32_t hlo;                    /* hlo_op alone, whatever else names an op; likewise */
	uint32_t launch;                 /* all.names; MAP_NONE: nothing */
	uint8_t node_from;               /* enum stat_kind that said so; a larger one wins */
	bool is_kernel, is_copy, is_memory, has_step;
	double flops, accessed;          /* float operations, bytes of memory; -1: nothing */
	double occupancy;                /* percent; -1: nothing */
	uint32_t allocator;              /* all.names; MAP_NONE: nothing */
	struct trace_memory_event memory;
	struct trace_peak peak;          /* of a device */
};
extern const struct said said_nothing;

/* Stats that matter. Of those that name an op the later one wins. */
enum stat_kind {
	STAT_OTHER, STAT_HLO_OP, STAT_ANNOTATION, STAT_TF_OP, STAT_KERNEL, STAT_MEMCPY, STAT_MEMSET,
	STAT_MEMORY, STAT_CORRELATION, STAT_STEP, STAT_START,
	STAT_FLOPS, STAT_ACCESSED, STAT_OCCUPANCY, STAT_ALLOCATOR, STAT_SIZE, STAT_IN_USE,
	STAT_RESERVED, STAT_ADDRESS, STAT_FRAGMENTATION, STAT_DTYPE, STAT_SHAPE,
	STAT_PEAK_TERAFLOPS, STAT_PEAK_GIGABYTES, STAT_BANDWIDTH
};

enum event_kind {
	EVENT_OTHER, EVENT_OP, EVENT_ITERATOR, EVENT_COPY, EVENT_ALLOCATION, EVENT_DEALLOCATION
};

/* What a name begins with. Its text is read when a record needs it. */
struct xspace_name {
	int64_t id;
	struct span text;
};

/* A kind of event. */
struct event_name {
	struct xspace_name name;
	struct span display;             /* a shorter name; empty: it has none */
	uint32_t raw;                    /* all.names; MAP_NONE: not read yet */
	uint32_t node, op;               /* of EVENT_OP and EVENT_ITERATOR, likewise */
	uint32_t said;                   /* plane->said.at[said - 1]; 0: nothing */
	uint8_t kind;                    /* enum event_kind */
	uint8_t part;                    /* enum time_part: of the host */
};

/* A kind of stat, or a text that stats refer to: then what was read in it, once. */
struct stat_name {
	struct xspace_name name;
	uint32_t node, op, launch;
	int64_t bytes;
	uint8_t stat;                    /* enum stat_kind that it is the name of */
	uint8_t read_as;                 /* enum stat_kind; STAT_OTHER: not read yet */
};

enum plane_kind { PLANE_OTHER, PLANE_GPU, PLANE_TPU, PLANE_HOST, PLANE_HOST_CALLS };

struct plane {
	enum plane_kind kind;
	struct span span;
	VEC(struct event_name) events;   /* by id */
	VEC(struct stat_name) stats;     /* by id */
	VEC(struct said) said;
	uint32_t device;                 /* all.devices */
};

struct loading {
	struct trace *trace;
	struct file *file;
	struct file names;               /* the same, for texts that lie elsewhere than events */
	struct progress *progress;
	struct plane plane;              /* the one being read */
	struct err damage;               /* the first */
	uint32_t n_planes;
	uint32_t *slot;                  /* all.at.at[slot - 1], by correlation; 0: free */
	size_t n_slots;                  /* a power of two */
	int64_t shift_ns;                /* from this file's times to the trace's */
	struct str scratch;
	struct err found;                /* the latest; here, as clearing one each time is slow */
	bool stopped;
	bool cut;                        /* what is left of the file could not be read */
};

void xspace_note_damage(struct loading *l);      /* l->found, if it is the first */

/* xspace_names.c: the kinds of events and stats of l->plane, and what a stat says. */
void xspace_read_names(struct loading *l);
void xspace_forget_names(struct loading *l);
struct event_name *xspace_event_name(struct loading *l, int64_t id);     /* NULL: not in the file */
/* Adds what a stat at a place in l->file says. False: it can't be read (l->found). */
bool xspace_hear(struct loading *l, struct span stat, struct said *said);
/* What the event says wins over what its kind says. */
void xspace_merge(struct said *said, const struct said *kind);
/* The name of an event as the file has it; then name->node and op are known too. */
uint32_t xspace_raw_name(struct loading *l, struct event_name *name);

/* xspace_text.c: texts of stats and names. */

enum stat_kind stat_of_name(struct text name);
/* "a/b:MatMul": its node, which may be empty, and its type, "" if it says none. */
void split_op(struct text text, struct text *node, struct text *type);
/* The innermost frame of an annotation that has a name: "a:A#k=v#::b:B" gives "b:B". */
struct text innermost_frame(struct text annotation);
/*
 * "regs:32 static_shared:0 dynamic_shared:64 grid:8,1,1 ..." as "regs:32 shm:64 grid:8,1,1
 * block:64,1,1 occ_pct:50"; what isn't said is left out, an empty text says nothing.
 */
void put_launch_of(struct str *out, struct text details);
int64_t bytes_of_copy(struct text details);              /* -1: not said */
enum event_kind host_event_kind(struct text name);

#endif

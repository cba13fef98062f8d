#ifndef DUMP_STEP_H
#define DUMP_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/text.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"
#include "dump/model/device.h"

/*
 * One traced step as every command sees it, whatever wrote the trace (dump/profile/step_source.h):
 * 56 bytes a record, names interned, times packed. Long or rarely used parts (labels, memory,
 * outputs) are read again from the file through a detail_reader; records are in file order, so
 * reading them all in turn is one pass.
 * These may be unknown: a device or a name (""), nanos and queue (has_ns, has_queue), and every
 * detail.
 */

/* What one device did. Two of one device are two lanes. */
struct lane {
	const char *device;              /* "" if the file gives none */
	enum lane_kind kind;
	size_t first, n;                 /* step->records.at[first .. first + n) */
};

/* One op, kernel or copy. The place is its source's; times come from step_times(). */
struct record {
	uint64_t off;                    /* private: where the file has it */
	uint32_t len;
	uint32_t name;                   /* step->names.key[name] */
	uint32_t lane;
	int64_t start_us;
	/* Private, as all that follows. */
	int32_t rel_us[3];               /* op_start, op_end, all_end; see step_times.c */
	int16_t beyond_ns[3], start_ns;
	int32_t queue_ns;
};

/*
 * The times of a record, signed and unclamped as in the file: start is absolute, the rest relative
 * to it. Micros and nanos are two families that may differ by 1 us: never mix them in one sum.
 *   has_ns    all_start_nanos is not 0; else the nanos are as in the file (normally 0)
 *   has_queue queue_ns = all_start - scheduled is plausible (after undoing the damage that
 *             TensorFlow 1.15 does to scheduled)
 */
struct record_times {
	int64_t all_start_us, op_start_us, op_end_us, all_end_us;
	int64_t all_start_ns, op_start_ns, op_end_ns, all_end_ns;
	int64_t queue_ns;
	bool has_ns, has_queue;
};

struct step_source;
struct step_teller;
struct trace;

/*
 * Where a step begins and ends: over the records that are neither HOST nor GPU_OTHER nor impossible
 * (all_start <= 0 or beyond 64 bits in ns, negative length, longer than a day, more than a day from
 * the median start).
 */
struct extent {
	int64_t start_us, end_us;
	int64_t span_ns;
	int64_t median_start_us;         /* the lower one, of all possible starts; 0: none */
	size_t n_impossible;             /* over all lanes but HOST and GPU_OTHER */
};

struct step {
	const char *path;                /* what is opened */
	const char *file;                /* what is shown */
	const char *label;               /* "3", or a name */
	int64_t number;                  /* of the step; the index if the names give none */
	const struct step_source *source;        /* reads the file */
	/*
	 * Not NULL: the step is one of a trace (dump/profile/trace.h), always loaded. It has no
	 * records, and nothing of its file is read again.
	 */
	const struct trace *trace;
	uint32_t trace_step;             /* which; or TRACE_WHOLE: it has none, and is all */
	struct extent trace_extent;
	bool loaded;
	struct file_stamp stamp;         /* of the file as loaded: offsets are valid for it */
	bool times_only;                 /* only the times are wanted: names are skipped */
	struct step_teller *teller;      /* private: of step_tell */
	struct map names;                /* names.key[record->name]; of this step alone */
	VEC(struct lane) lanes;          /* in file order */
	VEC(struct record) records;      /* in file order, so by lane */
	VEC(struct record_times) wide;   /* private: times that do not fit a record */
	VEC(struct span) graphs;         /* GraphDefs in the file, in its order: for graph_open */
	struct err damage;               /* the first damage; sound data around it is kept */
	struct arena mem;
};

/*
 * Reads the file of a step (path and source are set). Meanwhile the progress tick may look at
 * step->records and lanes (same thread). False after a cancel, or if nothing could be read; the
 * step is then empty again. A loaded step does not change until step_release, and any thread may
 * read it.
 */
bool step_load(struct step *step, struct progress *progress, struct err *err);
void step_release(struct step *step);

static inline const char *record_name(const struct step *step, const struct record *record)
{
	return step->names.key[record->name];
}

struct record_times step_times(const struct step *step, const struct record *record);

/* Is it all of a trace in which no steps are marked? */
bool step_is_trace(const struct step *step);

/* False: no record is possible. */
bool step_extent(const struct step *step, struct extent *extent);
bool record_is_impossible(const struct record_times *times, int64_t median_start_us);

/* Parts of a record that are read again from the file. */
struct allocation_record {
	int64_t alloc_us, bytes;
};

struct allocator_use {
	const char *allocator;
	int64_t total, peak, live, in_use;       /* bytes; in_use: allocator_bytes_in_use */
	const struct allocation_record *records;
	size_t n_records;
};

struct allocation {
	const char *allocator;
	int64_t requested, allocated, id;
	uint64_t ptr;
	bool single_reference;
};

struct node_output {
	int32_t slot;
	int32_t dtype;                           /* as in the file: DT_FLOAT is 1 */
	bool has_description, has_shape, unknown_rank, has_allocation;
	const int64_t *dims;
	size_t rank;
	struct allocation allocation;
};

struct record_detail {
	const char *label;                       /* see dump/profile/label.h; NUL bytes are '?' */
	size_t label_len;
	const struct allocator_use *memory;
	size_t n_memory;
	const struct node_output *outputs;
	size_t n_outputs;
	int64_t temp, persistent;                /* bytes besides those of allocators */
};

/*
 * Opens the file of a step once for many records. detail_read fills reader->detail with what is
 * wanted, and it and all it points to are good until the next call. On false (*err set) the detail
 * holds what was read before the damage.
 */
enum detail_want {
	DETAIL_LABEL = 1, DETAIL_MEMORY = 2, DETAIL_OUTPUTS = 4,
	DETAIL_CHANGES = 8,              /* memory: its allocation_records */
	DETAIL_SHAPES = 16,              /* outputs: their shapes */
	DETAIL_ALL = 31
};

struct detail_reader {
	const struct step *step;
	struct file file;
	struct record_detail detail;
	struct detail_store *store;              /* the source's */
};

bool detail_open(struct detail_reader *reader, const struct step *step, struct err *err);
bool detail_read(struct detail_reader *reader, const struct record *record, unsigned want,
                 struct err *err);
/*
 * Only the label: most callers need no more. "" if the record has none; NULL with *err, and *len 0.
 */
const char *detail_label(struct detail_reader *reader, const struct record *record, size_t *len,
                         struct err *err);
void detail_close(struct detail_reader *reader);

/*
 * step_load that keeps no record: each is reported as it is read, with its name, and the reader can
 * give its details; its lane is the last one. For sums over more than fits into memory.
 */
struct step_teller {
	void (*take)(struct step_teller *teller, const struct record *record, struct text name);
	struct detail_reader reader;
	struct str name;                         /* private */
};
bool step_tell(struct step *step, struct step_teller *teller, struct progress *progress,
               struct err *err);

/* Bytes it requested from all allocators; wraps around if a file's numbers are absurd. */
int64_t detail_requested(const struct record_detail *detail);

#endif

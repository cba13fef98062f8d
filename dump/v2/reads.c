/*
 * What is read from files after a program was opened: tensors, their health, lines of sources. The
 * model has the places of their records, which are read again.
 */
#include "dump/v2/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/model/program_parts.h"
#include "dump/model/tensor_proto.h"
#include "dump/model/value.h"
#include "dump/v2/tally.h"
#include "dump/v2/v2.h"

#define HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define ELEMENTS 4096            /* typed values read at a time */

/* Opens the file of a place, which needs so many bytes; the last one stays open. */
static bool open_at(struct program_reads *reads, const struct program_place *at, uint64_t len,
                    struct err *err)
{
	uint64_t end = at->off + len;

	if (reads->path && reads->set == at->set && reads->kind == at->file &&
	    reads->generation == reads->program->generation && reads->file.size >= end)
		return true;
	program_reads_release(reads);
	reads->generation = reads->program->generation;
	reads->path = v2_path(reads->program, at->set, at->file);
	reads->set = at->set;
	reads->kind = at->file;
	if (file_open(&reads->file, reads->path, err))
		return true;
	free(reads->path);
	reads->path = NULL;
	return false;
}

/* The event in the record at a place. */
static bool event_at(struct program_reads *reads, const struct program_place *at, uint64_t len,
                     enum event_what what, struct event *event, struct err *err)
{
	struct span payload = { at->off + TFRECORD_HEAD, len };

	if (!open_at(reads, at, len + TFRECORD_FRAME, err) ||
	    !event_read(&reads->file, payload, event, err))
		return false;
	return event->what == what ||
	       err_at(err, ERR_FORMAT, reads->file.path, at->off,
	              "the record that was here is another one now");
}

/* The TensorProto, as a range of the file that is then open; empty: nothing is stored. */
static bool tensor_at(struct program_reads *reads, const struct program_tensor *tensor,
                      struct span *span, struct err *err)
{
	const struct program *program = reads->program;
	struct program_place at = program_where(program, tensor);
	const struct program_entry *entry;
	struct event_trace trace;
	struct event event;

	*span = (struct span){0};
	if (tensor->trace == PROGRAM_NONE) {
		entry = program_entry(program, tensor);
		if (!entry || !entry->size_bytes)
			return true;
		*span = (struct span){ entry->off, entry->size_bytes };
		at.off = entry->off;
		return open_at(reads, &at, span->len, err);
	}
	if (!event_at(reads, &at, program->traces.at[tensor->trace].len, EVENT_TRACE, &event,
	              err) || !event_trace(&reads->file, event.body, &trace, err))
		return false;
	*span = trace.tensor;
	return true;
}

static bool go_on(struct progress *progress, const char *path, struct err *err)
{
	return !progress_cancelled(progress) ||
	       err_at(err, ERR_CANCELLED, path, 0, "stopped");
}

/* Counts elements that are stored as raw bytes. */
static bool tally_content(struct file *file, struct span content, const struct dtype_info *type,
                          struct health *health, struct progress *progress, struct err *err)
{
	size_t size = type->elem_bytes, n;
	const unsigned char *at;

	for (uint64_t done = 0; done < content.len; done += n) {
		if (!go_on(progress, file->path, err))
			return false;
		at = file_some(file, content.off + done, &n, err);
		if (at && n < size)
			at = file_bytes(file, content.off + done, n = size, err);
		if (!at)
			return false;
		if (n > content.len - done)
			n = (size_t)(content.len - done);
		n -= n % size;
		tally(type, at, n / size, health);
	}
	return true;
}

/* Adds n times the counts of `one`. */
static void add_times(struct health *health, const struct health *one, uint64_t n)
{
	health->nan += n * one->nan;
	health->neg_inf += n * one->neg_inf;
	health->pos_inf += n * one->pos_inf;
	health->negative += n * one->negative;
	health->zero += n * one->zero;
	health->positive += n * one->positive;
}

/*
 * Counts any other elements. Only `stored` of them are in the file; all after these equal the last
 * one, and may be too many to be counted one by one.
 */
static bool tally_value(struct value *value, uint64_t stored, struct health *health,
                        struct progress *progress, struct err *err)
{
	uint64_t n = value->count < stored ? value->count : stored;
	struct health last = {0};
	size_t len;
	union {
		unsigned char bytes[ELEMENTS * 16];
		double align;
	} block;

	for (uint64_t i = 0; i < n; i += len) {
		len = n - i < ELEMENTS ? (size_t)(n - i) : ELEMENTS;
		if (!go_on(progress, value->path, err) ||
		    !value_read(value, i, len, block.bytes, err))
			return false;
		tally(value->type, block.bytes, len, health);
	}
	if (n == value->count)
		return true;
	if (!value_read(value, value->count - 1, 1, block.bytes, err))
		return false;
	tally(value->type, block.bytes, 1, &last);
	add_times(health, &last, value->count - n);
	return true;
}

static bool tally_span(const char *path, struct span span, struct health *health,
                       struct progress *progress, struct err *err)
{
	struct value *value = value_open_proto(path, span.off, span.len, true, err);
	bool ok = value && tally_value(value, span.len, health, progress, err);

	value_close(value);
	return ok;
}

/* Fills in dtype, shape and size, not the counts. */
static bool tell_proto(const struct tensor_proto *proto, const struct file *file,
                       struct health *health, struct err *err)
{
	health->dtype = proto->dtype <= UINT32_MAX ? (uint32_t)proto->dtype : 0;
	health->rank = proto->shape.rank;
	health->shape = proto->shape;
	if (!shape_count(&proto->shape, &health->size))
		return err_at(err, ERR_FORMAT, file->path, proto->shape_off,
		              "a dimension is negative or too large");
	health->known = HEALTH_DTYPE | HEALTH_RANK | HEALTH_SHAPE | HEALTH_SIZE;
	return true;
}

static bool tally_proto(struct file *file, const struct tensor_proto *proto,
                        struct health *health, struct progress *progress, struct err *err)
{
	const struct dtype_info *type = dtype_on_wire(proto->dtype);
	uint64_t bytes;
	bool ok = true;

	if (!type || type->kind == KIND_OPAQUE)
		return true;
	if (type->kind != KIND_STRING && type->kind != KIND_BOOL && health->size) {
		if (!HOST_IS_BIG_ENDIAN && proto->content.len &&
		    !__builtin_mul_overflow(health->size, type->elem_bytes, &bytes) &&
		    bytes == proto->content.len)
			ok = tally_content(file, proto->content, type, health, progress, err);
		else
			ok = tally_span(file->path, proto->piece[0], health, progress, err);
	}
	if (!ok)
		return false;
	health->known |= HEALTH_BAD | HEALTH_COUNTS | HEALTH_SIGNS;
	health->bad = health->nan || health->neg_inf || health->pos_inf;
	return true;
}

/* The health of a tensor that is stored as a whole. */
static bool whole_health(struct file *file, struct span span, struct health *health,
                         struct progress *progress, struct err *err)
{
	struct tensor_proto proto = { .piece[0] = span, .n_pieces = 1 };
	bool ok = tensor_proto_read(file, &proto, err);

	if (ok && proto.dtype)
		ok = tell_proto(&proto, file, health, err) &&
		     tally_proto(file, &proto, health, progress, err);
	tensor_proto_release(&proto);
	return ok;
}

bool v2_health(struct program_reads *reads, const struct program_tensor *tensor,
               struct health *health, struct progress *progress, struct err *err)
{
	int64_t mode = program_mode(reads->program, tensor);
	double number[V2_SUMMARY_MAX];
	struct span span;
	size_t n;

	if (!program_size_bytes(reads->program, tensor))
		return true;
	if (mode != V2_FULL_TENSOR && (mode < V2_CURT || mode > V2_SHAPE))
		return true;
	if (!tensor_at(reads, tensor, &span, err))
		return false;
	if (mode == V2_FULL_TENSOR)
		return whole_health(&reads->file, span, health, progress, err);
	if (!event_summary(&reads->file, span, number, V2_SUMMARY_MAX, &n, err))
		return false;
	v2_summary_health(mode, number, n, health);
	return true;
}

struct value *v2_value(struct program_reads *reads, const struct program_tensor *tensor,
                       struct err *err)
{
	int64_t mode = program_mode(reads->program, tensor);
	const char *name = program_mode_name(mode);
	struct span span;

	if (mode != V2_FULL_TENSOR)
		err_fill(err, ERR_MISSING, reads->program->path, 0,
		         "values were not stored (tensor_debug_mode=%s)", name ? name : "unknown");
	else if (!program_size_bytes(reads->program, tensor))
		err_fill(err, ERR_MISSING, reads->program->path, 0, "no value of it was stored");
	else if (tensor_at(reads, tensor, &span, err))
		return value_open_proto(reads->file.path, span.off, span.len, true, err);
	return NULL;
}

bool v2_source_lines(struct program_reads *reads, uint32_t source, uint32_t first,
                     program_line_sink *sink, void *owner, struct err *err)
{
	const struct program_source *s = &reads->program->sources.at[source];
	struct span span;
	struct event event;
	struct wire wire;
	const char *text;

	if (!event_at(reads, &s->at, s->len, EVENT_SOURCE, &event, err))
		return false;
	wire_start(&wire, &reads->file, event.body);
	for (uint32_t line = 0; event_next_line(&wire, &span, err); line++) {
		if (line < first)
			continue;
		text = wire_text(&reads->file, span, (size_t)s->len, err);
		if (!text)
			return false;
		if (!sink(owner, line, text, (size_t)span.len))
			return true;
	}
	return !err->code;
}

/* ---- the scan of whole tensors */

struct scan {
	struct program *program;
	struct program_reads reads;
	struct progress *progress;
	uint64_t bytes, max_bytes, done, total;
};

static void note_unread(struct program_unread *unread, const struct err *why)
{
	if (!unread->tensors++)
		unread->first = *why;
}

/* False: the limit is reached, or *err. */
static bool scan_one(struct scan *scan, const struct program_tensor *tensor, uint8_t *bad,
                     uint8_t *kinds, struct err *err)
{
	struct health health = {0};
	struct err why = {0};

	if (scan->bytes >= scan->max_bytes)
		return false;
	if (!progress_step(scan->progress, scan->done, scan->total))
		return err_at(err, ERR_CANCELLED, scan->program->path, 0, "stopped");
	*bad = PROGRAM_CANT_TELL;
	*kinds = 0;
	if (!v2_health(&scan->reads, tensor, &health, scan->progress, &why)) {
		if (why.code == ERR_CANCELLED) {
			*err = why;
			return false;
		}
		note_unread(&scan->program->unread, &why);
	} else if (health.known & HEALTH_BAD) {
		*bad = health.bad ? PROGRAM_BAD : PROGRAM_GOOD;
		*kinds = v2_kinds(&health);
	}
	scan->bytes += program_size_bytes(scan->program, tensor);
	scan->done++;
	return true;
}

static bool scan_traces(struct scan *scan, struct err *err)
{
	struct program *program = scan->program;
	struct v2_reading *reading = program->reading;
	uint8_t bad, kinds;

	for (size_t *i = &reading->scanned_traces; *i < program->traces.len; ++*i) {
		struct program_trace *trace = &program->traces.at[*i];
		struct program_tensor tensor = { .trace = (uint32_t)*i };

		if (trace->bad != PROGRAM_UNSCANNED)
			continue;
		if (!scan_one(scan, &tensor, &bad, &kinds, err))
			return false;
		trace->bad = bad;
		trace->kinds = kinds & 7;
	}
	return true;
}

static bool scan_outputs(struct scan *scan, struct err *err)
{
	struct program *program = scan->program;
	struct v2_reading *reading = program->reading;

	for (size_t *i = &reading->scanned_steps; *i < program->steps.len; ++*i) {
		const struct program_step *step = &program->steps.at[*i];

		for (uint32_t row = 0; row < step->n_entries; row++) {
			struct program_entry *entry = &program->entries.at[step->first_entry + row];
			struct program_tensor tensor = { PROGRAM_NONE, (uint32_t)*i, row };

			if (entry->bad == PROGRAM_UNSCANNED &&
			    !scan_one(scan, &tensor, &entry->bad, &entry->kinds, err))
				return false;
		}
	}
	return true;
}

bool v2_scan(struct program *program, uint64_t max_bytes, struct progress *progress,
             struct err *err)
{
	struct scan scan = {
		.program = program, .reads.program = program, .progress = progress,
		.max_bytes = max_bytes, .total = program->n_unscanned,
	};

	if (progress)
		atomic_store(&progress->what, "tensors");
	if (program->n_unscanned && scan_traces(&scan, err))
		scan_outputs(&scan, err);
	program_reads_release(&scan.reads);
	if (scan.done)
		program_count(program);
	return !err->code;
}

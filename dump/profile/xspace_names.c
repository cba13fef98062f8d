/*
 * Planes keep names after the lines that use them, stats' names last; so they are read first, in
 * two passes that jump over the lines. Both lists are sorted by id: ids are mostly 1, 2, 3 and so
 * on, which is tried before a search. Texts that stats refer to are read when a record first needs
 * them, and what was found in them is kept instead.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/format/dtype.h"
#include "dump/profile/xspace_parts.h"

#define NAMES_MAX (1u << 19)     /* of a plane; each of events and stats */
#define STAT_NAME_MOST 64        /* bytes; no longer one matters */

enum { PLANE_EVENT_NAMES = 4, PLANE_STAT_NAMES = 5 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { NAME_ID = 1, NAME_NAME = 2, NAME_DISPLAY = 4, NAME_STATS = 5 };
enum { STAT_ID = 1, STAT_DOUBLE = 2, STAT_UINT = 3, STAT_INT = 4, STAT_STR = 5, STAT_REF = 7 };

const struct said said_nothing = { .correlation = TRACE_NO_ID, .bytes = -1, .node = MAP_NONE,
                                   .hlo = MAP_NONE, .launch = MAP_NONE, .flops = -1,
                                   .accessed = -1, .occupancy = -1, .allocator = MAP_NONE,
                                   .memory = TRACE_MEMORY_UNSAID };

/* A text of at most WIRE_NAME_MAX bytes; a longer one is cut. False: l->found. */
static bool read_text(struct loading *l, struct file *file, struct span span, struct text *out)
{
	out->len = span.len < WIRE_NAME_MAX ? (size_t)span.len : WIRE_NAME_MAX;
	out->at = file_bytes(file, span.off, out->len, &l->found);
	return out->at;
}

static uint32_t intern(struct loading *l, struct text text)
{
	return trace_name(l->trace, text.at, text.len);
}

/* Lists by id: elements of any size that begin with a name. */

static const struct xspace_name *name_at(const void *first, size_t size, size_t i)
{
	return (const void *)((const char *)first + i * size);
}

/* Of several with one id the last in the file counts, as in a map. */
static int by_id_and_place(const void *a, const void *b)
{
	const struct xspace_name *p = a, *q = b;

	if (p->id != q->id)
		return p->id < q->id ? -1 : 1;
	return (p->text.off > q->text.off) - (p->text.off < q->text.off);
}

/* How many are left. */
static size_t sort_names(void *first, size_t n, size_t size)
{
	char *to = first;
	size_t kept = 0;

	if (n)
		qsort(first, n, size, by_id_and_place);
	for (size_t i = 0; i < n; i++) {
		const struct xspace_name *name = name_at(first, size, i);

		if (kept && name_at(first, size, kept - 1)->id == name->id)
			kept--;
		if (kept < i)
			memcpy(to + kept * size, name, size);
		kept++;
	}
	return kept;
}

/* The place of an id; n: it isn't there. */
static size_t place_of(const void *first, size_t n, size_t size, int64_t id)
{
	size_t low = 0, high = n;

	if (n && id >= name_at(first, size, 0)->id) {
		uint64_t guess = (uint64_t)id - (uint64_t)name_at(first, size, 0)->id;

		if (guess < n && name_at(first, size, (size_t)guess)->id == id)
			return (size_t)guess;
	}
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (name_at(first, size, mid)->id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && name_at(first, size, low)->id == id ? low : n;
}

struct event_name *xspace_event_name(struct loading *l, int64_t id)
{
	struct event_name *at = l->plane.events.at;
	size_t i = place_of(at, l->plane.events.len, sizeof *at, id);

	return i < l->plane.events.len ? &at[i] : NULL;
}

static struct stat_name *stat_name_of(struct loading *l, int64_t id)
{
	struct stat_name *at = l->plane.stats.at;
	size_t i = place_of(at, l->plane.stats.len, sizeof *at, id);

	return i < l->plane.stats.len ? &at[i] : NULL;
}

/* Stats. */

/* A phrase: what a text says as the value of a stat. */
static void read_phrase(struct loading *l, struct stat_name *out, enum stat_kind as,
                        struct text text)
{
	struct text node = text, type = { "", 0 };

	out->read_as = (uint8_t)as;
	out->node = out->launch = MAP_NONE;
	out->bytes = -1;
	if (as == STAT_KERNEL) {
		put_launch_of(&l->scratch, text);
		if (l->scratch.len)
			out->launch = trace_name(l->trace, l->scratch.text, l->scratch.len);
	} else if (as == STAT_MEMCPY || as == STAT_MEMSET) {
		out->bytes = bytes_of_copy(text);
	} else if (as == STAT_TF_OP || as == STAT_ANNOTATION || as == STAT_HLO_OP) {
		if (as != STAT_HLO_OP)
			split_op(as == STAT_TF_OP ? text : innermost_frame(text), &node, &type);
		if (node.len) {
			out->node = intern(l, node);
			out->op = intern(l, type);
		}
	} else if (as == STAT_ALLOCATOR || as == STAT_DTYPE || as == STAT_SHAPE) {
		out->node = text.len ? intern(l, text) : MAP_NONE;
	}
}

static void hear_phrase(const struct stat_name *phrase, enum stat_kind as, struct said *said)
{
	said->is_kernel |= as == STAT_KERNEL;
	said->is_copy |= as == STAT_MEMCPY || as == STAT_MEMSET;
	said->is_memory |= as == STAT_MEMORY;
	if (as == STAT_HLO_OP && phrase->node != MAP_NONE)
		said->hlo = phrase->node;
	if (phrase->launch != MAP_NONE)
		said->launch = phrase->launch;
	if (phrase->bytes >= 0)
		said->bytes = phrase->bytes;
	if (as == STAT_ALLOCATOR)
		said->allocator = phrase->node;
	else if (as == STAT_DTYPE)
		said->memory.dtype = phrase->node;
	else if (as == STAT_SHAPE)
		said->memory.shape = phrase->node;
	else if (phrase->node != MAP_NONE && as >= said->node_from) {
		said->node = phrase->node;
		said->op = phrase->op;
		said->node_from = (uint8_t)as;
	}
}

static void hear_number(enum stat_kind as, uint64_t value, struct said *said)
{
	if (as == STAT_CORRELATION && value && value < TRACE_NO_ID)
		said->correlation = (int64_t)value;
	if (as == STAT_START)
		said->start_ns = (int64_t)value;
	if (as == STAT_STEP) {
		said->step = (int64_t)value;
		said->has_step = true;
	}
	said->is_kernel |= as == STAT_KERNEL;
	said->is_copy |= as == STAT_MEMCPY || as == STAT_MEMSET;
}

/* Figures are whole numbers in some versions and fractions in others. */
static void hear_figure(enum stat_kind as, double value, struct said *said)
{
	switch (as) {
	case STAT_FLOPS: said->flops = value; break;
	case STAT_ACCESSED: said->accessed = value; break;
	case STAT_OCCUPANCY: said->occupancy = value; break;
	case STAT_FRAGMENTATION: said->memory.fragmentation = value; break;
	case STAT_PEAK_TERAFLOPS: said->peak.flops = value * 1e12; break;
	case STAT_PEAK_GIGABYTES: said->peak.bytes = value * 1e9; break;
	case STAT_BANDWIDTH:
		if (said->peak.bytes <= 0)
			said->peak.bytes = value;
		break;
	default: break;
	}
}

static void hear_memory(struct loading *l, enum stat_kind as, int64_t value, struct said *said)
{
	const struct dtype_info *type;

	switch (as) {
	case STAT_SIZE: said->memory.bytes = value; break;
	case STAT_IN_USE: said->memory.allocated = value; break;
	case STAT_RESERVED: said->memory.reserved = value; break;
	case STAT_ADDRESS: said->memory.address = value; break;
	case STAT_DTYPE:
		type = value > 0 ? dtype_on_wire((uint64_t)value) : NULL;
		if (type)
			said->memory.dtype = trace_name(l->trace, type->name, strlen(type->name));
		break;
	default: break;
	}
}

/* The text of a stat's name, as what another stat refers to it. */
static bool hear_reference(struct loading *l, enum stat_kind as, uint64_t id, struct said *said)
{
	struct stat_name *phrase = stat_name_of(l, (int64_t)id);
	struct text text;

	if (!phrase)
		return true;
	if (phrase->read_as != as) {
		if (!read_text(l, &l->names, phrase->name.text, &text))
			return false;
		read_phrase(l, phrase, as, text);
	}
	hear_phrase(phrase, as, said);
	return true;
}

static bool hear_value(struct loading *l, enum stat_kind as, const struct field *field,
                       struct said *said)
{
	struct stat_name phrase;
	struct text text;
	double figure;

	switch (field->number) {
	case STAT_UINT:
	case STAT_INT:
		if (field->type == WIRE_VARINT) {
			hear_number(as, field->number_value, said);
			hear_memory(l, as, (int64_t)field->number_value, said);
			hear_figure(as, (double)(int64_t)field->number_value, said);
		}
		return true;
	case STAT_DOUBLE:
		if (field->type == WIRE_FIXED64) {
			memcpy(&figure, &field->number_value, sizeof figure);
			hear_figure(as, figure, said);
		}
		return true;
	case STAT_STR:
		if (field->type != WIRE_BYTES)
			return true;
		if (!read_text(l, l->file, field->bytes, &text))
			return false;
		read_phrase(l, &phrase, as, text);
		hear_phrase(&phrase, as, said);
		return true;
	case STAT_REF:
		return field->type != WIRE_VARINT || hear_reference(l, as, field->number_value,
		                                                    said);
	}
	return true;
}

/* The id comes before the value; what no record needs is not looked at further. */
bool xspace_hear(struct loading *l, struct span span, struct said *said)
{
	enum stat_kind as = STAT_OTHER;
	struct field field;
	struct wire wire;

	wire_start(&wire, l->file, span);
	while (wire_next(&wire, &field, &l->found)) {
		if (field.number == STAT_ID && field.type == WIRE_VARINT) {
			const struct stat_name *name = stat_name_of(l,
			                                            (int64_t)field.number_value);

			as = name ? (enum stat_kind)name->stat : STAT_OTHER;
			if (as == STAT_OTHER)
				return true;
		} else if (as != STAT_OTHER && !hear_value(l, as, &field, said)) {
			return false;
		}
	}
	return !l->found.code;
}

void xspace_merge(struct said *said, const struct said *kind)
{
	if (said->correlation == TRACE_NO_ID)
		said->correlation = kind->correlation;
	if (said->bytes < 0)
		said->bytes = kind->bytes;
	if (said->launch == MAP_NONE)
		said->launch = kind->launch;
	if (said->hlo == MAP_NONE)
		said->hlo = kind->hlo;
	if (kind->node_from > said->node_from) {
		said->node = kind->node;
		said->op = kind->op;
		said->node_from = kind->node_from;
	}
	if (said->flops < 0)
		said->flops = kind->flops;
	if (said->accessed < 0)
		said->accessed = kind->accessed;
	if (said->occupancy < 0)
		said->occupancy = kind->occupancy;
	if (!said->has_step && kind->has_step) {
		said->step = kind->step;
		said->has_step = true;
	}
	said->is_kernel |= kind->is_kernel;
	said->is_copy |= kind->is_copy;
	said->is_memory |= kind->is_memory;
}

/* Reading the lists. */

/* The value of a map's entry, and its key if it has one. */
static bool open_entry(struct loading *l, struct span entry, int64_t *key, struct span *value)
{
	struct field field;
	struct wire wire;
	bool found = false;

	wire_start(&wire, l->file, entry);
	while (wire_next(&wire, &field, &l->found)) {
		if (field.number == ENTRY_KEY && field.type == WIRE_VARINT)
			*key = (int64_t)field.number_value;
		if (field.number == ENTRY_VALUE && field.type == WIRE_BYTES) {
			*value = field.bytes;
			found = true;
		}
	}
	return found && !l->found.code;
}

static bool take_stat_name(struct loading *l, struct span entry)
{
	struct stat_name name = { .node = MAP_NONE };
	struct span value;
	struct field field;
	struct wire wire;
	struct text text;

	if (!open_entry(l, entry, &name.name.id, &value))
		return !l->found.code;
	wire_start(&wire, l->file, value);
	while (wire_next(&wire, &field, &l->found))
		if (field.number == NAME_NAME && field.type == WIRE_BYTES)
			name.name.text = field.bytes;
	if (l->found.code)
		return false;
	if (name.name.text.len && name.name.text.len < STAT_NAME_MOST) {
		if (!read_text(l, l->file, name.name.text, &text))
			return false;
		name.stat = (uint8_t)stat_of_name(text);
	}
	vec_push(&l->plane.stats, name);
	return true;
}

static bool name_event(struct loading *l, struct event_name *name)
{
	struct text text;

	if (!read_text(l, l->file, name->name.text, &text))
		return false;
	name->part = (uint8_t)part_of_host_name(text.at, text.len);
	if (name->part == PART_OTHER)
		name->part = PART_HOST_COMPUTE;
	if (l->plane.kind == PLANE_HOST)
		name->kind = (uint8_t)host_event_kind(text);
	else if (text.len >= 6 && (!memcmp(text.at, "Memcpy", 6) || !memcmp(text.at, "Memset", 6)))
		name->kind = EVENT_COPY;
	return true;
}

static bool take_event_name(struct loading *l, struct span entry)
{
	struct event_name name = { .raw = MAP_NONE };
	struct said said = said_nothing;
	bool says = false;
	struct span value;
	struct field field;
	struct wire wire;

	if (!open_entry(l, entry, &name.name.id, &value))
		return !l->found.code;
	wire_start(&wire, l->file, value);
	while (wire_next(&wire, &field, &l->found)) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == NAME_NAME)
			name.name.text = field.bytes;
		if (field.number == NAME_DISPLAY)
			name.display = field.bytes;
		if (field.number == NAME_STATS) {
			says = true;
			if (!xspace_hear(l, field.bytes, &said))
				return false;
		}
	}
	if (l->found.code || !name_event(l, &name))
		return false;
	if (says) {
		vec_push(&l->plane.said, said);
		name.said = (uint32_t)l->plane.said.len;
	}
	vec_push(&l->plane.events, name);
	return true;
}

/* Entries of one list of the plane; a damaged one is left out. */
static void read_list(struct loading *l, uint32_t number,
                      bool (*take)(struct loading *l, struct span entry))
{
	struct field field;
	struct wire wire;
	size_t n = 0;

	wire_start(&wire, l->file, l->plane.span);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found)) {
		if (field.number != number || field.type != WIRE_BYTES)
			continue;
		if (n++ == NAMES_MAX)
			err_fill(&l->found, ERR_LIMIT, l->file->path, field.key_off,
			         "more than %u names in a plane: the rest is left out", NAMES_MAX);
		if (n > NAMES_MAX || field.bytes.off + field.bytes.len > l->file->size)
			break;
		if (!take(l, field.bytes))
			xspace_note_damage(l);
	}
	if (l->found.code)
		xspace_note_damage(l);
}

void xspace_read_names(struct loading *l)
{
	read_list(l, PLANE_STAT_NAMES, take_stat_name);
	l->plane.stats.len = sort_names(l->plane.stats.at, l->plane.stats.len,
	                                sizeof *l->plane.stats.at);
	read_list(l, PLANE_EVENT_NAMES, take_event_name);
	l->plane.events.len = sort_names(l->plane.events.at, l->plane.events.len,
	                                 sizeof *l->plane.events.at);
}

void xspace_forget_names(struct loading *l)
{
	vec_release(&l->plane.events);
	vec_release(&l->plane.stats);
	vec_release(&l->plane.said);
}

/* Names of records. */

uint32_t xspace_raw_name(struct loading *l, struct event_name *name)
{
	bool brief = l->plane.kind == PLANE_TPU && name->display.len;
	struct text text, node, type;

	if (name->raw != MAP_NONE)
		return name->raw;
	if (!read_text(l, &l->names, brief ? name->display : name->name.text, &text)) {
		xspace_note_damage(l);
		text = (struct text){ "", 0 };
	}
	name->raw = intern(l, text);
	if (name->kind == EVENT_OP) {
		split_op(text, &node, &type);
		name->node = intern(l, node);
		name->op = intern(l, type);
	} else if (name->kind == EVENT_ITERATOR) {
		name->node = name->raw;
		name->op = trace_name(l->trace, "Dataset", strlen("Dataset"));
	}
	return name->raw;
}

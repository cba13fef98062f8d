/*
 * One pass notes each entry and where its CodeDef lies: a traceback of thirty frames for each op
 * would be most of the file, and a command needs one frame of it.
 */
#include "dump/profile/op_log.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

#define STEP_ENTRIES 4096        /* between two looks at progress */

enum { LOG_ENTRY = 1, LOG_STRING = 2 };
enum { ENTRY_NAME = 1, ENTRY_FLOPS = 2, ENTRY_TYPE = 3, ENTRY_CODE = 4 };
enum { CODE_TRACE = 1 };
enum {
	TRACE_FILE = 1, TRACE_LINENO = 2, TRACE_FUNCTION = 3, TRACE_LINE = 4, TRACE_FUNC_START = 5,
	TRACE_FILE_ID = 6, TRACE_FUNCTION_ID = 7, TRACE_LINE_ID = 8,
};

/* Texts by number. */

struct id_text {
	int64_t id;
	const char *text;
};

static int by_id(const void *a, const void *b)
{
	int64_t x = ((const struct id_text *)a)->id, y = ((const struct id_text *)b)->id;

	return (x > y) - (x < y);
}

bool id_strings_add(struct id_strings *strings, struct file *file, struct span entry,
                    struct arena *mem, struct err *err)
{
	struct err found = {0};
	const char *text = "";
	struct str scratch = {0};
	struct field field;
	struct name name;
	struct wire wire;
	int64_t id = 0;

	wire_start(&wire, file, entry);
	while (!found.code && wire_next(&wire, &field, &found)) {
		if (field.number == 1 && field.type == WIRE_VARINT)
			id = (int64_t)field.number_value;
		else if (field.number == 2 && field.type == WIRE_BYTES
		         && wire_name(file, field.bytes, &scratch, &name, &found))
			text = arena_copy(mem, name.text, name.len);
	}
	str_release(&scratch);
	vec_push(&strings->ids, id);
	vec_push(&strings->texts, text);
	if (found.code && err)
		*err = found;
	return !found.code;
}

static bool is_sorted(const struct id_strings *strings)
{
	for (size_t i = 1; i < strings->ids.len; i++)
		if (strings->ids.at[i] <= strings->ids.at[i - 1])
			return false;
	return true;
}

void id_strings_sort(struct id_strings *strings)
{
	size_t n = strings->ids.len;
	struct id_text *both;

	if (is_sorted(strings))
		return;
	both = mem_alloc(n * sizeof *both);
	for (size_t i = 0; i < n; i++)
		both[i] = (struct id_text){ strings->ids.at[i], strings->texts.at[i] };
	qsort(both, n, sizeof *both, by_id);
	for (size_t i = 0; i < n; i++) {
		strings->ids.at[i] = both[i].id;
		strings->texts.at[i] = both[i].text;
	}
	free(both);
}

/* "" if there is none. */
static const char *string_of(const struct id_strings *strings, int64_t id)
{
	size_t low = 0, high = strings->ids.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strings->ids.at[middle] == id)
			return strings->texts.at[middle];
		if (strings->ids.at[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return "";
}

void id_strings_release(struct id_strings *strings)
{
	vec_release(&strings->ids);
	vec_release(&strings->texts);
}

/* Frames. */

struct code_reading {
	struct file *file;
	const struct id_strings *strings;
	struct arena *mem;
	struct str scratch;
	VEC(struct code_frame) frames;
};

static void take_trace_text(struct code_reading *r, const struct field *field,
                            struct code_frame *frame, struct err *err)
{
	struct name name;
	const char **to = field->number == TRACE_FILE ? &frame->file
		: field->number == TRACE_FUNCTION ? &frame->function
		: field->number == TRACE_LINE ? &frame->line : NULL;

	if (to && wire_name(r->file, field->bytes, &r->scratch, &name, err))
		*to = arena_copy(r->mem, name.text, name.len);
}

static void take_trace_number(struct code_reading *r, const struct field *field,
                              struct code_frame *frame)
{
	int64_t value = (int64_t)field->number_value;

	switch (field->number) {
	case TRACE_LINENO: frame->lineno = (int32_t)value; break;
	case TRACE_FUNC_START: frame->func_start_line = (int32_t)value; break;
	case TRACE_FILE_ID: frame->file = string_of(r->strings, value); break;
	case TRACE_FUNCTION_ID: frame->function = string_of(r->strings, value); break;
	case TRACE_LINE_ID: frame->line = string_of(r->strings, value); break;
	}
}

/* Ids of 0 are not written: in a file with numbered texts, a missing text is text 0. */
static void read_trace(struct code_reading *r, struct span span, struct err *err)
{
	const char *zero = string_of(r->strings, 0);
	struct code_frame frame = { .file = zero, .function = zero, .line = zero };
	struct field field;
	struct wire wire;

	wire_start(&wire, r->file, span);
	while (!err->code && wire_next(&wire, &field, err)) {
		if (field.type == WIRE_BYTES)
			take_trace_text(r, &field, &frame, err);
		else if (field.type == WIRE_VARINT)
			take_trace_number(r, &field, &frame);
	}
	vec_push(&r->frames, frame);
}

bool code_read(struct file *file, struct span code, const struct id_strings *strings,
               struct arena *mem, struct code_frame **frames, size_t *n, struct err *err)
{
	struct code_reading r = { .file = file, .strings = strings, .mem = mem };
	struct err found = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, file, code);
	while (!found.code && wire_next(&wire, &field, &found))
		if (field.number == CODE_TRACE && field.type == WIRE_BYTES)
			read_trace(&r, field.bytes, &found);
	*n = r.frames.len;
	*frames = arena_alloc(mem, (*n + 1) * sizeof **frames);
	if (*n)
		memcpy(*frames, r.frames.at, *n * sizeof **frames);
	vec_release(&r.frames);
	str_release(&r.scratch);
	if (found.code && err)
		*err = found;
	return !found.code;
}

/* The log. */

static void note_damage(struct op_log *log, struct err *found)
{
	if (!log->damage.code)
		log->damage = *found;
	found->code = ERR_NONE;
}

static const char *one_copy(struct op_log *log, const struct name *name)
{
	uint32_t id = map_add(&log->texts, &log->mem, name->text, name->len);

	return log->texts.key[id];
}

static bool take_entry_field(struct op_log *log, const struct field *field, struct str *scratch,
                             struct op_entry *entry, struct err *err)
{
	struct name name;

	if (field->number == ENTRY_FLOPS && field->type == WIRE_VARINT)
		entry->float_ops = (int64_t)field->number_value;
	if (field->type != WIRE_BYTES)
		return true;
	if (field->number == ENTRY_CODE)
		entry->code = field->bytes;
	if (field->number != ENTRY_NAME && field->number != ENTRY_TYPE)
		return true;
	if (!wire_name(&log->file, field->bytes, scratch, &name, err))
		return false;
	if (field->number == ENTRY_TYPE) {
		vec_push(&log->types, one_copy(log, &name));
		entry->n_types++;
	} else {
		uint32_t id = map_add(&log->names, &log->mem, name.text, name.len);

		entry->name = log->names.key[id];
		if (id == log->by_name.len)
			vec_push(&log->by_name, 0);
		log->by_name.at[id] = (uint32_t)log->entries.len;
	}
	return true;
}

static void take_entry(struct op_log *log, struct span span, struct str *scratch)
{
	struct op_entry entry = { .name = "", .first_type = log->types.len };
	struct err found = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, &log->file, span);
	while (wire_next(&wire, &field, &found))
		if (!take_entry_field(log, &field, scratch, &entry, &found))
			break;
	if (found.code)
		note_damage(log, &found);
	vec_push(&log->entries, entry);
}

/* False after a cancel. */
static bool read_log(struct op_log *log, struct progress *progress)
{
	struct str scratch = {0};
	struct err found = {0};
	struct field field;
	struct wire wire;
	bool on = true;
	size_t n = 0;

	wire_start(&wire, &log->file, (struct span){ 0, log->file.size });
	while (on && wire_next(&wire, &field, &found)) {
		if (n++ % STEP_ENTRIES == 0)
			on = progress_step(progress, field.key_off, log->file.size);
		if (field.number == LOG_ENTRY && field.type == WIRE_BYTES &&
		    log->entries.len < UINT32_MAX)
			take_entry(log, field.bytes, &scratch);
		else if (field.number == LOG_STRING && field.type == WIRE_BYTES
		         && !id_strings_add(&log->strings, &log->file, field.bytes, &log->mem,
		                            &found))
			note_damage(log, &found);
	}
	if (found.code)
		note_damage(log, &found);
	id_strings_sort(&log->strings);
	str_release(&scratch);
	return on;
}

struct op_log *op_log_open(const char *path, struct progress *progress, struct err *err)
{
	struct op_log *log = mem_alloc(sizeof *log);
	bool on;

	log->path = arena_copy(&log->mem, path, strlen(path));
	log->file.fd = -1;
	if (!file_open(&log->file, log->path, err)) {
		op_log_close(log);
		return NULL;
	}
	on = read_log(log, progress);
	if (on && (log->entries.len || !log->damage.code))
		return log;
	if (!on)
		err_fill(err, ERR_CANCELLED, path, 0, "stopped");
	else if (err)
		*err = log->damage;
	op_log_close(log);
	return NULL;
}

void op_log_close(struct op_log *log)
{
	if (!log)
		return;
	if (log->file.fd >= 0)
		file_close(&log->file);
	vec_release(&log->entries);
	vec_release(&log->types);
	id_strings_release(&log->strings);
	map_release(&log->names);
	map_release(&log->texts);
	vec_release(&log->by_name);
	arena_release(&log->mem);
	free(log);
}

const struct op_entry *op_log_find(const struct op_log *log, const char *name)
{
	uint32_t id = map_find(&log->names, name, strlen(name));

	return id == MAP_NONE ? NULL : &log->entries.at[log->by_name.at[id]];
}

bool op_log_code(struct op_log *log, const struct op_entry *entry, struct arena *mem,
                 struct code_frame **frames, size_t *n, struct err *err)
{
	return code_read(&log->file, entry->code, &log->strings, mem, frames, n, err);
}

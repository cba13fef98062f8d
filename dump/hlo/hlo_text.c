/*
 * HLO text line by line. Outside of computations: the module's head, tables of the stack, heads of
 * computations; in one: an instruction a line, up to a brace. What is no such line is left out, and
 * the first one is the damage.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/hlo/hlo.h"
#include "dump/hlo/hlo_line.h"
#include "dump/model/module_build.h"

enum { STEP_LINES = 1024 /* between two looks at progress */, WORD_MAX = 64 * 1024 };
enum { ROW_MAX = 64 * 1024 };

#define TABLES(X) X(FileNames) X(FunctionNames) X(FileLocations) X(StackFrames)
enum table {
	NO_TABLE,
#define X(name) TABLE_##name,
	TABLES(X)
#undef X
};

struct reading {
	struct hlo_source source;
	struct module_build *build;
	struct err *damage;              /* the first one counts */
	struct err found;
	struct hlo_line line;
	struct str word, row, op_type, op_name, file, kind;
	enum table table;
	bool has_module, has_computation, inside;
};

#define note_damage(r, off, ...) \
	(err_fill(&(r)->found, ERR_FORMAT, (r)->source.file->path, (off), __VA_ARGS__), \
	 note_found(r))

/* The same where the file ends. */
#define note_cut(r, off, what) \
	(err_damaged(&(r)->found, DAMAGE_CUT, (r)->source.file->path, (off), what), note_found(r))

/* Keeps r->found, if it is the first. */
static void note_found(struct reading *r)
{
	if (r->damage && !r->damage->code)
		*r->damage = r->found;
	module_build_damaged(r->build);
}

static uint64_t number_of(struct text text)
{
	uint64_t value = 0;

	for (size_t i = 0; i < text.len && text.at[i] >= '0' && text.at[i] <= '9'; i++)
		value = value > UINT64_MAX / 100 ? UINT64_MAX / 10 : value * 10
		        + (uint64_t)(text.at[i] - '0');
	return value;
}

static bool is(struct text text, const char *with)
{
	return text.len == strlen(with) && !memcmp(text.at, with, text.len);
}

/* Attributes. */

static bool calls(const char *key)
{
	static const char *const keys[] = {
		"calls", "to_apply", "body", "condition", "branch_computations",
		"true_computation", "false_computation", "called_computations", "select",
		"scatter", "comparator",
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

static bool is_wanted(const char *key)
{
	static const char *const keys[] = {
		"metadata", "control-predecessors", "kind", "custom_call_target",
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strcmp(key, keys[i]))
			return true;
	return calls(key);
}

static void take_metadata(struct reading *r, struct new_instruction *new)
{
	struct text rest = hlo_text_of(&r->line.value), key, value;

	while (hlo_pair(&rest, &key, &value)) {
		if (is(key, "op_type"))
			hlo_unescape(value, &r->op_type);
		else if (is(key, "op_name"))
			hlo_unescape(value, &r->op_name);
		else if (is(key, "source_file"))
			hlo_unescape(value, &r->file);
		else if (is(key, "source_line"))
			new->line = (uint32_t)number_of(value);
		else if (is(key, "stack_frame_id"))
			new->frame = (uint32_t)number_of(value);
	}
}

static void take_control(struct reading *r)
{
	struct text rest = hlo_text_of(&r->line.value), name;

	while (hlo_name_in(&rest, &name))
		module_build_control(r->build, name);
}

static void take_called(struct reading *r)
{
	struct text rest = hlo_text_of(&r->line.value), name;

	while (hlo_name_in(&rest, &name))
		module_build_called(r->build, name);
}

/* Of a fusion the kind, of a custom call the target, which is in quotes. */
static void take_kind(struct reading *r, const char *opcode)
{
	struct text value = hlo_text_of(&r->line.value);

	if (strcmp(str_text(&r->line.opcode), opcode) != 0)
		return;
	if (value.len > 1 && *value.at == '"')
		value = (struct text){ value.at + 1, value.len - 2 };
	hlo_unescape(value, &r->kind);
}

static void take_attr(struct reading *r, struct new_instruction *new)
{
	const char *key = str_text(&r->line.key);

	if (calls(key))
		take_called(r);
	else if (!strcmp(key, "metadata"))
		take_metadata(r, new);
	else if (!strcmp(key, "control-predecessors"))
		take_control(r);
	else if (!strcmp(key, "kind"))
		take_kind(r, "fusion");
	else if (!strcmp(key, "custom_call_target"))
		take_kind(r, "custom-call");
}

/* Instructions. */

static void reset(struct reading *r)
{
	str_reset(&r->op_type);
	str_reset(&r->op_name);
	str_reset(&r->file);
	str_reset(&r->kind);
}

static void take_operands(struct reading *r)
{
	const struct hlo_line *line = &r->line;

	for (size_t i = 0; i < line->operand.len; i++)
		module_build_operand(r->build,
		                     (struct text){ line->operands.text + line->operand.at[i].at,
		                                    line->operand.at[i].len });
}

/* The line up to its end. False: the file ends in it. */
static bool read_instruction(struct reading *r)
{
	struct hlo_line *line = &r->line;
	struct new_instruction new = {0};

	if (!hlo_line_begin(&r->source, line)) {
		if (hlo_peek(&r->source) < 0)
			return false;
		note_damage(r, line->off, "a line that is no instruction");
		return true;
	}
	reset(r);
	take_operands(r);
	while (hlo_line_attr(&r->source, line, is_wanted))
		take_attr(r, &new);
	if (hlo_peek(&r->source) < 0) {
		module_build_forget(r->build);
		return false;
	}
	new.name = hlo_name(hlo_text_of(&line->name));
	new.opcode = hlo_text_of(&line->opcode);
	new.shape = hlo_text_of(&line->shape);
	new.op_type = hlo_text_of(&r->op_type);
	new.op_name = hlo_text_of(&r->op_name);
	new.file = hlo_text_of(&r->file);
	new.kind = hlo_text_of(&r->kind);
	new.is_root = line->is_root;
	new.off = line->off;
	new.len = hlo_off(&r->source) - line->off;
	if (!module_build_instruction(r->build, &new))
		note_damage(r, line->off, "a second instruction of the name '%.200s'",
		            str_text(&line->name));
	return true;
}

/* A line of a computation. */
static void read_inside(struct reading *r)
{
	int c;

	hlo_skip_blanks(&r->source);
	c = hlo_peek(&r->source);
	if (c == '}')
		r->inside = false;
	else if (!hlo_is_end(c) && c != '/' && !read_instruction(r))
		note_cut(r, r->line.off, "the file ends in an instruction");
	hlo_skip_line(&r->source);
}

/* Outside of computations. */

static bool read_table_name(struct reading *r)
{
	static const char *const names[] = {
#define X(name) #name,
		TABLES(X)
#undef X
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(str_text(&r->word), names[i])) {
			r->table = (enum table)(i + 1);
			return true;
		}
	return false;
}

/* The text in quotes that a row of a table has. */
static void take_text(struct reading *r, enum module_table table, uint64_t number, struct text row)
{
	if (row.len > 1 && *row.at == '"')
		row = (struct text){ row.at + 1, row.len - 2 };
	hlo_unescape(row, &r->kind);
	module_build_text(r->build, table, number, hlo_text_of(&r->kind));
}

/* "{line=3 end_line=3}": one of the numbers, or 0. */
static uint64_t number_in(struct text rest, const char *wanted)
{
	struct text key, value;

	while (hlo_pair(&rest, &key, &value))
		if (is(key, wanted))
			return number_of(value);
	return 0;
}

static void read_row(struct reading *r)
{
	uint64_t number = number_of(hlo_text_of(&r->word));
	struct text row;

	str_reset(&r->row);
	hlo_take(&r->source, "", &r->row, ROW_MAX);
	row = hlo_text_of(&r->row);
	switch (r->table) {
	case TABLE_FileNames: take_text(r, MODULE_FILES, number, row); break;
	case TABLE_FunctionNames: take_text(r, MODULE_FUNCTIONS, number, row); break;
	case TABLE_FileLocations:
		module_build_location(r->build, number, number_in(row, "file_name_id"),
		                      number_in(row, "function_name_id"),
		                      number_in(row, "line"));
		break;
	case TABLE_StackFrames:
		module_build_frame(r->build, number, number_in(row, "file_location_id"),
		                   number_in(row, "parent_frame_id"));
		break;
	case NO_TABLE: break;
	}
}

/* The last character of the line that is no blank; 0: there is none. */
static int last_of_line(struct hlo_source *source)
{
	int c, last = 0;

	while (!hlo_is_end(c = hlo_peek(source))) {
		if (c != ' ' && c != '\t')
			last = c;
		source->at++;
	}
	return last;
}

/* "[ENTRY] NAME (PARAMETERS) -> SHAPE {": a line with a brace at its end. */
static bool read_head(struct reading *r, uint64_t off)
{
	bool is_entry = !strcmp(str_text(&r->word), "ENTRY");

	if (is_entry) {
		str_reset(&r->word);
		hlo_skip_blanks(&r->source);
		hlo_take(&r->source, " (", &r->word, WORD_MAX);
	}
	if (last_of_line(&r->source) != '{') {
		if (r->has_computation)
			note_damage(r, off, "a line that is neither a computation nor in one");
		return false;
	}
	r->table = NO_TABLE;
	module_build_computation(r->build, hlo_name(hlo_text_of(&r->word)), is_entry);
	return r->inside = r->has_computation = true;
}

static void read_module_name(struct reading *r)
{
	str_reset(&r->word);
	hlo_take(&r->source, ",", &r->word, WORD_MAX);
	module_build_name(r->build, hlo_name(hlo_text_of(&r->word)));
	r->has_module = true;
}

/* False: what follows is not read. */
static bool read_outside(struct reading *r)
{
	uint64_t off = hlo_off(&r->source);
	int c;

	hlo_skip_blanks(&r->source);
	c = hlo_peek(&r->source);
	str_reset(&r->word);
	if (!hlo_is_end(c) && c != '/')
		hlo_take(&r->source, " (", &r->word, WORD_MAX);
	if (!strcmp(str_text(&r->word), "HloModule")) {
		if (r->has_module) {
			note_damage(r, off, "a second module begins here, which is left out");
			return false;
		}
		read_module_name(r);
	} else if (r->has_module && r->word.len && !read_table_name(r)) {
		if (r->table && is_digit(*r->word.text))
			read_row(r);
		else
			read_head(r, off);
	}
	hlo_skip_line(&r->source);
	return true;
}

/* The whole. */

/* False after a cancel. */
static bool read_lines(struct reading *r, struct progress *progress)
{
	struct hlo_source *source = &r->source;
	uint64_t size = source->file->size;
	bool on = true;

	if (hlo_peek(source) == 0xef)
		source->at += source->end - source->at >= 3 ? 3 : 0;
	for (size_t n = 0; on && hlo_peek(source) >= 0; n++) {
		if (n % STEP_LINES == 0 && !progress_step(progress, hlo_off(source), size))
			return false;
		if (r->inside)
			read_inside(r);
		else
			on = read_outside(r);
	}
	if (source->err.code) {
		r->found = source->err;
		note_found(r);
	} else if (r->inside && r->found.code == ERR_NONE) {
		note_cut(r, size, "the file ends in a computation");
	}
	return true;
}

static void release(struct reading *r)
{
	hlo_line_release(&r->line);
	str_release(&r->word);
	str_release(&r->row);
	str_release(&r->op_type);
	str_release(&r->op_name);
	str_release(&r->file);
	str_release(&r->kind);
}

static void no_instructions(const struct reading *r, struct err *err)
{
	if (r->found.code && err)
		*err = r->found;
	else
		err_fill(err, ERR_FORMAT, r->source.file->path, r->source.file->size,
		         "no instruction in it");
}

struct graph *hlo_text_open(const char *path, struct progress *progress, struct err *damage,
                            struct err *err)
{
	struct reading r = { .damage = damage };
	struct graph *graph = NULL;
	struct file file;

	if (!file_open(&file, path, err))
		return NULL;
	hlo_start(&r.source, &file, 0);
	r.build = module_build_new(&file, hlo_text_attrs);
	if (progress)
		atomic_store(&progress->what, "bytes of the module");
	if (!read_lines(&r, progress))
		err_fill(err, ERR_CANCELLED, path, 0, "stopped");
	else if (!module_build_len(r.build))
		no_instructions(&r, err);
	else
		graph = module_build_end(r.build);
	if (!graph)
		module_build_drop(r.build);
	release(&r);
	file_close(&file);
	return graph;
}

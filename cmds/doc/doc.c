/*
 * The texts of built lines lie end to end in one string, their segments in one array; a row keeps
 * where its parts of the two end. Rows of the body are never stored: they are asked for by number.
 */
#include "cmds/doc/doc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

struct row {
	size_t text_end, seg_end;
};

struct kept {
	void (*release)(void *what);
	void *what;
};

struct key_set {
	const struct doc_keys *keys;
	doc_put_key *put;
	void *context;
};

struct doc {
	struct str text, links;
	VEC(struct seg) segs;            /* link: offset in links */
	VEC(struct row) rows;
	struct line open;
	struct body *body;
	size_t head_rows;                /* lines before the body, once there is one */
	uint64_t start_row;
	bool has_start_row;
	VEC(struct menu_item) menu;
	struct doc_tensor *tensor;
	VEC(struct kept) kept;
	VEC(const char *) warnings;
	enum data_shape shape;
	doc_put_data *put_data, *put_beside;
	const char *typed_name;
	void *data_context;
	VEC(struct key_set) keys;
	const struct doc_signs *signs;
	void *signs_context;
	bool tells_failure;
	bool of_step, of_runs, fitted;
	const char *more, *wants;
	struct doc_title *title;
	struct arena mem;
};

/* Lines. */

void line_reset(struct line *line)
{
	str_reset(&line->text);
	str_reset(&line->links);
	line->segs.len = 0;
	line->note = NOTE_NONE;
	line->rank = 0;
}

void line_release(struct line *line)
{
	str_release(&line->text);
	str_release(&line->links);
	vec_release(&line->segs);
}

void line_mark(struct line *line, enum role role, size_t begin, size_t end)
{
	if (end > begin)
		vec_push(&line->segs,
		         ((struct seg){ (uint32_t)begin, (uint32_t)end, role, NO_LINK, 0, 0 }));
}

void line_shade(struct line *line, enum role scale, size_t begin, size_t end, int ink, int ground)
{
	if (end > begin)
		vec_push(&line->segs, ((struct seg){ (uint32_t)begin, (uint32_t)end, scale,
		                                     NO_LINK, (uint8_t)ink, (uint8_t)ground }));
}

void line_mark_link(struct line *line, enum role role, size_t begin, size_t end,
                    const char *command)
{
	if (end < begin)
		return;
	vec_push(&line->segs, ((struct seg){ (uint32_t)begin, (uint32_t)end, role,
	                                     (uint32_t)line->links.len, 0, 0 }));
	str_put(&line->links, command, strlen(command) + 1);
}

void line_put(struct line *line, enum role role, const char *text, size_t len)
{
	size_t begin = line->text.len;

	str_put(&line->text, text, len);
	if (role != ROLE_PLAIN)
		line_mark(line, role, begin, line->text.len);
}

static void line_vfmt(struct line *line, enum role role, const char *fmt, va_list args)
{
	size_t begin = line->text.len;

	str_vfmt(&line->text, fmt, args);
	if (role != ROLE_PLAIN)
		line_mark(line, role, begin, line->text.len);
}

void line_fmt(struct line *line, enum role role, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line_vfmt(line, role, fmt, args);
	va_end(args);
}

static void line_vlink(struct line *line, enum role role, const char *text, const char *fmt,
                       va_list args)
{
	struct seg seg = { (uint32_t)line->text.len, 0, role, (uint32_t)line->links.len, 0, 0 };

	str_puts(&line->text, text);
	seg.end = (uint32_t)line->text.len;
	str_vfmt(&line->links, fmt, args);
	str_put(&line->links, "", 1);
	if (seg.end > seg.begin)
		vec_push(&line->segs, seg);
}

void line_link(struct line *line, enum role role, const char *text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line_vlink(line, role, text, fmt, args);
	va_end(args);
}

bool seg_shows_link(const struct seg *seg)
{
	return seg->link != NO_LINK && seg->end > seg->begin;
}

const char *seg_link(const struct line *line, const struct seg *seg)
{
	return seg->link == NO_LINK ? NULL : line->links.text + seg->link;
}

/* Building. */

struct doc *doc_new(void)
{
	return mem_alloc(sizeof(struct doc));
}

void doc_free(struct doc *doc)
{
	if (!doc)
		return;
	if (doc->body)
		doc->body->kind->free(doc->body);
	for (size_t i = doc->kept.len; i-- > 0; )
		doc->kept.at[i].release(doc->kept.at[i].what);
	vec_release(&doc->kept);
	vec_release(&doc->warnings);
	vec_release(&doc->keys);
	vec_release(&doc->menu);
	vec_release(&doc->segs);
	vec_release(&doc->rows);
	str_release(&doc->text);
	str_release(&doc->links);
	line_release(&doc->open);
	arena_release(&doc->mem);
	free(doc);
}

struct arena *doc_mem(struct doc *doc)
{
	return &doc->mem;
}

void doc_keep(struct doc *doc, void (*release)(void *what), void *what)
{
	vec_push(&doc->kept, ((struct kept){ release, what }));
}

void doc_typed(struct doc *doc, enum data_shape shape, doc_put_data *put, void *context)
{
	doc->shape = shape;
	doc->put_data = put;
	doc->data_context = context;
	doc->typed_name = NULL;
	doc->put_beside = NULL;
}

void doc_typed_as(struct doc *doc, const char *name, doc_put_data *beside)
{
	doc->typed_name = name;
	doc->put_beside = beside;
}

const char *doc_typed_name(const struct doc *doc)
{
	return doc->typed_name;
}

void doc_warn(struct doc *doc, const char *fmt, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	vec_push(&doc->warnings, arena_copy(&doc->mem, text.text, text.len));
	str_release(&text);
}

struct line *doc_open_line(struct doc *doc)
{
	return &doc->open;
}

void doc_put_text(struct doc *doc, enum role role, const char *text, size_t len)
{
	line_put(&doc->open, role, text, len);
}

void doc_put(struct doc *doc, enum role role, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line_vfmt(&doc->open, role, fmt, args);
	va_end(args);
}

void doc_link(struct doc *doc, enum role role, const char *text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line_vlink(&doc->open, role, text, fmt, args);
	va_end(args);
}

void doc_newline(struct doc *doc)
{
	struct line *open = &doc->open;

	for (size_t i = 0; i < open->segs.len; i++) {
		struct seg seg = open->segs.at[i];
		const char *link = seg_link(open, &seg);

		if (link) {
			seg.link = (uint32_t)doc->links.len;
			str_put(&doc->links, link, strlen(link) + 1);
		}
		vec_push(&doc->segs, seg);
	}
	str_put(&doc->text, str_text(&open->text), open->text.len);
	vec_push(&doc->rows, ((struct row){ doc->text.len, doc->segs.len }));
	line_reset(open);
}

void doc_line_put(struct doc *doc, enum role role, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line_vfmt(&doc->open, role, fmt, args);
	va_end(args);
	doc_newline(doc);
}

void doc_body(struct doc *doc, struct body *body)
{
	assert(!doc->body && !doc->open.text.len);
	doc->body = body;
	doc->head_rows = doc->rows.len;
}

struct body *doc_get_body(const struct doc *doc)
{
	return doc->body;
}

void doc_scroll_to(struct doc *doc, uint64_t row)
{
	doc->start_row = row;
	doc->has_start_row = true;
}

void doc_tensor(struct doc *doc, const char *dtype, uint32_t rank, const int64_t *dims)
{
	doc->tensor = arena_alloc(&doc->mem, sizeof *doc->tensor);
	doc->tensor->dtype = dtype;
	doc->tensor->rank = rank;
	memcpy(doc->tensor->dim, dims, rank * sizeof *dims);
}

void doc_menu_item(struct doc *doc, const char *caption, const char *command, bool on)
{
	struct menu_item item = { caption, arena_copy(&doc->mem, command, strlen(command)), on };

	vec_push(&doc->menu, item);
}

/* Reading. */

static uint64_t body_rows(const struct doc *doc)
{
	return doc->body ? doc->body->kind->rows(doc->body) : 0;
}

uint64_t doc_rows(const struct doc *doc)
{
	return doc->rows.len + body_rows(doc);
}

uint64_t doc_body_row(const struct doc *doc)
{
	return doc->body ? doc->head_rows : doc->rows.len;
}

static void stored_line(const struct doc *doc, size_t i, struct line *line)
{
	size_t text = i ? doc->rows.at[i - 1].text_end : 0;
	size_t seg = i ? doc->rows.at[i - 1].seg_end : 0;

	str_put(&line->text, str_text(&doc->text) + text, doc->rows.at[i].text_end - text);
	for (; seg < doc->rows.at[i].seg_end; seg++) {
		const struct seg *s = &doc->segs.at[seg];

		if (s->link == NO_LINK)
			line_shade(line, s->role, s->begin, s->end, s->ink, s->ground);
		else
			line_mark_link(line, s->role, s->begin, s->end, doc->links.text + s->link);
	}
}

#define BODYS_COLUMN UINT64_MAX

static bool body_line(const struct doc *doc, uint64_t row, uint64_t column, int width,
                      struct line *line)
{
	const struct body_kind *kind = doc->body->kind;
	struct str text = {0};
	struct err err = {0};

	if (column != BODYS_COLUMN && kind->cells
	            ? kind->cells->line(doc->body, row, column, width, line, &err)
	            : kind->line(doc->body, row, width, line, &err))
		return true;
	line_reset(line);
	err_put(&text, err.src, &err);
	line_fmt(line, ROLE_ERROR, "ERROR: %s", text.text);
	str_release(&text);
	return false;
}

bool doc_line(const struct doc *doc, uint64_t row, int width, struct line *line)
{
	return doc_line_from(doc, row, BODYS_COLUMN, width, line);
}

bool doc_line_from(const struct doc *doc, uint64_t row, uint64_t column, int width,
                   struct line *line)
{
	uint64_t before = doc_body_row(doc), in_body = body_rows(doc);

	line_reset(line);
	if (row >= before && row - before < in_body)
		return body_line(doc, row - before, column, width, line);
	if (row >= before)
		row -= in_body;
	if (row < doc->rows.len)
		stored_line(doc, (size_t)row, line);
	return true;
}

bool doc_line_staged(const struct doc *doc, uint64_t row, const struct stage *stage, int width,
                     struct line *line)
{
	uint64_t before = doc_body_row(doc);

	if (row < before || row - before >= body_rows(doc))
		return doc_line(doc, row, width, line);
	line_reset(line);
	doc_stage(doc)->line(doc->body, row - before, stage, width, line);
	return true;
}

const struct stage_kind *doc_stage(const struct doc *doc)
{
	return doc->body ? doc->body->kind->stage : NULL;
}

uint64_t doc_heading(const struct doc *doc)
{
	return doc_stage(doc) ? doc_stage(doc)->n_heading(doc->body) : doc_cells(doc) ? 1 : 0;
}

const struct cells_kind *doc_cells(const struct doc *doc)
{
	return doc->body ? doc->body->kind->cells : NULL;
}

void doc_typed_failure(struct doc *doc)
{
	doc->tells_failure = true;
}

bool doc_tells_failure(const struct doc *doc)
{
	return doc->tells_failure;
}

void doc_set_of_step(struct doc *doc)
{
	doc->of_step = true;
}

void doc_set_of_runs(struct doc *doc)
{
	doc->of_runs = true;
}

bool doc_of_runs(const struct doc *doc)
{
	return doc->of_runs;
}

void doc_set_fitted(struct doc *doc)
{
	doc->fitted = true;
}

bool doc_is_fitted(const struct doc *doc)
{
	return doc->fitted;
}

bool doc_of_step(const struct doc *doc)
{
	return doc->of_step;
}

void doc_set_title(struct doc *doc, const char *text, enum title_look look, const void *about)
{
	doc->title = arena_alloc(&doc->mem, sizeof *doc->title);
	*doc->title = (struct doc_title){ arena_copy(&doc->mem, text, strlen(text)), look, about };
}

void doc_set_more(struct doc *doc, const char *words)
{
	doc->more = words;
}

const char *doc_more(const struct doc *doc)
{
	return doc->more;
}

void doc_set_wants(struct doc *doc, const char *line)
{
	doc->wants = line;
}

const char *doc_wants(const struct doc *doc)
{
	return doc->wants;
}

const struct doc_title *doc_title(const struct doc *doc)
{
	return doc->title;
}

enum body_state doc_work(struct doc *doc, struct progress *progress)
{
	if (!doc->body || !doc->body->kind->work)
		return BODY_DONE;
	return doc->body->kind->work(doc->body, progress);
}

void doc_settle(struct doc *doc, uint64_t row, struct progress *progress)
{
	while (row >= doc_body_row(doc) + body_rows(doc) && doc_work(doc, progress) == BODY_WORKING)
		;
}

bool doc_has_start_row(const struct doc *doc)
{
	return doc->has_start_row;
}

uint64_t doc_start_row(const struct doc *doc)
{
	return doc->start_row;
}

const struct menu_item *doc_menu(const struct doc *doc, size_t *n)
{
	*n = doc->menu.len;
	return doc->menu.at;
}

const struct doc_tensor *doc_get_tensor(const struct doc *doc)
{
	return doc->tensor;
}

bool doc_find_element(const struct doc *doc, const int64_t *index, uint32_t rank, uint64_t *row)
{
	if (!doc->body || !doc->body->kind->find ||
	    !doc->body->kind->find(doc->body, index, rank, row))
		return false;
	*row += doc->head_rows;
	return true;
}

/* Signs. */

enum row_sign sign_of_both(enum row_sign a, enum row_sign b)
{
	static const int gravity[] = {
		[SIGN_NONE] = 0, [SIGN_HARMLESS] = 1, [SIGN_CANT_TELL] = 2, [SIGN_UNKNOWN] = 3,
		[SIGN_DAMAGED] = 4, [SIGN_BAD] = 5, [SIGN_ORIGIN] = 6,
	};

	return gravity[a] > gravity[b] ? a : b;
}

void doc_bring_signs(struct doc *doc, const struct doc_signs *signs, void *context)
{
	doc->signs = signs;
	doc->signs_context = context;
}

bool doc_has_signs(const struct doc *doc)
{
	return doc->signs && doc->signs->of;
}

enum row_sign doc_sign(const struct doc *doc, uint64_t row, bool look)
{
	uint64_t head = doc_body_row(doc);

	if (!doc_has_signs(doc) || row < head || row - head >= body_rows(doc))
		return SIGN_NONE;
	return doc->signs->of(doc->signs_context, row - head, look);
}

bool doc_say_row(const struct doc *doc, uint64_t row, bool fine, struct str *out)
{
	uint64_t head = doc_body_row(doc);

	if (!doc->signs || !doc->signs->say || row < head || row - head >= body_rows(doc))
		return false;
	doc->signs->say(doc->signs_context, row - head, fine, out);
	return true;
}

bool doc_has_summary(const struct doc *doc)
{
	return doc->signs && doc->signs->sum_up;
}

enum row_sign doc_sum_up(const struct doc *doc, int cols, bool fine, struct str *out)
{
	return doc->signs->sum_up(doc->signs_context, cols, fine, out);
}

bool doc_signs_go_on(const struct doc *doc, uint64_t *told)
{
	return doc->signs && doc->signs->go_on && doc->signs->go_on(doc->signs_context, told);
}

/* Keys. */

void doc_bring_keys(struct doc *doc, const struct doc_keys *keys, doc_put_key *put, void *context)
{
	vec_push(&doc->keys, ((struct key_set){ keys, put, context }));
}

const struct doc_keys *doc_keys(const struct doc *doc, size_t i)
{
	return i < doc->keys.len ? doc->keys.at[i].keys : NULL;
}

/* The first set that has the key, and the key in it. */
static const struct key_set *find_key(const struct doc *doc, int key, const struct doc_key **row)
{
	for (size_t i = 0; i < doc->keys.len; i++)
		for (size_t k = 0; k < doc->keys.at[i].keys->n; k++) {
			*row = &doc->keys.at[i].keys->at[k];
			if ((*row)->key == key)
				return &doc->keys.at[i];
		}
	return NULL;
}

const struct doc_key *doc_find_key(const struct doc *doc, int key)
{
	const struct doc_key *row;

	return find_key(doc, key, &row) ? row : NULL;
}

bool doc_put_line(const struct doc *doc, const struct doc_at *at, struct str *out)
{
	const struct doc_key *row;
	const struct key_set *set = find_key(doc, at->key, &row);

	if (set && set->put && !row->refusal)
		return set->put(set->context, at, out);
	str_puts(out, set && row->refusal ? row->refusal : NOTHING_CHANGES);
	return false;
}

/* Typed answers. */

static void put_lines(struct doc *doc, struct data *data, struct progress *progress)
{
	struct line line = {0};

	data_list(data);
	for (uint64_t row = 0; ; row++) {
		doc_settle(doc, row, progress);
		if (row >= doc_rows(doc) || progress_cancelled(progress))
			break;
		doc_line(doc, row, 0, &line);
		data_object(data);
		data_key(data, "line");
		data_text(data, str_text(&line.text), line.text.len);
		data_end(data);
	}
	data_end(data);
	line_release(&line);
}

bool doc_write_data(struct doc *doc, struct data *data, struct progress *progress, struct err *err)
{
	if (data->format == DATA_JSON && doc->put_beside &&
	    !doc->put_beside(doc->data_context, data, progress, err))
		return false;
	if (data->format == DATA_JSON)
		data_key(data, doc->put_data && doc->shape == DATA_VALUE ? "value" : "rows");
	if (!doc->put_data)
		put_lines(doc, data, progress);
	else if (!doc->put_data(doc->data_context, data, progress, err))
		return false;
	return !progress_cancelled(progress) || err_at(err, ERR_CANCELLED, "command", 0, "stopped");
}

size_t doc_warnings(const struct doc *doc)
{
	return doc->warnings.len;
}

const char *doc_warning(const struct doc *doc, size_t i)
{
	return doc->warnings.at[i];
}

/*
 * All files are read at once, row by row, the one with the least key next. Rows of sources come
 * before all others: they are gathered, as a full set of shards becomes one row.
 */
#include "dump/summary/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "dump/base/mem.h"
#include "dump/base/vec.h"
#include "dump/summary/reader.h"
#include "dump/summary/writer.h"

enum { STEP_ROWS = 1024 };

/* A file, and the row it is at. */
struct input {
	struct summary_reader *reader;
	struct summary_row row;
};

/* The value of a row: in memory, or else where it lies. */
struct part {
	const char *held;
	struct summary_reader *in;
	uint64_t off, len;
};

/* What one file says of a source. */
struct source_row {
	char *key, *value;
	struct summary_key parts;        /* of key */
	size_t key_len, len;
	const char *path;
};

struct merging {
	struct input *inputs;
	size_t n;                        /* that were opened */
	struct input **heap;             /* those that have a row, the least first */
	size_t n_heap;
	VEC(struct source_row) sources;  /* in order */
	struct summary_writer writer;
	struct str key, value;           /* the row before, not written yet */
	struct part last;                /* its value */
	const char *path;                /* that it came from; NULL: there is none */
	struct merged *done;
	struct progress *progress;
	struct err *err;
};

/* ---- the least key */

static int order(struct text a, struct text b)
{
	int cmp = memcmp(a.at, b.at, a.len < b.len ? a.len : b.len);

	return cmp ? cmp : (a.len > b.len) - (a.len < b.len);
}

static bool is_less(const struct input *a, const struct input *b)
{
	int cmp = order(a->row.key_bytes, b->row.key_bytes);

	return cmp ? cmp < 0 : a < b;    /* as they were named */
}

static void sink(struct merging *m, size_t at)
{
	for (;;) {
		struct input *moved = m->heap[at];
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < m->n_heap; child++)
			if (is_less(m->heap[child], m->heap[least]))
				least = child;
		if (least == at)
			return;
		m->heap[at] = m->heap[least];
		m->heap[least] = moved;
		at = least;
	}
}

/* The next row of the first file of the heap. */
static bool advance(struct merging *m)
{
	if (!summary_next(m->heap[0]->reader, &m->heap[0]->row, m->err)) {
		if (m->err->code)
			return false;
		m->heap[0] = m->heap[--m->n_heap];
	}
	if (m->n_heap)
		sink(m, 0);
	return true;
}

/* Every file needs a descriptor. */
static void allow_files(size_t n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > n + 64)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static bool open_all(struct merging *m, const char *const *paths, size_t n)
{
	allow_files(n);
	m->inputs = mem_alloc(n * sizeof *m->inputs);
	m->heap = mem_alloc(n * sizeof *m->heap);
	for (; m->n < n; m->n++) {
		struct input *input = &m->inputs[m->n];

		input->reader = summary_open(paths[m->n], m->err);
		if (!input->reader)
			return false;
		if (summary_next(input->reader, &input->row, m->err))
			m->heap[m->n_heap++] = input;
		else if (m->err->code)
			return ++m->n, false;
	}
	for (size_t at = m->n_heap / 2; at-- > 0; )
		sink(m, at);
	return true;
}

/* ---- one row for each key */

static bool clash(struct merging *m, struct text key, const char *a, const char *b)
{
	struct summary_key parts;
	struct str name = {0};

	if (summary_read_key(key.at, key.len, &parts))
		summary_put_key_text(&name, &parts);
	err_fill(m->err, ERR_KEY, b, 0, "it and %s disagree about %s", a,
	         str_text(&name));
	str_release(&name);
	return false;
}

static void add_source(struct merging *m, const struct input *input)
{
	const struct summary_row *row = &input->row;
	struct source_row source = { .key_len = row->key_bytes.len, .len = row->value.len,
	                             .path = summary_path(input->reader) };

	source.key = mem_copy(row->key_bytes.at, row->key_bytes.len);
	source.value = mem_copy(row->value.len ? row->value.at : "", row->value.len);
	summary_read_key(source.key, source.key_len, &source.parts);
	vec_push(&m->sources, source);
}

static bool read_part(void *context, uint64_t from, size_t len, void *out, struct err *err)
{
	const struct part *part = context;

	if (!part->held)
		return summary_read_part(part->in, part->off + from, len, out, err);
	memcpy(out, part->held + from, len);
	return true;
}

static struct part part_of(const struct input *input)
{
	const struct summary_row *row = &input->row;

	return (struct part){ row->apart ? NULL : row->value.at, input->reader, row->off,
	                      row->len };
}

static bool write_last(struct merging *m)
{
	struct text key = { m->key.text, m->key.len };

	if (!m->path)
		return true;
	m->done->rows++;
	if (!m->last.held)
		return summary_add_apart(&m->writer, key, &(struct summary_value_source){
			m->last.len, read_part, &m->last }, m->err);
	summary_add(&m->writer, key, (struct text){ m->last.held, (size_t)m->last.len });
	return true;
}

/* False with the error of reading. */
static bool compare(struct merging *m, struct part a, struct part b, bool *same)
{
	enum { WINDOW = 16 * 1024 };
	char x[WINDOW], y[WINDOW];

	*same = a.len == b.len;
	if (*same && a.held && b.held)
		*same = !memcmp(a.held, b.held, (size_t)a.len);
	else
		for (uint64_t from = 0; *same && from < a.len; from += WINDOW) {
			size_t n = a.len - from < WINDOW ? (size_t)(a.len - from) : WINDOW;

			if (!read_part(&a, from, n, x, m->err)
			    || !read_part(&b, from, n, y, m->err))
				return false;
			*same = !memcmp(x, y, n);
		}
	return true;
}

/* The row becomes the last one, unless it is that already. */
static bool take_row(struct merging *m, const struct input *input)
{
	const struct summary_row *row = &input->row;
	struct text last = { m->key.text, m->key.len };
	bool same;

	if (m->path && !order(last, row->key_bytes))
		return compare(m, m->last, part_of(input), &same)
		       && (same || clash(m, last, m->path, summary_path(input->reader)));
	if (!write_last(m))
		return false;
	str_reset(&m->key);
	str_put(&m->key, row->key_bytes.at, row->key_bytes.len);
	str_reset(&m->value);
	if (row->value.len)
		str_put(&m->value, row->value.at, row->value.len);
	m->last = part_of(input);
	if (m->last.held)
		m->last.held = str_text(&m->value);
	m->path = summary_path(input->reader);
	return true;
}

static bool step(struct merging *m, size_t n)
{
	uint64_t done = 0, total = 0, bytes;

	if (n % STEP_ROWS)
		return true;
	for (size_t i = 0; i < m->n; i++) {
		done += summary_read_bytes(m->inputs[i].reader, &bytes);
		total += bytes;
	}
	return progress_step(m->progress, done, total) ||
	       err_at(m->err, ERR_CANCELLED, "command", 0, "cancelled");
}

/* ---- sources */

static bool is_of_one_dump(const struct source_row *a, const struct source_row *b)
{
	return !strcmp(a->parts.worker, b->parts.worker) && !strcmp(a->parts.node, b->parts.node);
}

/* Of the sources [from, to) of one dump, which are sorted: are all shards of some number there? */
static bool is_whole(const struct source_row *rows, size_t from, size_t to)
{
	uint64_t next = 1;

	for (size_t i = from; i < to; i++) {
		const struct summary_key *key = &rows[i].parts;

		if (i > from && key->slot != rows[i - 1].parts.slot)
			next = 1;
		else if (i > from && key->number == rows[i - 1].parts.number)
			continue;
		next = key->number == next ? next + 1 : 0;
		if (key->slot && next == (uint64_t)key->slot + 1)
			return true;
	}
	return false;
}

static void write_source(struct merging *m, const struct source_row *row, bool whole)
{
	struct summary_key key = row->parts;
	struct str bytes = {0};

	if (whole)
		key.slot = key.number = 1;
	summary_put_key(&bytes, &key);
	summary_add(&m->writer, (struct text){ bytes.text, bytes.len },
	            (struct text){ row->value, row->len });
	m->done->rows++;
	str_release(&bytes);
}

/* Those of one dump: all say the same of it. */
static bool write_dump(struct merging *m, size_t from, size_t to)
{
	const struct source_row *rows = m->sources.at;
	bool whole = is_whole(rows, from, to);

	for (size_t i = from + 1; i < to; i++)
		if (rows[i].len != rows[from].len ||
		    memcmp(rows[i].value, rows[from].value, rows[from].len) != 0)
			return clash(m, (struct text){ rows[i].key, rows[i].key_len },
			             rows[from].path, rows[i].path);
	for (size_t i = from; i < to && (!whole || i == from); i++)
		if (i == from || rows[i].parts.number != rows[i - 1].parts.number
		    || rows[i].parts.slot != rows[i - 1].parts.slot)
			write_source(m, &rows[i], whole);
	m->done->sources++;
	m->done->incomplete += !whole;
	return true;
}

static bool write_sources(struct merging *m)
{
	size_t from = 0;
	bool ok = true;

	for (size_t i = 1; ok && i <= m->sources.len; i++) {
		if (i < m->sources.len && is_of_one_dump(&m->sources.at[from], &m->sources.at[i]))
			continue;
		ok = write_dump(m, from, i);
		from = i;
	}
	return ok;
}

/* ---- all of it */

static bool merge_rows(struct merging *m)
{
	bool ok = true;

	while (ok && m->n_heap && m->heap[0]->row.key.kind == SUMMARY_SOURCE) {
		add_source(m, m->heap[0]);
		ok = advance(m);
	}
	ok = ok && write_sources(m);
	for (size_t i = 0; ok && m->n_heap; i++)
		ok = take_row(m, m->heap[0]) && step(m, i) && advance(m);
	return ok && write_last(m);
}

static void release(struct merging *m)
{
	for (size_t i = 0; i < m->n; i++)
		summary_close(m->inputs[i].reader);
	for (size_t i = 0; i < m->sources.len; i++) {
		free(m->sources.at[i].key);
		free(m->sources.at[i].value);
	}
	vec_release(&m->sources);
	free(m->inputs);
	free(m->heap);
	str_release(&m->key);
	str_release(&m->value);
	summary_writer_release(&m->writer);
}

bool summary_merge(const char *const *paths, size_t n, FILE *out, struct merged *done,
                   struct progress *progress, struct err *err)
{
	struct merging m = { .done = done, .progress = progress, .err = err };
	bool ok;

	*done = (struct merged){0};
	if (progress)
		atomic_store(&progress->what, "bytes of summaries");
	summary_begin(&m.writer, out);
	ok = open_all(&m, paths, n) && merge_rows(&m);
	if (ok)
		summary_finish(&m.writer);
	release(&m);
	return ok;
}

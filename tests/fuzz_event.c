/* A dump file, opened as a v1 dump and as a TensorProto; its value read, summed up and printed. */
#include "dump/model/value.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/array/array.h"
#include "dump/base/utf8.h"
#include "dump/model/stats.h"
#include "tests/input.h"

#define ELEMENTS_MAX 2000        /* looked at one by one */
#define ROWS_MAX 200

static void read_numbers(struct value *value, size_t n)
{
	size_t size = value->type->elem_bytes;
	unsigned char *all = mem_alloc(n * size), one[16];
	struct err err = {0};

	if (value_read(value, 0, n, all, &err))
		for (size_t i = 0; i < n; i++) {
			MUST(value_read(value, i, 1, one, &err));
			MUST(!memcmp(one, all + i * size, size));
		}
	if (value->count)
		value_read(value, value->count - 1, 1, one, NULL);
	free(all);
}

static void read_strings(struct value *value, size_t n)
{
	struct err err = {0};
	const char *text;
	size_t len;

	for (size_t i = 0; i < n; i++)
		if (value_string(value, n - 1 - i, &text, &len, &err))
			utf8_columns(text, len);
}

static void sum_up(struct value *value)
{
	struct err err = {0};
	struct stats stats;
	struct view view;

	view_all(&view, value);
	has_inf_or_nan(value, NULL, &err);
	if (stats_of(&view, &stats, NULL, &err))
		MUST(stats.total == value->count && stats.n_finite <= stats.total);
}

/* Takes the value over. */
static void print(struct value *value)
{
	struct array_style style = {0};
	struct line line = {0};
	struct err err = {0};
	struct view view;
	struct body *body;
	uint64_t rows;

	view_all(&view, value);
	body = array_body(value, &view, &style, NULL, &err);
	MUST(body || err.code);
	if (!body)
		return;
	rows = body->kind->rows(body);
	for (uint64_t row = 0; row < rows && row < ROWS_MAX; row++) {
		line_reset(&line);
		body->kind->line(body, row, 0, &line, &err);
		line_reset(&line);
		body->kind->line(body, rows - 1 - row, 20, &line, &err);
	}
	line_release(&line);
	body->kind->free(body);
}

static void examine(struct value *value)
{
	size_t n = value->count < ELEMENTS_MAX ? (size_t)value->count : ELEMENTS_MAX;
	struct str text = {0};

	value_proto_text(value, &text, NULL);
	str_release(&text);
	if (value->state != VALUE_ARRAY) {
		value_close(value);
		return;
	}
	if (value->type->kind == KIND_STRING)
		read_strings(value, n);
	else
		read_numbers(value, n);
	if (value->count <= ELEMENTS_MAX)
		sum_up(value);
	print(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	struct err err = {0};
	struct value *value = value_open_event(path, &err);

	MUST(value || err.code);
	if (value)
		examine(value);
	value = value_open_proto(path, 0, size, true, NULL);
	if (value)
		examine(value);
	return 0;
}

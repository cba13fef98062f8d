#include "cmds/doc/data.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmds/lang/number.h"
#include "dump/base/utf8.h"

#define WRITE_CHUNK (64 * 1024)

void data_open(struct data *data, enum data_format format, FILE *out)
{
	*data = (struct data){ .out = out, .format = format, .first = true };
}

static void flush(struct data *data)
{
	if (!data->out)
		return;
	if (fwrite(str_text(&data->text), 1, data->text.len, data->out) != data->text.len &&
	    !data->write_errno)
		data->write_errno = errno ? errno : EIO;
	str_reset(&data->text);
}

bool data_finish(struct data *data)
{
	assert(!data->open.len);
	if (data->format == DATA_JSON)
		str_putc(&data->text, '\n');
	flush(data);
	str_release(&data->text);
	str_release(&data->cell);
	str_release(&data->row);
	str_release(&data->heading);
	vec_release(&data->open);
	return !data->write_errno;
}

/* CSV. The rows are the objects or lists in the outermost list, or the outermost object alone. */

static size_t row_level(const struct data *data)
{
	return data->open.len && data->open.at[0] == '[' ? 2 : 1;
}

static bool is_table(const struct data *data)
{
	return data->format == DATA_CSV && data->open.len <= row_level(data);
}

static void put_csv_cell(struct str *out, const struct str *cell)
{
	if (!cell->len || !strpbrk(cell->text, ",\"\r\n")) {
		str_put(out, str_text(cell), cell->len);
		return;
	}
	str_putc(out, '"');
	for (size_t i = 0; i < cell->len; i++)
		str_fmt(out, cell->text[i] == '"' ? "\"\"" : "%c", cell->text[i]);
	str_putc(out, '"');
}

/* Moves what there is of the row to the text; only once the heading, if any, is complete. */
static void put_row_text(struct data *data)
{
	str_put(&data->text, str_text(&data->row), data->row.len);
	str_reset(&data->row);
	if (data->text.len >= WRITE_CHUNK)
		flush(data);
}

/* After a value: ends the cell if the value was all of it. */
static void end_value(struct data *data)
{
	data->first = false;
	if (data->format == DATA_JSON) {
		if (data->text.len >= WRITE_CHUNK)
			flush(data);
		return;
	}
	if (data->open.len != row_level(data))
		return;
	if (data->any_cell)
		str_putc(&data->row, ',');
	put_csv_cell(&data->row, &data->cell);
	str_reset(&data->cell);
	data->any_cell = true;
	if (data->row.len >= WRITE_CHUNK && (data->heading_done || !data->heading.len))
		put_row_text(data);
}

static void put_heading(struct data *data)
{
	if (data->heading.len && !data->heading_done)
		str_fmt(&data->text, "%s\n", data->heading.text);
	data->heading_done = true;
}

static void end_row(struct data *data)
{
	put_heading(data);
	str_putc(&data->row, '\n');
	put_row_text(data);
	data->any_cell = false;
}

/* JSON. */

static struct str *json_out(struct data *data)
{
	return data->format == DATA_JSON ? &data->text : &data->cell;
}

/* Puts a comma if one is due. Returns where the value goes. */
static struct str *begin_value(struct data *data)
{
	struct str *out = json_out(data);

	if (data->open.len && *vec_last(&data->open) == '[' && !data->first && !is_table(data))
		str_putc(out, ',');
	return out;
}

static void open_with(struct data *data, char bracket)
{
	struct str *out = begin_value(data);

	vec_push(&data->open, bracket);
	if (!is_table(data))
		str_putc(out, bracket);
	data->first = true;
}

void data_list(struct data *data)
{
	open_with(data, '[');
}

void data_rows(struct data *data, const char *keys)
{
	data_list(data);
	if (data->format != DATA_CSV)
		return;
	str_puts(&data->heading, keys);
	data->heading_given = true;
}

void data_object(struct data *data)
{
	open_with(data, '{');
}

void data_end(struct data *data)
{
	bool table = is_table(data), row = table && data->open.len == row_level(data);
	char bracket = *vec_last(&data->open);

	if (!table)
		str_putc(json_out(data), bracket == '[' ? ']' : '}');
	if (row)
		end_row(data);
	else if (table && data->heading_given)
		put_heading(data);
	data->open.len--;
	data->first = false;
	if (!table)
		end_value(data);
}

void data_close(struct data *data, size_t depth)
{
	const struct str *out = json_out(data);

	if (data->open.len > depth && out->len && out->text[out->len - 1] == ':')
		data_null(data);
	while (data->open.len > depth)
		data_end(data);
}

/* \uXXXX; a code point above 16 bits as two surrogates. */
static void put_unit(struct str *out, uint32_t cp)
{
	if (cp > 0xffff)
		str_fmt(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (cp >> 10)),
		        (unsigned)(0xdc00 | (cp & 0x3ff)));
	else
		str_fmt(out, "\\u%04x", (unsigned)cp);
}

static void put_json_text(struct str *out, const char *text, size_t len)
{
	str_putc(out, '"');
	while (len) {
		uint32_t cp;
		size_t n = utf8_next(text, len, &cp);

		if (len >= 2 && !memcmp(text, UTF8_NUL, 2)) {
			str_puts(out, "\\u0000");
			n = 2;
		} else if (cp == UTF8_BAD)
			str_fmt(out, "\\udc%02x", (unsigned char)*text);
		else if (cp == '"' || cp == '\\')
			str_fmt(out, "\\%c", (char)cp);
		else if (cp == '\n' || cp == '\t')
			str_puts(out, cp == '\n' ? "\\n" : "\\t");
		else if (utf8_is_hidden(cp))
			put_unit(out, cp);
		else
			str_put(out, text, n);
		text += n;
		len -= n;
	}
	str_putc(out, '"');
}

void data_key(struct data *data, const char *key)
{
	assert(*vec_last(&data->open) == '{');
	if (!is_table(data)) {
		struct str *out = json_out(data);

		if (!data->first)
			str_putc(out, ',');
		put_json_text(out, key, strlen(key));
		str_putc(out, ':');
	} else if (!data->heading_done && !data->heading_given) {
		str_fmt(&data->heading, "%s%s", data->heading.len ? "," : "", key);
	}
	data->first = false;
}

/* Single values. A text that is a whole cell has no quotes there; null is an empty cell. */

static bool is_cell(const struct data *data)
{
	return data->format == DATA_CSV && data->open.len == row_level(data);
}

void data_literal(struct data *data, const char *text)
{
	str_puts(begin_value(data), text);
	end_value(data);
}

void data_null(struct data *data)
{
	data_literal(data, is_cell(data) ? "" : "null");
}

void data_bool(struct data *data, bool value)
{
	data_literal(data, value ? "true" : "false");
}

void data_int_or_null(struct data *data, int64_t value)
{
	if (value < 0)
		data_null(data);
	else
		data_int(data, value);
}

void data_int(struct data *data, int64_t value)
{
	str_fmt(begin_value(data), "%" PRId64, value);
	end_value(data);
}

void data_uint(struct data *data, uint64_t value)
{
	str_fmt(begin_value(data), "%" PRIu64, value);
	end_value(data);
}

void data_float(struct data *data, double value, int bits)
{
	const char *quote = is_cell(data) ? "" : "\"";

	if (isnan(value)) {
		str_fmt(begin_value(data), "%sNaN%s", quote, quote);
	} else if (isinf(value)) {
		str_fmt(begin_value(data), "%s%sInfinity%s", quote, value < 0 ? "-" : "", quote);
	} else {
		put_float(begin_value(data), value, bits);
	}
	end_value(data);
}

/* Keeps newlines and tabs; escapes what a terminal must not see. */
static void put_cell_text(struct str *out, const char *text, size_t len)
{
	while (len) {
		uint32_t cp;
		size_t n = utf8_next_cell(text, len, &cp);

		if (cp == '\n' || cp == '\t')
			str_put(out, text, n);
		else
			utf8_cell(out, text, n, cp);
		text += n;
		len -= n;
	}
}

void data_text(struct data *data, const char *text, size_t len)
{
	struct str *out = begin_value(data);

	if (is_cell(data))
		put_cell_text(out, text, len);
	else
		put_json_text(out, text, len);
	end_value(data);
}

void data_ints(struct data *data, const int64_t *values, size_t n)
{
	data_list(data);
	for (size_t i = 0; i < n; i++)
		data_int(data, values[i]);
	data_end(data);
}

void data_str(struct data *data, const char *text)
{
	if (text)
		data_text(data, text, strlen(text));
	else
		data_null(data);
}

static void put_complex(struct data *data, const struct dtype_info *type, const void *elem)
{
	double re, im;
	int bits = type->dtype == DTYPE_COMPLEX64 ? 32 : 64;

	if (bits == 32) {
		float parts[2];

		memcpy(parts, elem, sizeof parts);
		re = parts[0], im = parts[1];
	} else {
		memcpy(&re, elem, sizeof re);
		memcpy(&im, (const char *)elem + sizeof re, sizeof im);
	}
	data_list(data);
	data_float(data, re, bits);
	data_float(data, im, bits);
	data_end(data);
}

static void put_real(struct data *data, const struct dtype_info *type, const void *elem)
{
	float single;
	double full;
	uint16_t half;

	switch (type->elem_bytes) {
	case 2:
		memcpy(&half, elem, sizeof half);
		data_float(data, half_value(half), 16);
		break;
	case 4:
		memcpy(&single, elem, sizeof single);
		data_float(data, single, 32);
		break;
	default:
		memcpy(&full, elem, sizeof full);
		data_float(data, full, 64);
		break;
	}
}

void data_elem(struct data *data, const struct dtype_info *type, const void *elem)
{
	switch (type->kind) {
	case KIND_COMPLEX:
		put_complex(data, type, elem);
		break;
	case KIND_FLOAT:
		put_real(data, type, elem);
		break;
	case KIND_SMALL_FLOAT:
		data_float(data, small_float_value(type->dtype, elem), 32);
		break;
	case KIND_BOOL:
		data_bool(data, int_value(type->dtype, elem) != 0);
		break;
	case KIND_UINT:
		data_uint(data, (uint64_t)int_value(type->dtype, elem));
		break;
	default:
		data_int(data, int_value(type->dtype, elem));
		break;
	}
}

/* A row that fills a frame by itself goes straight to the stream: nothing else holds its value. */
#include "dump/summary/writer.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/crc32c.h"
#include "dump/summary/fields.h"

#define FRAME_BYTES (64 * 1024)          /* a frame with so many is full */
enum { WINDOW = 64 * 1024 };             /* of a value that is not in memory */

static void put_bytes(struct summary_writer *writer, const void *bytes, size_t len)
{
	fwrite(bytes, 1, len, writer->out);
	writer->crc = crc32c(writer->crc, bytes, len);
}

static void put_low_first(unsigned char *out, uint32_t number)
{
	for (int i = 0; i < 4; i++)
		out[i] = (unsigned char)(number >> (8 * i));
}

/* The head of a frame before it has its checksum, which this begins. */
static uint32_t begin_head(unsigned char *head, char kind, uint64_t len)
{
	head[0] = (unsigned char)kind;
	put_low_first(head + 1, (uint32_t)len);
	return crc32c(0, head, 5);
}

static void put_frame(struct summary_writer *writer, char kind, const struct str *payload)
{
	unsigned char head[SUMMARY_FRAME_BYTES];
	uint32_t crc = begin_head(head, kind, payload->len);

	put_low_first(head + 5, crc32c(crc, payload->text, payload->len));
	put_bytes(writer, head, sizeof head);
	put_bytes(writer, payload->text, payload->len);
}

void summary_begin(struct summary_writer *writer, FILE *out)
{
	struct str head = {0};

	*writer = (struct summary_writer){ .out = out };
	put_bytes(writer, SUMMARY_MAGIC, SUMMARY_MAGIC_BYTES);
	field_put_number(&head, 1, SUMMARY_VERSION);
	put_frame(writer, SUMMARY_HEAD, &head);
	str_release(&head);
}

static void end_frame(struct summary_writer *writer)
{
	if (writer->rows.len)
		put_frame(writer, SUMMARY_ROWS, &writer->rows);
	str_reset(&writer->rows);
}

static size_t shared_bytes(const struct summary_writer *writer, struct text key)
{
	const struct str *last = &writer->last_key;
	size_t n = 0;

	if (!writer->rows.len)
		return 0;
	while (n < last->len && n < key.len && last->text[n] == key.at[n])
		n++;
	return n;
}

/* What stands before the value of the only row of a frame. */
static void put_row_head(struct str *out, struct text key, uint64_t len)
{
	varint_put(out, 0);
	varint_put(out, key.len);
	varint_put(out, len);
	str_put(out, key.at, key.len);
}

/* Hands all of a value on: to *crc, and to the stream if there is a writer. */
static bool pass(const struct summary_value_source *value, uint32_t *crc,
                 struct summary_writer *writer, struct err *err)
{
	char *window = mem_alloc(WINDOW);
	uint64_t from = 0;
	bool ok = true;

	while (ok && from < value->len) {
		size_t n = value->len - from < WINDOW ? (size_t)(value->len - from) : WINDOW;

		ok = value->read(value->context, from, n, window, err);
		if (!ok)
			break;
		*crc = crc32c(*crc, window, n);
		if (writer)
			put_bytes(writer, window, n);
		from += n;
	}
	free(window);
	return ok;
}

bool summary_add_apart(struct summary_writer *writer, struct text key,
                       const struct summary_value_source *value, struct err *err)
{
	unsigned char head[SUMMARY_FRAME_BYTES];
	struct str row = {0};
	uint32_t crc, again;
	bool ok;

	end_frame(writer);
	put_row_head(&row, key, value->len);
	again = crc = crc32c(begin_head(head, SUMMARY_ROWS, row.len + value->len), row.text,
	                     row.len);
	ok = pass(value, &crc, NULL, err);
	if (ok) {
		put_low_first(head + 5, crc);
		put_bytes(writer, head, sizeof head);
		put_bytes(writer, row.text, row.len);
		ok = pass(value, &again, writer, err);
	}
	if (ok && again != crc)
		ok = err_at(err, ERR_IO, "command", 0, "what is read changes meanwhile");
	writer->n_rows++;
	str_release(&row);
	return ok;
}

static bool read_memory(void *context, uint64_t from, size_t len, void *out, struct err *err)
{
	(void)err;
	memcpy(out, (const char *)context + from, len);
	return true;
}

void summary_add(struct summary_writer *writer, struct text key, struct text value)
{
	size_t shared;

	if (value.len > FRAME_BYTES) {
		struct summary_value_source source = { value.len, read_memory, (char *)value.at };

		summary_add_apart(writer, key, &source, NULL);
		return;
	}
	if (writer->rows.len && writer->rows.len + key.len + value.len > FRAME_BYTES)
		end_frame(writer);
	shared = shared_bytes(writer, key);
	varint_put(&writer->rows, shared);
	varint_put(&writer->rows, key.len - shared);
	varint_put(&writer->rows, value.len);
	str_put(&writer->rows, key.at + shared, key.len - shared);
	if (value.len)
		str_put(&writer->rows, value.at, value.len);
	str_reset(&writer->last_key);
	str_put(&writer->last_key, key.at, key.len);
	writer->n_rows++;
}

void summary_finish(struct summary_writer *writer)
{
	struct str end = {0};

	end_frame(writer);
	field_put_number(&end, 1, writer->n_rows);
	field_put_number(&end, 2, writer->crc);
	put_frame(writer, SUMMARY_END, &end);
	str_release(&end);
}

void summary_writer_release(struct summary_writer *writer)
{
	str_release(&writer->rows);
	str_release(&writer->last_key);
}

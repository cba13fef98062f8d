#include "dump/summary/writer.h"

#include <string.h>

#include "dump/format/crc32c.h"
#include "dump/summary/fields.h"

#define FRAME_BYTES (64 * 1024)          /* a frame with so many is full */

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

static void put_frame(struct summary_writer *writer, char kind, const struct str *payload)
{
	unsigned char head[SUMMARY_FRAME_BYTES] = { (unsigned char)kind };

	put_low_first(head + 1, (uint32_t)payload->len);
	put_low_first(head + 5, crc32c(crc32c(0, head, 5), payload->text, payload->len));
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

void summary_add(struct summary_writer *writer, struct text key, struct text value)
{
	size_t shared;

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

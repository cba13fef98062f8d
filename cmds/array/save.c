/*
 * One row for each format: what it can hold and how it is written to a stream. Failed writes are
 * reported by the writer.
 */
#include "cmds/array/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/npy.h"
#include "cmds/array/value_data.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/writer.h"
#include "dump/format/crc32.h"

#define BLOCK_BYTES (1024 * 1024)

/* Swaps numbers of `width` bytes in place, if the host is big-endian. */
static void put_low_byte_first(unsigned char *block, size_t len, size_t width)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		return;
	for (size_t i = 0; i + width <= len; i += width)
		for (size_t a = i, b = i + width - 1; a < b; a++, b--) {
			unsigned char kept = block[a];

			block[a] = block[b];
			block[b] = kept;
		}
}

bool save_elements(struct view *view, FILE *out, uint32_t *crc, struct progress *progress,
                   struct err *err)
{
	const struct dtype_info *type = view->value->type;
	size_t bytes = type->elem_bytes, room = BLOCK_BYTES / bytes;
	size_t width = type->kind == KIND_COMPLEX ? bytes / 2 : bytes;
	unsigned char *block = mem_alloc(BLOCK_BYTES);
	bool ok = true;

	for (uint64_t done = 0; ok && done < view->count; done += room) {
		size_t n = view->count - done < room ? (size_t)(view->count - done) : room;

		ok = view_read(view, done, n, block, err);
		if (!ok)
			break;
		put_low_byte_first(block, n * bytes, width);
		if (crc)
			*crc = crc32_add(*crc, block, n * bytes);
		if (fwrite(block, bytes, n, out) != n)
			ok = false;
		else if (!progress_step(progress, done + n, view->count))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	free(block);
	return ok;
}

static bool write_bin(struct view *view, FILE *out, struct progress *progress, struct err *err)
{
	return save_elements(view, out, NULL, progress, err);
}

static bool write_npy(struct view *view, FILE *out, struct progress *progress, struct err *err)
{
	struct str header = {0};
	bool ok;

	npy_put_header(&header, view->value->type, &view->shape);
	ok = fwrite(header.text, 1, header.len, out) == header.len;
	str_release(&header);
	return ok && write_bin(view, out, progress, err);
}

static bool write_csv(struct view *view, FILE *out, struct progress *progress, struct err *err)
{
	struct data data;
	bool ok;

	data_open(&data, DATA_CSV, out);
	ok = value_put_table(view, &data, progress, err);
	while (data.open.len)
		data_end(&data);
	return data_finish(&data) && ok;
}

static bool holds_all(const struct dtype_info *type)
{
	(void)type;
	return true;
}

static bool holds_fixed(const struct dtype_info *type)
{
	return type->elem_bytes > 0;
}

static const struct format {
	const char *ending;
	bool (*holds)(const struct dtype_info *type);
	bool (*write)(struct view *view, FILE *out, struct progress *progress, struct err *err);
} formats[] = {
	{ ".csv", holds_all, write_csv },
	{ ".bin", holds_fixed, write_bin },
	{ ".npy", npy_holds, write_npy },
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

/* By the path's ending; the last format for any other. */
static const struct format *format_of(const char *path)
{
	size_t i = 0;

	while (i + 1 < N_FORMATS && !text_ends(path, formats[i].ending))
		i++;
	return &formats[i];
}

bool save_view_beside(const char *path, struct view *view, struct writer **out,
                      uint64_t *size_bytes, struct progress *progress, struct err *err)
{
	const struct format *format = format_of(path);
	struct writer *writer;
	bool ok;

	if (!format->holds(view->value->type))
		return err_at(err, ERR_UNSUPPORTED, "command", 0,
		              "%s: a %s file cannot hold elements of type %s", path,
		              format->ending, view->value->type->name);
	writer = writer_open(path, WRITER_REPLACE, err);
	if (!writer)
		return false;
	ok = format->write(view, writer_stream(writer), progress, err);
	*out = writer;
	return writer_finish(writer, ok, size_bytes, err);
}

bool save_view(const char *path, struct view *view, uint64_t *size_bytes,
               struct progress *progress, struct err *err)
{
	struct writer *writer;

	return save_view_beside(path, view, &writer, size_bytes, progress, err)
	       && writer_place(writer, true, err);
}

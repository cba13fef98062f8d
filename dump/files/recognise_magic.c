/*
 * Kinds with a sign of their own at the start, and files of records (TFRecord), whose heads check
 * themselves.
 */
#include <string.h>

#include "dump/base/mem.h"
#include "dump/files/recognise_parts.h"
#include "dump/format/gzip.h"
#include "dump/format/tar.h"
#include "dump/format/tfrecord.h"
#include "dump/format/wire.h"
#include "dump/format/zstd.h"

#define SIGN(bytes) bytes, sizeof bytes - 1

static const struct { const char *bytes; size_t len; enum file_kind kind; } signs[] = {
	{ SIGN("\x93NUMPY"), FILE_NPY },
	{ SIGN("\x89HDF\r\n\x1a\n"), FILE_HDF5 },
	{ SIGN("\x83\xaf\x70\xd1\x0d\x88\x4a\x3f"), FILE_RIEGELI },
	{ SIGN("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."), FILE_TORCH_OLD },
	{ SIGN("GGUF"), FILE_GGUF },
	{ SIGN("TDBGSUM"), FILE_SUMMARY },       /* then the version of its frames */
};

static bool is_pickle(const struct head *head)
{
	const unsigned char *last;

	if (head->len < 4 || head->bytes[0] != 0x80 || head->bytes[1] < 2 || head->bytes[1] > 5)
		return false;
	last = file_bytes(head->file, head->file->size - 1, 1, NULL);
	return last && *last == '.';
}

/* safetensors: the length of the JSON object that follows. */
static bool is_safetensors(const struct head *head)
{
	uint64_t len;
	size_t at = 8;

	if (head->len < 10)
		return false;
	len = little_endian(head->bytes, 8);
	while (at < head->len && head->bytes[at] == ' ')
		at++;
	return len >= 2 && len <= 100 * 1000 * 1000 && at < head->len && head->bytes[at] == '{';
}

/* Records. */

/*
 * An event, of TensorBoard or of tfdbg v2, begins with its time; in a file's first one is the
 * version of the format.
 */
static enum file_kind kind_of_record(const struct head *head, uint64_t len)
{
	struct field field;
	struct wire wire;
	bool any = false;

	wire_start(&wire, head->file, (struct span){ TFRECORD_HEAD, len });
	for (int n = 0; n < 4 && wire.off < head->file->size && wire_next(&wire, &field, NULL);
	     n++) {
		const char *text;

		if (field.number == 1 && field.type != WIRE_FIXED64)
			return FILE_RECORDS;
		any = any || field.number == 1;
		if (field.number != 3 || field.type != WIRE_BYTES || field.bytes.len > 4096)
			continue;
		text = file_bytes(head->file, field.bytes.off, (size_t)field.bytes.len, NULL);
		if (text && memmem(text, (size_t)field.bytes.len, "debug.Event:", 12))
			return FILE_DEBUG_EVENTS;
		if (text && field.bytes.len >= 12 && !memcmp(text, "brain.Event:", 12))
			return FILE_EVENTS;
	}
	if (any && !strncmp(head->name, "tfdbg_events.", 13))
		return FILE_DEBUG_EVENTS;
	return any && strstr(head->name, "tfevents") ? FILE_EVENTS : FILE_RECORDS;
}

/* The same as of a file that has only these bytes. */
static enum file_kind kind_of_bytes(const char *bytes, size_t len)
{
	struct file file = { .path = "", .fd = -1, .size = len, .len = len, .cap = len };
	enum file_kind kind = FILE_NONE;

	if (len) {
		file.window = (unsigned char *)mem_copy(bytes, len);
		kind = kind_by_message(&(struct head){ &file, "", file.window, len });
	}
	file_close(&file);
	return kind;
}

static bool is_tar(const void *bytes, size_t len)
{
	return len >= TAR_MAGIC_AT + strlen(TAR_MAGIC)
	       && !memcmp((const char *)bytes + TAR_MAGIC_AT, TAR_MAGIC, strlen(TAR_MAGIC));
}

static enum file_kind kind_of_gzip(const struct head *head)
{
	char inner[64 * 1024];
	size_t len = gzip_head(head->bytes, head->len, inner, sizeof inner);
	enum file_kind text = kind_of_text(inner, len), message, database;

	if (is_tar(inner, len))
		return FILE_TAR_GZIP;
	if (text == FILE_TRACE || text == FILE_HLO)
		return text == FILE_TRACE ? FILE_TRACE_GZIP : FILE_HLO_GZIP;
	if (text == FILE_KERNEL_TABLE || text == FILE_KERNEL_LOG)
		return text;
	database = kind_of_database(&(struct head){ head->file, "", (unsigned char *)inner, len });
	if (database != FILE_NONE && database != FILE_SQLITE)
		return database;
	message = kind_of_bytes(inner, len);
	if (message == FILE_HLO_PROTO)
		return FILE_HLO_PROTO_GZIP;
	return message == FILE_XSPACE ? FILE_XSPACE_GZIP : FILE_GZIP;
}

static enum file_kind kind_of_zstd(const struct head *head)
{
	struct unzstd *unzstd = unzstd_new(head->file);
	char inner[TAR_MAGIC_AT + sizeof TAR_MAGIC];
	struct err ignored = {0};
	size_t len = 0, n;

	while (len < sizeof inner
	       && (n = unzstd_read(unzstd, inner + len, sizeof inner - len, &ignored)))
		len += n;
	unzstd_free(unzstd);
	return is_tar(inner, len) ? FILE_TAR_ZSTD : FILE_ZSTD;
}

enum file_kind kind_by_magic(const struct head *head)
{
	uint64_t len;

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (head_begins(head, signs[i].bytes, signs[i].len))
			return signs[i].kind;
	if (head_begins(head, "\x1f\x8b", 2))
		return kind_of_gzip(head);
	if (head_begins(head, ZSTD_SIGN, strlen(ZSTD_SIGN)))
		return kind_of_zstd(head);
	if (head->len >= 8 && !memcmp(head->bytes + 4, "TFL3", 4))
		return FILE_TFLITE;
	if (is_tar(head->bytes, head->len))
		return FILE_TAR;
	if (is_safetensors(head))
		return FILE_SAFETENSORS;
	if (head->len >= TFRECORD_HEAD && tfrecord_head(head->bytes, &len))
		return kind_of_record(head, len);
	return is_pickle(head) ? FILE_PICKLE : FILE_NONE;
}

/*
 * The checksum of a frame is looked at before a byte of it is believed: it is held whole, unless
 * all it has is a large graph, which nobody wants with its row. The last frame has a checksum of
 * all others, so that none may be missing, come twice or in another order.
 */
#include "dump/summary/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/mem.h"
#include "dump/format/crc32c.h"
#include "dump/format/file.h"
#include "dump/summary/fields.h"

#define SIGN_BYTES 7             /* of the magic; then the version of the frames, a digit */

struct summary_reader {
	char *path;
	struct file file;
	uint32_t version, crc;   /* crc: of all bytes before off */
	uint64_t off;            /* of the next frame */
	uint64_t n_rows;
	char *frame;             /* rows, or NULL */
	size_t frame_len;
	uint64_t frame_off;
	struct text rest;        /* of the rows in the frame */
	uint64_t apart;          /* bytes of its only row that are not in frame */
	bool begun;              /* a row of it was read */
	bool ended;
	struct str key, last_key;
};

bool summary_begins(const void *bytes, size_t len)
{
	return len >= SUMMARY_MAGIC_BYTES && !memcmp(bytes, SUMMARY_MAGIC, SIGN_BYTES);
}

static bool damaged(const struct summary_reader *r, uint64_t off, const char *what, struct err *err)
{
	return err_at(err, ERR_FORMAT, r->path, off, "%s", what);
}

static bool read_magic(struct summary_reader *r, struct err *err)
{
	const unsigned char *magic = file_bytes(&r->file, 0, SUMMARY_MAGIC_BYTES, err);

	if (!magic)
		return false;
	if (!summary_begins(magic, SUMMARY_MAGIC_BYTES))
		return damaged(r, 0, "this is no summary: it does not begin with " SUMMARY_MAGIC,
		               err);
	if (magic[SIGN_BYTES] > '1' && magic[SIGN_BYTES] <= '9')
		return err_at(err, ERR_UNSUPPORTED, r->path, SIGN_BYTES,
		              "a summary in frames of version %c, newer than this program's 1",
		              magic[SIGN_BYTES]);
	if (magic[SIGN_BYTES] != '1')
		return damaged(r, SIGN_BYTES, "this is no summary: it does not begin with "
		               SUMMARY_MAGIC, err);
	r->crc = crc32c(0, magic, SUMMARY_MAGIC_BYTES);
	r->off = SUMMARY_MAGIC_BYTES;
	return true;
}

/* ---- frames */

/* What stands before a payload. */
struct frame_head {
	unsigned char bytes[SUMMARY_FRAME_BYTES];
	char kind;
	uint32_t len, sum;
};

static bool read_frame_head(struct summary_reader *r, struct frame_head *head, struct err *err)
{
	const unsigned char *at;

	if (r->off == r->file.size)
		return err_damaged(err, DAMAGE_CUT, r->path, r->off,
		                   "the summary is cut: its last frame is missing");
	at = file_bytes(&r->file, r->off, SUMMARY_FRAME_BYTES, err);
	if (!at)
		return err_set_damage(err, DAMAGE_CUT);
	memcpy(head->bytes, at, SUMMARY_FRAME_BYTES);
	head->kind = (char)at[0];
	head->len = (uint32_t)little_endian(at + 1, 4);
	head->sum = (uint32_t)little_endian(at + 5, 4);
	if (head->len > SUMMARY_FRAME_MAX)
		return damaged(r, r->off, "the length of a frame is damaged", err);
	if (head->len > r->file.size - r->off - SUMMARY_FRAME_BYTES)
		return err_damaged(err, DAMAGE_CUT, r->path, r->off,
		                   "a frame of %" PRIu32 " bytes, %" PRIu64 " are left", head->len,
		                   r->file.size - r->off - SUMMARY_FRAME_BYTES);
	return true;
}

/*
 * How much of a frame comes before the value of its only row, a graph of more bytes than are held.
 * 0: it is no such frame.
 */
static size_t before_graph(struct summary_reader *r, const struct frame_head *head)
{
	enum { BEGINNING = 64 };         /* has three numbers and more */
	uint64_t shared, further, len;
	struct text rest = { .len = BEGINNING };
	const char *at;
	size_t before;

	if (head->kind != SUMMARY_ROWS || head->len <= SUMMARY_HELD)
		return 0;
	rest.at = at = file_bytes(&r->file, r->off + SUMMARY_FRAME_BYTES, BEGINNING, NULL);
	if (!at || !varint_take(&rest, &shared) || !varint_take(&rest, &further)
	    || !varint_take(&rest, &len) || *rest.at != SUMMARY_GRAPH || !further
	    || further > SUMMARY_KEY_MAX || len <= SUMMARY_HELD)
		return 0;
	before = (size_t)(rest.at - at) + (size_t)further;
	return before + len == head->len ? before : 0;
}

/* Goes on with the checksums of the frame and of all frames. */
static bool pass_over(struct summary_reader *r, uint64_t off, uint64_t len, uint32_t *sum,
                      struct err *err)
{
	while (len) {
		size_t some;
		const void *bytes = file_some(&r->file, off, &some, err);

		if (!bytes)
			return err->code ? false
			                 : err_damaged(err, DAMAGE_CUT, r->path, off,
			                               "the summary is cut in a frame");
		some = some < len ? some : (size_t)len;
		*sum = crc32c(*sum, bytes, some);
		r->crc = crc32c(r->crc, bytes, some);
		off += some;
		len -= some;
	}
	return true;
}

/* The next frame goes to r->frame, but for what lies apart. *crc: that of all before it. */
static bool read_frame(struct summary_reader *r, char *kind, uint32_t *crc, struct err *err)
{
	struct frame_head head;
	uint64_t off = r->off + SUMMARY_FRAME_BYTES;
	uint32_t sum;

	free(r->frame);
	r->frame = NULL;
	r->frame_off = r->off;
	*crc = r->crc;
	if (!read_frame_head(r, &head, err))
		return false;
	*kind = head.kind;
	r->frame_len = before_graph(r, &head);
	r->apart = r->frame_len ? head.len - r->frame_len : 0;
	r->frame_len = r->frame_len ? r->frame_len : head.len;
	r->frame = mem_try(r->frame_len + 1);
	if (!r->frame)
		return err_at(err, ERR_LIMIT, r->path, r->off,
		              "no memory for a frame of %" PRIu32 " bytes", head.len);
	if (!file_read(&r->file, off, r->frame_len, r->frame, err))
		return false;
	sum = crc32c(crc32c(0, head.bytes, 5), r->frame, r->frame_len);
	r->crc = crc32c(crc32c(r->crc, head.bytes, sizeof head.bytes), r->frame, r->frame_len);
	if (!pass_over(r, off + r->frame_len, r->apart, &sum, err))
		return false;
	if (sum != head.sum)
		return damaged(r, r->off, "the checksum of a frame is wrong", err);
	r->off += SUMMARY_FRAME_BYTES + head.len;
	return true;
}

/* The numbers of a message that has no others, by their fields from 1. */
static bool read_numbers(const struct summary_reader *r, uint64_t *out, uint32_t n,
                         struct err *err)
{
	struct text message = { r->frame, r->frame_len };
	struct message_field field;
	bool broken = false;

	memset(out, 0, n * sizeof *out);
	while (message_next(&message, &field, &broken))
		if (!field.is_bytes && field.number <= n)
			out[field.number - 1] = field.value;
	return !broken || damaged(r, r->frame_off, "a frame is no message", err);
}

static bool read_head(struct summary_reader *r, struct err *err)
{
	uint64_t version;
	uint32_t before;
	char kind;

	if (!read_magic(r, err) || !read_frame(r, &kind, &before, err))
		return false;
	if (kind != SUMMARY_HEAD)
		return damaged(r, r->frame_off, "the first frame has no version", err);
	if (!read_numbers(r, &version, 1, err))
		return false;
	if (version > SUMMARY_VERSION)
		return err_at(err, ERR_UNSUPPORTED, r->path, r->frame_off,
		              "a summary of version %" PRIu64 ", newer than this program's %d",
		              version, SUMMARY_VERSION);
	if (!version)
		return damaged(r, r->frame_off, "the first frame has no version", err);
	r->version = (uint32_t)version;
	return true;
}

static bool read_end(struct summary_reader *r, uint32_t crc, struct err *err)
{
	uint64_t numbers[2];

	if (!read_numbers(r, numbers, 2, err))
		return false;
	if (numbers[0] != r->n_rows)
		return err_at(err, ERR_FORMAT, r->path, r->frame_off,
		              "%" PRIu64 " rows were written, %" PRIu64 " are there", numbers[0],
		              r->n_rows);
	if (numbers[1] != crc)
		return damaged(r, r->frame_off, "the checksum of all frames is wrong", err);
	if (r->off != r->file.size)
		return damaged(r, r->off, "bytes after the last frame", err);
	r->ended = true;
	return true;
}

/* Goes on to a frame with rows. False at the end, or with *err. */
static bool next_rows(struct summary_reader *r, struct err *err)
{
	uint32_t before;
	char kind;

	if (r->ended || !read_frame(r, &kind, &before, err))
		return false;
	if (kind == SUMMARY_END) {
		read_end(r, before, err);
		return false;
	}
	if (kind != SUMMARY_ROWS || !r->frame_len)
		return damaged(r, r->frame_off, "a frame that has no rows", err);
	r->rest = (struct text){ r->frame, r->frame_len };
	r->begun = false;
	return true;
}

static uint64_t place(const struct summary_reader *r)
{
	return r->frame_off + SUMMARY_FRAME_BYTES + (uint64_t)(r->rest.at - r->frame);
}

/* Is the key behind the one before? */
static bool comes_after(const struct str *key, const struct str *last)
{
	size_t both = key->len < last->len ? key->len : last->len;
	int order = both ? memcmp(key->text, last->text, both) : 0;

	return order ? order > 0 : key->len > last->len;
}

static bool take_row(struct summary_reader *r, struct summary_row *row)
{
	uint64_t shared, further, len, held;

	if (!varint_take(&r->rest, &shared) || !varint_take(&r->rest, &further) ||
	    !varint_take(&r->rest, &len) || shared > (r->begun ? r->last_key.len : 0) ||
	    further > SUMMARY_KEY_MAX - shared || further > r->rest.len ||
	    len - r->apart > r->rest.len - further)
		return false;
	held = len - r->apart;
	str_reset(&r->key);
	str_put(&r->key, str_text(&r->last_key), (size_t)shared);
	str_put(&r->key, r->rest.at, (size_t)further);
	row->value = (struct text){ r->rest.at + further, (size_t)held };
	row->len = len;
	row->apart = r->apart;
	r->rest.at += further + held;
	r->rest.len -= (size_t)(further + held);
	row->off = place(r) - held;
	return true;
}

bool summary_next(struct summary_reader *r, struct summary_row *row, struct err *err)
{
	uint64_t off;
	struct str last;

	if (!r->rest.len && !next_rows(r, err))
		return false;
	off = place(r);
	if (!take_row(r, row))
		return damaged(r, off, "a row is damaged", err);
	if (r->n_rows && !comes_after(&r->key, &r->last_key))
		return damaged(r, off, "a row is out of order", err);
	last = r->last_key;
	r->last_key = r->key;
	r->key = last;
	r->begun = true;
	r->n_rows++;
	row->key_bytes = (struct text){ r->last_key.text, r->last_key.len };
	if (!summary_read_key(r->last_key.text, r->last_key.len, &row->key))
		return damaged(r, off, "the key of a row is damaged", err);
	return true;
}

struct summary_reader *summary_open(const char *path, struct err *err)
{
	struct summary_reader *r = mem_alloc(sizeof *r);

	r->path = mem_copy(path, strlen(path));
	if (!file_open(&r->file, r->path, err)) {
		free(r->path);
		free(r);
		return NULL;
	}
	if (read_head(r, err))
		return r;
	summary_close(r);
	return NULL;
}

void summary_close(struct summary_reader *r)
{
	if (!r)
		return;
	file_close(&r->file);
	str_release(&r->key);
	str_release(&r->last_key);
	free(r->frame);
	free(r->path);
	free(r);
}

bool summary_read_part(struct summary_reader *r, uint64_t off, size_t len, void *out,
                       struct err *err)
{
	return file_read(&r->file, off, len, out, err);
}

uint32_t summary_version(const struct summary_reader *r)
{
	return r->version;
}

const char *summary_path(const struct summary_reader *r)
{
	return r->path;
}

uint64_t summary_read_bytes(const struct summary_reader *r, uint64_t *total)
{
	*total = r->file.size;
	return r->off;
}

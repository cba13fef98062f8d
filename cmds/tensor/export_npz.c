/*
 * A zip archive of .npy files, stored as they are. The checksum of a member comes behind it, as it
 * is only known then; sizes and offsets from 4 GiB on go into the fields of zip64.
 * Source: PKWARE's APPNOTE 6.3.
 */
#include "cmds/tensor/export.h"

#include <string.h>

#include "cmds/array/npy.h"
#include "cmds/array/save.h"
#include "dump/base/str.h"
#include "dump/format/crc32.h"

#define LARGE UINT32_MAX         /* stands for a number that is in zip64's field */
enum { FLAGS = 1 << 3 | 1 << 11 /* the checksum comes behind; names are UTF-8 */,
       VERSION = 20, VERSION_64 = 45, DATE = 1 << 5 | 1 /* 1 January 1980 */ };

struct member {
	const char *name;
	uint64_t off, size;
	uint32_t crc;
};

struct archive {
	FILE *out;
	uint64_t off;
	VEC(struct member) members;
	struct str block;
};

static void put(struct str *out, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		str_putc(out, (char)(number >> 8 * i));
}

static uint64_t capped(uint64_t number)
{
	return number < LARGE ? number : LARGE;
}

static bool is_large(const struct member *m)
{
	return m->size >= LARGE;
}

/* What was put into the block. */
static bool write_block(struct archive *a)
{
	bool ok = fwrite(str_text(&a->block), 1, a->block.len, a->out) == a->block.len;

	a->off += a->block.len;
	str_reset(&a->block);
	return ok;
}

/* What head and list have in common: from the version on to the lengths. */
static void put_common(struct str *out, const struct member *m, bool in_list)
{
	bool large = is_large(m) || (in_list && m->off >= LARGE);
	size_t extra = !in_list ? (large ? 20 : 0)
	               : (is_large(m) ? 16 : 0) + (m->off >= LARGE ? 8 : 0) + (large ? 4 : 0);

	put(out, large ? VERSION_64 : VERSION, 2);
	put(out, FLAGS, 2);
	put(out, 0, 2 + 2);      /* stored; at midnight */
	put(out, DATE, 2);
	put(out, in_list ? m->crc : 0, 4);
	for (int i = 0; i < 2; i++)
		put(out, in_list ? capped(m->size) : large ? LARGE : 0, 4);
	put(out, strlen(m->name) + strlen(".npy"), 2);
	put(out, extra, 2);
}

static void put_head(struct archive *a, const struct member *m)
{
	struct str *out = &a->block;

	str_put(out, "PK\3\4", 4);
	put_common(out, m, false);
	str_fmt(out, "%s.npy", m->name);
	if (is_large(m)) {
		put(out, 1, 2);
		put(out, 16, 2);
		put(out, 0, 16 / 2);
		put(out, 0, 16 / 2);
	}
}

static void put_behind(struct archive *a, const struct member *m)
{
	int width = is_large(m) ? 8 : 4;

	str_put(&a->block, "PK\7\10", 4);
	put(&a->block, m->crc, 4);
	put(&a->block, m->size, width);
	put(&a->block, m->size, width);
}

static void put_entry(struct archive *a, const struct member *m)
{
	struct str *out = &a->block;
	int fields = (is_large(m) ? 16 : 0) + (m->off >= LARGE ? 8 : 0);

	str_put(out, "PK\1\2", 4);
	put(out, VERSION_64, 2);
	put_common(out, m, true);
	put(out, 0, 2 + 2 + 2);  /* comment, disk, attributes */
	put(out, 0, 4);
	put(out, capped(m->off), 4);
	str_fmt(out, "%s.npy", m->name);
	if (!fields)
		return;
	put(out, 1, 2);
	put(out, (uint64_t)fields, 2);
	for (int i = 0; i < 2 && is_large(m); i++)
		put(out, m->size, 8);
	if (m->off >= LARGE)
		put(out, m->off, 8);
}

static void put_end_64(struct str *out, uint64_t n, uint64_t off, uint64_t len)
{
	str_put(out, "PK\6\6", 4);
	put(out, 44, 8);
	put(out, VERSION_64, 2);
	put(out, VERSION_64, 2);
	put(out, 0, 8);          /* disks */
	put(out, n, 8);
	put(out, n, 8);
	put(out, len, 8);
	put(out, off, 8);
	str_put(out, "PK\6\7", 4);
	put(out, 0, 4);
	put(out, off + len, 8);
	put(out, 1, 4);
}

static bool write_list(struct archive *a)
{
	uint64_t n = a->members.len, off = a->off, len;
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++) {
		put_entry(a, &a->members.at[i]);
		ok = write_block(a);
	}
	len = a->off - off;
	if (n >= UINT16_MAX || off >= LARGE || len >= LARGE)
		put_end_64(&a->block, n, off, len);
	str_put(&a->block, "PK\5\6", 4);
	put(&a->block, 0, 4);
	for (int i = 0; i < 2; i++)
		put(&a->block, n < UINT16_MAX ? n : UINT16_MAX, 2);
	put(&a->block, capped(len), 4);
	put(&a->block, capped(off), 4);
	put(&a->block, 0, 2);
	return ok && write_block(a);
}

static bool write_member(struct archive *a, const char *name, struct value *value,
                         struct progress *progress, struct err *err)
{
	struct member m = { .name = name, .off = a->off };
	struct str head = {0};
	struct view view;
	bool ok;

	view_all(&view, value);
	npy_put_header(&head, value->type, &value->shape);
	m.size = head.len + value->count * value->type->elem_bytes;
	put_head(a, &m);
	ok = write_block(a) && fwrite(head.text, 1, head.len, a->out) == head.len;
	m.crc = crc32_add(0, head.text, head.len);
	str_release(&head);
	ok = ok && save_elements(&view, a->out, &m.crc, progress, err);
	a->off += m.size;
	put_behind(a, &m);
	vec_push(&a->members, m);
	return ok && write_block(a);
}

bool export_npz(const struct exported *what, FILE *out, struct progress *progress, struct err *err)
{
	struct archive a = { .out = out };
	bool ok = true;

	for (size_t i = 0; ok && i < what->at.len; i++) {
		const struct tensor *t = &what->run->tensors.at[what->at.at[i]];
		struct progress part = progress_of_part(progress);
		struct value *value = run_value(what->run, t, err);

		ok = value && write_member(&a, what->names.at[i], value, &part, err);
		value_close(value);
		if (ok && !progress_step(progress, i + 1, what->at.len))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	ok = ok && write_list(&a);
	vec_release(&a.members);
	str_release(&a.block);
	return ok;
}

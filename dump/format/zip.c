/*
 * The list stands at the end, and behind it a record says where. Its offsets count from the
 * archive's start, which is the file's unless something was put before it: the list ends where its
 * record begins, so `shift` is known. What a member's own head says is not believed but for where
 * its bytes begin.
 */
#include "dump/format/zip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dump/base/bytes.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/format/crc32.h"
#include "dump/format/gzip.h"

enum {
	END_LEN = 22, COMMENT_MAX = 65535, LOCATOR_LEN = 20, END64_LEN = 56, ENTRY_LEN = 46,
	HEAD_LEN = 30, MEMBERS_MAX = 1000 * 1000, EXTRA_ZIP64 = 1,
};
enum { STORED = 0, DEFLATED = 8 };
enum { FLAG_ENCRYPTED = 1, FLAG_UTF8 = 1 << 11 };

#define SIZE_MOST (UINT64_C(1) << 40)
#define CHUNK ((size_t)1 << 20)

/* Where the list is. */
struct list {
	uint64_t off, len;
	uint64_t shift;          /* is added to the offsets in it */
};

static bool is_damaged(const struct zip *zip, uint64_t off, const char *what, struct err *err)
{
	return err_at(err, ERR_FORMAT, zip->file->path, off, "%s", what);
}

/* The end. */

static bool find_end(const struct zip *zip, uint64_t *end_off, struct err *err)
{
	uint64_t size = zip->file->size;
	size_t back = size < END_LEN + COMMENT_MAX ? (size_t)size : END_LEN + COMMENT_MAX;
	const unsigned char *tail = file_bytes(zip->file, size - back, back, err);

	if (!tail)
		return false;
	for (size_t i = back < END_LEN ? 0 : back - END_LEN + 1; i-- > 0; ) {
		if (memcmp(tail + i, "PK\5\6", 4) != 0
		    || little_endian(tail + i + 20, 2) > back - END_LEN - i)
			continue;
		*end_off = size - back + i;
		return true;
	}
	return err_damaged(err, DAMAGE_CUT, zip->file->path, size,
	                   "not a whole zip archive: the end of its list is missing");
}

/*
 * The larger record of zip64, right before its locator or else where that says: behind another
 * archive it says a place in that one.
 */
static const unsigned char *find_end64(const struct zip *zip, uint64_t end_off, uint64_t *off)
{
	const unsigned char *at = NULL;
	uint64_t place[2];

	if (end_off >= LOCATOR_LEN)
		at = file_bytes(zip->file, end_off - LOCATOR_LEN, LOCATOR_LEN, NULL);
	if (!at || memcmp(at, "PK\6\7", 4) != 0)
		return NULL;
	place[0] = end_off - LOCATOR_LEN - END64_LEN;
	place[1] = little_endian(at + 8, 8);
	for (int i = 0; i < 2; i++) {
		if (place[i] > end_off - LOCATOR_LEN)
			continue;
		at = file_bytes(zip->file, place[i], END64_LEN, NULL);
		if (at && !memcmp(at, "PK\6\6", 4)) {
			*off = place[i];
			return at;
		}
	}
	return NULL;
}

static bool find_list(const struct zip *zip, struct list *list, struct err *err)
{
	const unsigned char *at;
	uint64_t end_off = 0, disk;

	if (!find_end(zip, &end_off, err))
		return false;
	at = find_end64(zip, end_off, &end_off);
	if (at) {
		disk = little_endian(at + 16, 4);
		list->len = little_endian(at + 40, 8);
		list->off = little_endian(at + 48, 8);
	} else {
		at = file_bytes(zip->file, end_off, END_LEN, err);
		if (!at)
			return false;
		disk = little_endian(at + 4, 2);
		list->len = little_endian(at + 12, 4);
		list->off = little_endian(at + 16, 4);
	}
	if (disk)
		return err_at(err, ERR_UNSUPPORTED, zip->file->path, end_off,
		              "one part of a zip archive in several files");
	if (list->len > end_off || list->off > end_off - list->len)
		return is_damaged(zip, end_off, "the list of the zip archive is not in the file",
		                  err);
	list->shift = end_off - list->len - list->off;
	list->off += list->shift;
	return true;
}

/* The list. */

/* Characters 0x80 to 0xff of code page 437, which names have that are not said to be UTF-8. */
static const uint16_t cp437[128] = {
	0x00c7, 0x00fc, 0x00e9, 0x00e2, 0x00e4, 0x00e0, 0x00e5, 0x00e7, 0x00ea, 0x00eb, 0x00e8,
	0x00ef, 0x00ee, 0x00ec, 0x00c4, 0x00c5, 0x00c9, 0x00e6, 0x00c6, 0x00f4, 0x00f6, 0x00f2,
	0x00fb, 0x00f9, 0x00ff, 0x00d6, 0x00dc, 0x00a2, 0x00a3, 0x00a5, 0x20a7, 0x0192, 0x00e1,
	0x00ed, 0x00f3, 0x00fa, 0x00f1, 0x00d1, 0x00aa, 0x00ba, 0x00bf, 0x2310, 0x00ac, 0x00bd,
	0x00bc, 0x00a1, 0x00ab, 0x00bb, 0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562,
	0x2556, 0x2555, 0x2563, 0x2551, 0x2557, 0x255d, 0x255c, 0x255b, 0x2510, 0x2514, 0x2534,
	0x252c, 0x251c, 0x2500, 0x253c, 0x255e, 0x255f, 0x255a, 0x2554, 0x2569, 0x2566, 0x2560,
	0x2550, 0x256c, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559, 0x2558, 0x2552, 0x2553, 0x256b,
	0x256a, 0x2518, 0x250c, 0x2588, 0x2584, 0x258c, 0x2590, 0x2580, 0x03b1, 0x00df, 0x0393,
	0x03c0, 0x03a3, 0x03c3, 0x00b5, 0x03c4, 0x03a6, 0x0398, 0x03a9, 0x03b4, 0x221e, 0x03c6,
	0x03b5, 0x2229, 0x2261, 0x00b1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00f7, 0x2248, 0x00b0,
	0x2219, 0x00b7, 0x221a, 0x207f, 0x00b2, 0x25a0, 0x00a0,
};

static void put_name(struct str *out, const unsigned char *name, size_t len, bool is_utf8)
{
	str_reset(out);
	for (size_t i = 0; i < len && name[i]; i++)
		if (is_utf8)
			str_putc(out, (char)name[i]);
		else
			utf8_put(out, name[i] < 0x80 ? name[i] : cp437[name[i] - 0x80]);
}

/* The next 8 bytes of an extra field, in the place of a number that had no room. */
static bool take_large(uint64_t *number, const unsigned char **at, size_t *len)
{
	if (*number != UINT32_MAX)
		return true;
	if (*len < 8)
		return false;
	*number = little_endian(*at, 8);
	*at += 8;
	*len -= 8;
	return true;
}

static bool read_extra(struct zip_member *m, const unsigned char *at, size_t left)
{
	while (left >= 4) {
		size_t id = little_endian(at, 2), len = little_endian(at + 2, 2);

		at += 4;
		left -= 4;
		if (len > left)
			return true;
		if (id == EXTRA_ZIP64) {
			size_t n = len;
			const unsigned char *numbers = at;

			return take_large(&m->size, &numbers, &n)
			       && take_large(&m->packed, &numbers, &n)
			       && take_large(&m->head_off, &numbers, &n);
		}
		at += len;
		left -= len;
	}
	return true;
}

static void add_member(struct zip *zip, struct zip_member *m, const struct str *name)
{
	size_t known = zip->names.len;
	uint32_t id = map_add(&zip->names, &zip->mem, str_text(name), name->len);

	m->name = zip->names.key[id];
	if (id < known) {
		zip->repeated = m->name;
		zip->members.at[id] = *m;
	} else {
		vec_push(&zip->members, *m);
	}
}

/* As DOS has it: two seconds in a unit, years from 1980. */
static int64_t seconds_of(uint64_t time, uint64_t date)
{
	struct tm tm = {
		.tm_sec = (int)(time & 31) * 2, .tm_min = (int)(time >> 5 & 63),
		.tm_hour = (int)(time >> 11), .tm_mday = (int)(date & 31),
		.tm_mon = (int)(date >> 5 & 15) - 1, .tm_year = (int)(date >> 9) + 80,
	};

	return timegm(&tm);
}

/* A system of the kind of Unix keeps a file's mode there. */
static bool is_link(const unsigned char *entry)
{
	enum { MADE_BY_UNIX = 3, TYPE = 0170000, LINK = 0120000 };

	return entry[5] == MADE_BY_UNIX && (little_endian(entry + 40, 2) & TYPE) == LINK;
}

/* The entry at *off, and past it. */
static bool read_entry(struct zip *zip, const struct list *list, uint64_t *off, struct str *name,
                       struct err *err)
{
	uint64_t left = list->off + list->len - *off;
	const unsigned char *at = NULL;
	struct zip_member m;
	size_t name_len, extra_len;
	uint64_t len;

	if (left >= ENTRY_LEN && !(at = file_bytes(zip->file, *off, ENTRY_LEN, err)))
		return false;
	if (left < ENTRY_LEN || memcmp(at, "PK\1\2", 4) != 0)
		return is_damaged(zip, *off, "a member of the zip archive was expected", err);
	name_len = little_endian(at + 28, 2);
	extra_len = little_endian(at + 30, 2);
	len = ENTRY_LEN + name_len + extra_len + little_endian(at + 32, 2);
	if (len > left)
		return is_damaged(zip, *off, "a member's name ends after the zip archive's list",
		                  err);
	at = file_bytes(zip->file, *off, (size_t)len, err);
	if (!at)
		return false;
	m = (struct zip_member){
		.encrypted = at[8] & FLAG_ENCRYPTED,
		.is_link = is_link(at),
		.changed_s = seconds_of(little_endian(at + 12, 2), little_endian(at + 14, 2)),
		.method = (uint16_t)little_endian(at + 10, 2),
		.crc32 = (uint32_t)little_endian(at + 16, 4),
		.packed = little_endian(at + 20, 4),
		.size = little_endian(at + 24, 4),
		.head_off = little_endian(at + 42, 4),
	};
	put_name(name, at + ENTRY_LEN, name_len, little_endian(at + 8, 2) & FLAG_UTF8);
	m.has_crc = m.crc32;
	if (!read_extra(&m, at + ENTRY_LEN + name_len, extra_len)
	    || __builtin_add_overflow(m.head_off, list->shift, &m.head_off))
		return is_damaged(zip, *off, "a member's sizes are not all there", err);
	add_member(zip, &m, name);
	*off += len;
	return true;
}

bool zip_open(struct zip *zip, struct file *file, struct progress *progress, struct err *err)
{
	struct str name = {0};
	struct list list;
	uint64_t off;
	size_t n = 0;
	bool ok;

	zip->file = file;
	if (!find_list(zip, &list, err))
		return false;
	ok = true;
	for (off = list.off; ok && off < list.off + list.len; n++) {
		if (n == MEMBERS_MAX)
			ok = err_at(err, ERR_LIMIT, file->path, off,
			            "more than %d members in the zip archive", MEMBERS_MAX);
		else if (n % 256 == 0 && !progress_step(progress, off - list.off, list.len))
			ok = err_at(err, ERR_CANCELLED, file->path, off, "stopped");
		else
			ok = read_entry(zip, &list, &off, &name, err);
	}
	str_release(&name);
	return ok;
}

void zip_release(struct zip *zip)
{
	vec_release(&zip->members);
	map_release(&zip->names);
	arena_release(&zip->mem);
	*zip = (struct zip){0};
}

/* Members. */

const struct zip_member *zip_find(const struct zip *zip, const char *name)
{
	uint32_t id = map_find(&zip->names, name, strlen(name));

	return id == MAP_NONE ? NULL : &zip->members.at[id];
}

bool zip_is_stored(const struct zip_member *member)
{
	return member->method == STORED;
}

static bool is_readable(const struct zip *zip, const struct zip_member *m, struct err *err)
{
	const char *path = zip->file->path;

	if (m->encrypted)
		return err_at(err, ERR_UNSUPPORTED, path, m->head_off, "%.100s is encrypted",
		              m->name);
	if (m->method != STORED && m->method != DEFLATED)
		return err_at(err, ERR_UNSUPPORTED, path, m->head_off,
		              "%.100s is packed by method %d, which is not read", m->name,
		              m->method);
	if (m->size > SIZE_MOST)
		return err_at(err, ERR_LIMIT, path, m->head_off, "%.100s has %" PRIu64 " bytes",
		              m->name, m->size);
	if (m->method == STORED && m->packed != m->size)
		return err_at(err, ERR_FORMAT, path, m->head_off,
		              "%.100s is stored, but has %" PRIu64 " bytes of %" PRIu64, m->name,
		              m->packed, m->size);
	return true;
}

bool zip_place(const struct zip *zip, const struct zip_member *m, struct span *span,
               struct err *err)
{
	uint64_t size = zip->file->size;
	unsigned char head[HEAD_LEN] = "";

	if (!is_readable(zip, m, err))
		return false;
	if (m->head_off < size && !file_read(zip->file, m->head_off, HEAD_LEN, head, err))
		return false;
	if (memcmp(head, "PK\3\4", 4) != 0)
		return err_at(err, ERR_FORMAT, zip->file->path, m->head_off,
		              "%.100s is not where the zip archive's list says", m->name);
	span->off = m->head_off + HEAD_LEN + little_endian(head + 26, 2)
	            + little_endian(head + 28, 2);
	span->len = m->packed;
	if (span->off > size || span->len > size - span->off)
		return err_damaged(err, DAMAGE_CUT, zip->file->path, m->head_off,
		                   "%.100s has %" PRIu64 " bytes, which are not all there",
		                   m->name, m->packed);
	return true;
}

/* The unpacked bytes of a member, in pieces. False with *err. */
static bool read_deflated(const struct zip *zip, const struct zip_member *m, struct span span,
                          char *out, struct progress *progress, struct err *err)
{
	struct gunzip *gunzip = gunzip_new_raw(zip->file, span.off, span.len);
	struct err own = {0};
	uint64_t got = 0;
	bool on = true;

	while (on && got < m->size) {
		size_t want = m->size - got < CHUNK ? (size_t)(m->size - got) : CHUNK;
		size_t n = gunzip_read(gunzip, out + got, want, &own);

		if (!n)
			break;
		got += n;
		on = progress_step(progress, got, m->size);
	}
	gunzip_free(gunzip);
	if (!on)
		return err_at(err, ERR_CANCELLED, zip->file->path, 0, "stopped");
	return got == m->size
	       || err_at(err, own.code ? own.code : ERR_FORMAT, zip->file->path,
	                 own.code ? own.off : span.off,
	                 "%.100s: %" PRIu64 " bytes come out, %" PRIu64 " were expected",
	                 m->name, got, m->size);
}

static bool read_stored(const struct zip *zip, struct span span, char *out,
                        struct progress *progress, struct err *err)
{
	for (uint64_t got = 0; got < span.len; ) {
		size_t n = span.len - got < CHUNK ? (size_t)(span.len - got) : CHUNK;

		if (!file_read(zip->file, span.off + got, n, out + got, err))
			return false;
		got += n;
		if (!progress_step(progress, got, span.len))
			return err_at(err, ERR_CANCELLED, zip->file->path, 0, "stopped");
	}
	return true;
}

char *zip_read(const struct zip *zip, const struct zip_member *m, size_t limit,
               struct progress *progress, struct err *err)
{
	struct span span;
	char *bytes;
	bool ok;

	if (!zip_place(zip, m, &span, err))
		return NULL;
	bytes = m->size <= limit ? mem_try((size_t)m->size + 1) : NULL;
	if (!bytes) {
		err_fill(err, ERR_LIMIT, zip->file->path, m->head_off,
		         "%.100s has %" PRIu64 " bytes", m->name, m->size);
		return NULL;
	}
	ok = m->method == STORED ? read_stored(zip, span, bytes, progress, err)
	                         : read_deflated(zip, m, span, bytes, progress, err);
	if (ok && m->has_crc && crc32_add(0, bytes, (size_t)m->size) != m->crc32)
		ok = err_at(err, ERR_FORMAT, zip->file->path, span.off,
		            "%.100s has another checksum than the zip archive's list says",
		            m->name);
	bytes[m->size] = '\0';
	if (ok)
		return bytes;
	free(bytes);
	return NULL;
}

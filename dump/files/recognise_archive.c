/*
 * Kinds that hold other things by name: zip archives (the list is at the end), LevelDB tables,
 * SQLite databases.
 */
#include <string.h>

#include "dump/base/path.h"
#include "dump/files/recognise_parts.h"

enum { END_LEN = 22, ENTRY_LEN = 46, COMMENT_MAX = 65535, MEMBERS_SEEN = 256, FOOTER_LEN = 8 };

/* zip. */

struct members {
	bool any, arrays, others, torch, script, keras;
};

static void take_member(struct members *m, const char *name, size_t len)
{
	bool is_array = span_ends(name, len, ".npy");

	m->any = true;
	m->arrays |= is_array;
	m->others |= !is_array && !span_ends(name, len, "/");
	m->torch |= span_ends(name, len, "data.pkl");
	m->script |= span_ends(name, len, "/constants.pkl") || memmem(name, len, "/code/", 6);
	m->keras |= span_ends(name, len, "model.weights.h5");
}

/* Where the record at the end of an archive is; false: there is none. */
static bool find_end(const struct head *head, uint64_t *off)
{
	uint64_t size = head->file->size;
	size_t back = head_begins(head, "PK", 2) ? END_LEN + COMMENT_MAX : END_LEN;
	const unsigned char *tail;

	if (size < END_LEN)
		return false;
	if (back > size)
		back = (size_t)size;
	tail = file_bytes(head->file, size - back, back, NULL);
	for (size_t i = tail ? back - END_LEN + 1 : 0; i-- > 0; )
		if (!memcmp(tail + i, "PK\5\6", 4)) {
			*off = size - back + i;
			return true;
		}
	return false;
}

/*
 * The list of members, where the end says; with something before the archive, right before the
 * end.
 */
static uint64_t find_list(const struct head *head, uint64_t end_off)
{
	const unsigned char *at = file_bytes(head->file, end_off, END_LEN, NULL);
	uint64_t len = at ? little_endian(at + 12, 4) : 0, off = at ? little_endian(at + 16, 4) : 0;

	at = off + 4 <= end_off ? file_bytes(head->file, off, 4, NULL) : NULL;
	if (at && !memcmp(at, "PK\1\2", 4))
		return off;
	return len <= end_off ? end_off - len : end_off;
}

static void read_members(const struct head *head, uint64_t end_off, struct members *m)
{
	uint64_t off = find_list(head, end_off);
	const unsigned char *at;

	for (int n = 0; n < MEMBERS_SEEN && off + ENTRY_LEN <= end_off; n++) {
		size_t name_len;
		uint64_t next;

		at = file_bytes(head->file, off, ENTRY_LEN, NULL);
		if (!at || memcmp(at, "PK\1\2", 4) != 0)
			return;
		name_len = little_endian(at + 28, 2);
		next = off + ENTRY_LEN + name_len + little_endian(at + 30, 2)
		       + little_endian(at + 32, 2);
		at = file_bytes(head->file, off + ENTRY_LEN, name_len, NULL);
		if (!at)
			return;
		take_member(m, (const char *)at, name_len);
		off = next;
	}
}

/* Of an archive that was cut: the first member alone. */
static void read_first_member(const struct head *head, struct members *m)
{
	size_t len = head->len >= 30 ? little_endian(head->bytes + 26, 2) : 0;

	if (len && head->len >= 30 + len)
		take_member(m, (const char *)head->bytes + 30, len);
}

static enum file_kind kind_of_zip(const struct head *head)
{
	bool begins = head_begins(head, "PK\3\4", 4);
	struct members m = {0};
	uint64_t end;

	if (find_end(head, &end))
		read_members(head, end, &m);
	else if (!begins)
		return FILE_NONE;
	if (!m.any && begins)
		read_first_member(head, &m);
	if (m.torch || m.script)
		return m.script ? FILE_TORCH_SCRIPT : FILE_TORCH;
	if ((m.arrays && !m.others) || text_ends(head->name, ".npz"))
		return FILE_NPZ;
	return m.keras ? FILE_KERAS : FILE_ZIP;
}

/*
 * A table ends with a sign. Its first entry has the empty key, and as value the header: of a
 * checkpoint that of V2, whose first field is a number, or that of V1, whose first field is a
 * message.
 */
static enum file_kind kind_of_table(const struct head *head)
{
	static const char footer[] = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
	const unsigned char *last;

	if (head->file->size < FOOTER_LEN)
		return FILE_NONE;
	last = file_bytes(head->file, head->file->size - FOOTER_LEN, FOOTER_LEN, NULL);
	if (!last || memcmp(last, footer, FOOTER_LEN) != 0)
		return FILE_NONE;
	for (size_t i = 2; i < 8 && i + 1 < head->len; i++)
		if (!(head->bytes[i] & 0x80))
			return head->bytes[i + 1] == 0x0a ? FILE_CHECKPOINT_V1 : FILE_CHECKPOINT;
	return FILE_CHECKPOINT;
}

/* By the names of its tables, which are in the first page or the next. */
enum file_kind kind_of_database(const struct head *head)
{
	if (!head_begins(head, "SQLite format 3", 16))
		return FILE_NONE;
	if (head_has(head, "rocpd_"))
		return FILE_ROCPD;
	if (head_has(head, "StringTable"))
		return FILE_NVPROF_SQLITE;
	if (head_has(head, "StringIds") || head_has(head, "TARGET_INFO")
	    || head_has(head, "CUPTI_ACTIVITY_KIND"))
		return FILE_NSYS_SQLITE;
	return FILE_SQLITE;
}

enum file_kind kind_by_archive(const struct head *head)
{
	enum file_kind kind = kind_of_database(head);

	if (kind == FILE_NONE)
		kind = kind_of_zip(head);
	return kind == FILE_NONE ? kind_of_table(head) : kind;
}

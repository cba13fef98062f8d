#include "dump/files/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/format/crc32.h"
#include "dump/format/gzip.h"
#include "dump/format/tar.h"
#include "dump/format/unpack.h"
#include "dump/format/zip.h"

enum { MEMBERS_MOST = 10 * 1000 * 1000, AT_ONCE = 64 * 1024, NAMED_MOST = 3 };

struct mounting {
	const char *path;                /* of the archive, for messages */
	struct mount *mount;
	struct room room;                /* for what is unpacked */
	uint64_t packed;                 /* of a zip: bytes that were unpacked into it */
	struct err damage;
	struct str left_out;
	uint64_t n, n_left_out;          /* members */
	struct progress *progress;
};

bool archive_is(enum file_kind kind)
{
	return kind == FILE_TAR || kind == FILE_TAR_GZIP || kind == FILE_TAR_ZSTD
	       || kind == FILE_ZIP;
}

const char *archive_above(const char *path, struct arena *mem)
{
	char *above = arena_copy(mem, path, strlen(path)), *slash;
	struct stat st;

	while ((slash = strrchr(above, '/')) && slash > above) {
		*slash = '\0';
		if (!stat(above, &st))
			return S_ISREG(st.st_mode) ? above : NULL;
	}
	return NULL;
}

static void leave_out(struct mounting *m, const char *name, const char *why)
{
	if (m->n_left_out++ < NAMED_MOST)
		str_fmt(&m->left_out, "%s%.100s (%s)", m->left_out.len ? ", " : "", name, why);
}

static void add(struct mounting *m, const char *name, const struct mount_file *file)
{
	const char *why = mount_add(m->mount, name, file);

	if (why)
		leave_out(m, name, why);
}

/* Is one more allowed? done of total: bytes. */
static bool goes_on(struct mounting *m, uint64_t done, uint64_t total, struct err *err)
{
	if (m->n++ == MEMBERS_MOST)
		return err_at(err, ERR_LIMIT, m->path, 0, "an archive of more than %d members",
		              MEMBERS_MOST);
	return m->n % 256 || progress_step(m->progress, done, total)
	       || err_at(err, ERR_CANCELLED, m->path, 0, "stopped");
}

/* tar. */

static const char *why_not(enum tar_kind kind)
{
	switch (kind) {
	case TAR_FILE:
	case TAR_DIR:
		break;
	case TAR_LINK:
		return "a link";
	case TAR_SPARSE:
		return "a file with holes";
	case TAR_OTHER:
		return "neither a file nor a directory";
	}
	return NULL;
}

/* A member that the archive ends in is cut. */
static void add_tar_member(struct mounting *m, const struct tar_member *member,
                           const struct file *tar)
{
	struct mount_file file = { tar->fd, member->off, member->size, member->mtime_ns };
	uint64_t there = member->off < tar->size ? tar->size - member->off : 0;
	const char *why = why_not(member->kind);

	if (why) {
		leave_out(m, member->name, why);
		return;
	}
	if (member->kind == TAR_FILE && file.size > there) {
		file.size = there;
		if (!m->damage.code)
			err_damaged(&m->damage, DAMAGE_CUT, m->path, tar->size,
			            "the archive ends within %.100s", member->name);
	}
	add(m, member->name, member->kind == TAR_DIR ? NULL : &file);
}

/* Behind the first member damage is no reason to refuse those before it. */
static bool list_tar(struct mounting *m, struct file *file, struct err *err)
{
	struct tar *tar = tar_open(file);
	struct tar_member member;
	struct err why = {0};
	bool ok = true;

	while (ok && tar_next(tar, &member, &m->damage, &why)) {
		ok = goes_on(m, member.off, file->size, err);
		if (ok)
			add_tar_member(m, &member, file);
	}
	tar_close(tar);
	if (why.code == ERR_FORMAT && m->n) {
		if (!m->damage.code)
			m->damage = why;
	} else if (why.code) {
		*err = why;
		ok = false;
	}
	return ok;
}

/* Unpacks all of it first: its members are then found in that as in a plain one. */
static bool list_packed_tar(struct mounting *m, struct file *file, struct err *err)
{
	struct file tar = { .path = m->path, .fd = -1 };

	if (!room_unpack(&m->room, file, m->progress, &m->damage, err))
		return false;
	if (m->damage.code == ERR_LIMIT || m->room.fd < 0) {
		*err = m->damage;
		return false;
	}
	tar.fd = m->room.fd;
	tar.size = m->room.used;
	return list_tar(m, &tar, err);
}

/* zip. */

/* False with *err, of *why if only this member is bad. */
static bool unpack_member(struct mounting *m, const struct zip *zip,
                          const struct zip_member *member, struct span span, struct err *why,
                          struct err *err)
{
	struct gunzip *gunzip = gunzip_new_raw(zip->file, span.off, span.len);
	char *block = mem_alloc(AT_ONCE);
	uint64_t got = 0;
	uint32_t crc = 0;
	bool ok = true;

	m->packed += span.len;
	while (ok && got < member->size) {
		uint64_t left = member->size - got;
		size_t n = gunzip_read(gunzip, block, left < AT_ONCE ? left : AT_ONCE, why);

		if (!n)
			break;
		got += n;
		crc = crc32_add(crc, block, n);
		ok = room_put(&m->room, block, n, err);
		if (ok && unpacked_is_bomb(m->room.used, m->packed))
			ok = err_at(err, ERR_LIMIT, m->path, span.off,
			            "more comes out than is read");
		if (ok && !progress_step(m->progress, gunzip_packed(gunzip), zip->file->size))
			ok = err_at(err, ERR_CANCELLED, m->path, 0, "stopped");
	}
	gunzip_free(gunzip);
	free(block);
	if (got != member->size)
		err_fill(why, ERR_FORMAT, m->path, span.off, "not all of it comes out");
	else if (member->has_crc && crc != member->crc32)
		err_fill(why, ERR_FORMAT, m->path, span.off, "its checksum is wrong");
	return ok;
}

static bool add_zip_member(struct mounting *m, const struct zip *zip,
                           const struct zip_member *member, struct err *err)
{
	struct mount_file file = { zip->file->fd, 0, member->size,
	                           member->changed_s * 1000000000 };
	size_t len = strlen(member->name);
	struct err why = {0};
	struct span span;

	if (len && member->name[len - 1] == '/') {
		add(m, member->name, NULL);
		return true;
	}
	if (member->is_link)
		err_fill(&why, ERR_UNSUPPORTED, m->path, member->head_off, "a link");
	else if (zip_place(zip, member, &span, &why))
		file.off = span.off;
	if (!why.code && !zip_is_stored(member) && member->size) {
		file.off = m->room.used;
		if (!unpack_member(m, zip, member, span, &why, err))
			return false;
		file.fd = m->room.fd;
	}
	if (why.code)
		leave_out(m, member->name, why.msg);
	else
		add(m, member->name, &file);
	return true;
}

static bool list_zip(struct mounting *m, struct file *file, struct err *err)
{
	struct zip zip = {0};
	bool ok = zip_open(&zip, file, m->progress, err);

	for (size_t i = 0; ok && i < zip.members.len; i++)
		ok = goes_on(m, zip.members.at[i].head_off, file->size, err)
		     && add_zip_member(m, &zip, &zip.members.at[i], err);
	zip_release(&zip);
	return ok;
}

/* All. */

static void put_note(const struct mounting *m, struct str *out)
{
	const char *between = "";

	if (m->n_left_out) {
		str_fmt(out, "%s: %" PRIu64 " member%s left out: %s", m->path, m->n_left_out,
		        m->n_left_out == 1 ? " is" : "s are", m->left_out.text);
		if (m->n_left_out > NAMED_MOST)
			str_fmt(out, " and %" PRIu64 " more", m->n_left_out - NAMED_MOST);
		between = "; ";
	}
	if (m->damage.code)
		str_fmt(out, "%s%s: damaged at byte %" PRIu64 ": %s", between, m->path,
		        m->damage.off, m->damage.msg);
}

struct mount *archive_mount(const char *path, const char *as, enum file_kind kind,
                            struct str *note, struct progress *progress, struct err *err)
{
	struct mounting m = { .path = as, .progress = progress,
	                      .room = { as, -1, 0, temp_most } };
	struct file file;
	bool ok;

	if (!file_open(&file, path, err))
		return NULL;
	if (progress)
		atomic_store(&progress->what, "bytes of the archive");
	file.path = as;
	m.mount = mount_new(as);
	ok = kind == FILE_ZIP   ? list_zip(&m, &file, err)
	     : kind == FILE_TAR ? list_tar(&m, &file, err) : list_packed_tar(&m, &file, err);
	mount_own(m.mount, file.fd);
	file.fd = -1;
	file_close(&file);
	if (m.room.fd >= 0)
		mount_own(m.mount, m.room.fd);
	put_note(&m, note);
	str_release(&m.left_out);
	if (ok) {
		mount_show(m.mount);
		return m.mount;
	}
	mount_release(m.mount);
	return NULL;
}

int archive_of_standard_input(struct str *path, struct progress *progress, struct err *err)
{
	struct room room = { "-", -1, 0, temp_most };
	char *block = mem_alloc(AT_ONCE);
	ssize_t n = 1;
	bool ok = true;

	if (progress)
		atomic_store(&progress->what, "bytes of standard input");
	while (ok && n) {
		n = read(STDIN_FILENO, block, AT_ONCE);
		if (n < 0 && errno != EINTR)
			ok = err_at(err, ERR_IO, "-", 0, "%s", strerror(errno));
		ok = ok && (n <= 0 || room_put(&room, block, (size_t)n, err))
		     && (progress_step(progress, room.used, 0)
		         || err_at(err, ERR_CANCELLED, "-", 0, "stopped"));
	}
	free(block);
	if (ok && room.fd < 0)
		ok = err_damaged(err, DAMAGE_EMPTY, "-", 0, "nothing came on standard input");
	if (ok) {
		str_fmt(path, "/proc/self/fd/%d", room.fd);
		return room.fd;
	}
	if (room.fd >= 0)
		close(room.fd);
	return -1;
}

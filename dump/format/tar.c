#include "dump/format/tar.h"

#include <locale.h>
#include <stdlib.h>

#include <archive_entry.h>

#include "dump/base/mem.h"
#include "dump/format/stream.h"

struct tar {
	struct archive *archive;
	struct file *file;
	struct stream stream;
	locale_t locale;         /* in which libarchive takes names as the bytes that they are */
	bool started;
};

struct tar *tar_open(struct file *file)
{
	struct tar *tar = mem_alloc(sizeof *tar);

	tar->file = file;
	tar->archive = archive_read_new();
	tar->locale = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
	if (tar->archive)
		archive_read_support_format_tar(tar->archive);
	return tar;
}

void tar_close(struct tar *tar)
{
	if (!tar)
		return;
	archive_read_free(tar->archive);
	if (tar->locale)
		freelocale(tar->locale);
	free(tar);
}

/* Where libarchive is: bytes taken from the file. */
static uint64_t place(const struct tar *tar)
{
	return (uint64_t)archive_filter_bytes(tar->archive, 0);
}

static bool fail(const struct tar *tar, struct err *err)
{
	const char *why = archive_error_string(tar->archive);

	return err->code ? false
	                 : err_at(err, ERR_FORMAT, tar->file->path, place(tar), "%s",
	                          why ? why : "no tar archive");
}

static enum tar_kind kind_of(struct archive_entry *entry)
{
	if (archive_entry_hardlink(entry) || archive_entry_filetype(entry) == AE_IFLNK)
		return TAR_LINK;
	if (archive_entry_filetype(entry) == AE_IFDIR)
		return TAR_DIR;
	if (archive_entry_filetype(entry) != AE_IFREG)
		return TAR_OTHER;
	return archive_entry_sparse_count(entry) ? TAR_SPARSE : TAR_FILE;
}

static int64_t mtime_of(struct archive_entry *entry)
{
	int64_t s = archive_entry_mtime(entry);

	return s < 0 || s >= INT64_MAX / 1000000000 - 1
	       ? 0 : s * 1000000000 + archive_entry_mtime_nsec(entry) % 1000000000;
}

static bool next(struct tar *tar, struct tar_member *member, struct err *damage, struct err *err)
{
	struct archive_entry *entry;
	int state;

	tar->stream.err = err;
	if (!tar->archive)
		return err_at(err, ERR_LIMIT, tar->file->path, 0, "no memory to read it");
	if (!tar->started && !stream_open(&tar->stream, tar->file, tar->archive))
		return fail(tar, err);
	tar->started = true;
	while ((state = archive_read_next_header(tar->archive, &entry)) == ARCHIVE_RETRY)
		if (!damage->code)
			err_fill(damage, ERR_FORMAT, tar->file->path, place(tar),
			         "no head of a member");
	if (state == ARCHIVE_EOF)
		return false;
	if (state != ARCHIVE_OK && state != ARCHIVE_WARN)
		return fail(tar, err);
	*member = (struct tar_member){
		archive_entry_pathname(entry), kind_of(entry), place(tar),
		(uint64_t)archive_entry_size(entry), mtime_of(entry),
	};
	if (!member->name)
		member->name = "";
	return true;
}

bool tar_next(struct tar *tar, struct tar_member *member, struct err *damage, struct err *err)
{
	locale_t before = tar->locale ? uselocale(tar->locale) : (locale_t)0;
	bool found = next(tar, member, damage, err);

	if (before)
		uselocale(before);
	return found;
}

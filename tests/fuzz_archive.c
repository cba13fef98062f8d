/* An archive of any kind: it is mounted, all in it is listed, found and read. */
#include <stdlib.h>
#include <string.h>

#include "dump/files/archive.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"
#include "dump/format/unpack.h"
#include "tests/input.h"

struct reading {
	const char *root;
	size_t bytes;
};

static bool read_file(void *owner, const struct walk_file *found)
{
	enum { BYTES_READ = 1 << 20 };
	struct reading *r = owner;
	struct str path = {0};
	struct err err = {0};
	struct file file;
	size_t n;

	str_fmt(&path, "%s/%s%s", r->root, found->dir, found->name);
	MUST(!strstr(path.text + strlen(r->root), "/../"));
	MUST(file_open(&file, path.text, &err));
	MUST((int64_t)file.size == found->size_bytes);
	for (uint64_t off = 0; r->bytes < BYTES_READ && file_some(&file, off, &n, &err); off += n)
		r->bytes += n;
	file_close(&file);
	str_release(&path);
	return r->bytes < BYTES_READ;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	struct reading reading = { .root = path };
	struct walk_sink sink = { &reading, read_file, NULL };
	struct str note = {0};
	struct err err = {0};
	struct mount *mount = NULL;
	enum file_kind kind;

	temp_most = 1 << 22;
	if (recognise(path, &kind, &err) && archive_is(kind)) {
		mount = archive_mount(path, path, kind, &note, NULL, &err);
		MUST(mount || *err.msg);
	}
	if (mount)
		MUST(walk_path(path, &sink));
	mount_release(mount);
	str_release(&note);
	return 0;
}

#include "dump/format/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/format/crc32.h"
#include "dump/format/file.h"

enum { AT_ONCE = 64 * 1024, NEAR = 4096 };

struct part {
	struct file file;
	uint64_t off;
	uint64_t read_to;        /* where the last read ended */
	char path[];
};

/* Small reads one behind the other come from the file's window. */
static bool read_part(void *owner, uint64_t off, size_t len, void *out, struct err *err)
{
	struct part *part = owner;
	bool near = off >= part->read_to && off - part->read_to < NEAR;
	const void *bytes;

	part->read_to = off + len;
	if (!near || len >= AT_ONCE / 4)
		return file_read(&part->file, part->off + off, len, out, err);
	bytes = file_bytes(&part->file, part->off + off, len, err);
	if (bytes)
		memcpy(out, bytes, len);
	return bytes;
}

static void release_part(void *owner)
{
	struct part *part = owner;

	file_close(&part->file);
	free(part);
}

/* The file, open, as the owner of an input. NULL: it can't be opened. */
static struct part *open_part(const char *path, uint64_t off, struct err *err)
{
	size_t path_len = strlen(path);
	struct part *part = mem_alloc(sizeof *part + path_len + 1);

	memcpy(part->path, path, path_len + 1);
	part->off = off;
	if (!file_open(&part->file, part->path, err)) {
		free(part);
		return NULL;
	}
	/* Nothing was read: a window may not be worth it, unless it has the whole file. */
	part->read_to = part->file.size < NEAR ? 0 : UINT64_MAX;
	return part;
}

bool input_of_file(struct input *input, const char *path, uint64_t off, uint64_t len,
                   struct err *err)
{
	struct part *part = open_part(path, off, err);

	*input = (struct input){0};
	if (!part)
		return false;
	if (off > part->file.size || len > part->file.size - off) {
		err_damaged(err, DAMAGE_CUT, path, off,
		            "%" PRIu64 " byte%s expected here, the file has %" PRIu64 " in all",
		            len, plural(len), part->file.size);
		release_part(part);
		return false;
	}
	*input = (struct input){ part->path, len, part, read_part, release_part };
	return true;
}

bool input_of_whole(struct input *input, const char *path, struct err *err)
{
	struct part *part = open_part(path, 0, err);

	*input = (struct input){0};
	if (part)
		*input = (struct input){ part->path, part->file.size, part, read_part,
		                         release_part };
	return part;
}

bool input_read(struct input *input, uint64_t off, size_t len, void *out, struct err *err)
{
	if (off > input->size || len > input->size - off)
		return err_damaged(err, DAMAGE_CUT, input->path, off,
		                   "%zu byte%s expected here, there are %" PRIu64 " in all", len,
		                   plural(len), input->size);
	return input->read(input->owner, off, len, out, err);
}

bool input_crc32(struct input *input, uint32_t *crc, struct err *err)
{
	unsigned char *block = mem_alloc(AT_ONCE);
	bool ok = true;

	*crc = 0;
	for (uint64_t off = 0; ok && off < input->size; off += AT_ONCE) {
		size_t n = input->size - off < AT_ONCE ? (size_t)(input->size - off) : AT_ONCE;

		ok = input_read(input, off, n, block, err);
		if (ok)
			*crc = crc32_add(*crc, block, n);
	}
	free(block);
	return ok;
}

void input_release(struct input *input)
{
	if (input->release)
		input->release(input->owner);
	*input = (struct input){0};
}

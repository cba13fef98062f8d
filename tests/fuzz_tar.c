/* A tar archive, plain or with gzip: each member and its bytes. */
#include "dump/format/tar.h"

#include "tests/input.h"

static void read_all(struct file *file, bool packed)
{
	enum { MEMBERS_READ = 1000, BYTES_READ = 1 << 20 };
	struct tar_member member;
	struct err err = {0};
	struct tar tar;
	char block[4096];
	size_t bytes = 0, n;

	tar_start(&tar, file, packed);
	for (int i = 0; i < MEMBERS_READ && tar_next(&tar, &member, &err); i++) {
		MUST(member.name && !err.code);
		while (bytes < BYTES_READ && (n = tar_read(&tar, block, sizeof block, &err))) {
			MUST(n <= sizeof block);
			bytes += n;
		}
		if (err.code || bytes >= BYTES_READ)
			break;
	}
	tar_release(&tar);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct file file;

	MUST(file_open(&file, input_file(data, size), &err));
	read_all(&file, false);
	read_all(&file, true);
	file_close(&file);
	return 0;
}

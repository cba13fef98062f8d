/* A zip archive: its list, and each member as far as it can be read. */
#include "dump/format/zip.h"

#include <stdlib.h>

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct zip zip = {0};
	struct err err = {0};
	struct file file;

	MUST(file_open(&file, input_file(data, size), &err));
	MUST(zip_open(&zip, &file, NULL, &err) == (err.code == ERR_NONE));
	MUST(zip.members.len == zip.names.len && zip.members.len <= size / 46);
	for (size_t i = 0; i < zip.members.len; i++) {
		err = (struct err){0};
		char *bytes = zip_read(&zip, &zip.members.at[i], 1 << 20, NULL, &err);

		MUST(!bytes == (err.code != ERR_NONE));
		MUST(zip_find(&zip, zip.members.at[i].name) == &zip.members.at[i]);
		free(bytes);
	}
	zip_release(&zip);
	file_close(&file);
	return 0;
}

#ifndef TESTS_SMALL_ZIP_H
#define TESTS_SMALL_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/str.h"

/* Zip archives written by hand. */
struct zip_part {
	const char *name;
	const void *bytes;
	size_t len;
	int method;              /* 0 or 8; any other: as it is */
	unsigned flags;
	bool bad_sum, no_sum, is_link;
	int64_t more; /* so many bytes more than there are, says the list */
};

enum zip_form { ZIP_PLAIN, ZIP_LARGE /* all numbers as zip64 has them */ };

/* before: what stands before the archive; comment: what behind its list. Either may be "". */
void put_zip(struct str *out, enum zip_form form, const char *before, const char *comment,
             const struct zip_part *part, size_t n);

#endif

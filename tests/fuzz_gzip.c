/*
 * The head of a gzip file, unpacked into little and much room; then its bytes packed and unpacked.
 */
#include "dump/format/gzip.h"

#include <stdlib.h>
#include <string.h>

#include "tests/input.h"
#include "tests/program.h"

#define PACKED "packed.gz"
enum { ROOM = 64 * 1024 };

static void unpack(const uint8_t *data, size_t size, size_t little)
{
	static unsigned char most[ROOM];
	size_t n = gzip_head(data, size, most, ROOM), n_little;
	unsigned char *first = malloc(little ? little : 1);

	MUST(first && n <= ROOM);
	n_little = gzip_head(data, size, first, little);
	MUST(n_little == (n < little ? n : little) && !memcmp(first, most, n_little));
	free(first);
}

static void pack(const uint8_t *data, size_t size)
{
	static unsigned char back[ROOM];
	struct str packed = {0};
	struct err err = {0};

	if (size > ROOM)
		return;
	input_enter();
	MUST(gzip_write(PACKED, data, size, &err) && read_whole(PACKED, &packed));
	input_leave();
	MUST(gzip_head(packed.text, packed.len, back, ROOM) == size &&
	     (!size || !memcmp(back, data, size)));
	str_release(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unpack(data, size, size ? data[size - 1] : 0);
	pack(data, size);
	return 0;
}

/* A pickle, of which every name may be asked for that begins with 't'. */
#include "dump/arrays/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "dump/format/crc32.h"
#include "tests/input.h"

static bool is_known(const char *name)
{
	return *name == 't';
}

static void look(const struct pickle_value *value, int depth)
{
	MUST(value->kind != PICKLE_NOTHING);
	if (value->kind == PICKLE_TEXT)
		MUST(crc32_add(0, value->text, value->len) <= UINT32_MAX);      /* reads it */
	if (value->kind == PICKLE_NAME)
		MUST(strlen(value->text) == value->len);
	if (value->kind < PICKLE_TUPLE || value->kind == PICKLE_NAME || value->items->open
	    || depth == 30)
		return;
	MUST(value->kind != PICKLE_CALL || value->items->len == 2);
	value->items->open = true;
	for (size_t i = 0; i < value->items->len && i < 4; i++)
		look(&value->items->at[i], depth + 1);
	value->items->open = false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pickle_value value = {0};
	struct arena mem = {0};
	struct err err = {0};
	void *copy = malloc(size ? size : 1);

	MUST(copy);
	if (size)
		memcpy(copy, data, size);
	if (pickle_read("file", 0, copy, size, is_known, &mem, NULL, &value, &err))
		look(&value, 0);
	else
		MUST(err.code != ERR_NONE);
	arena_release(&mem);
	free(copy);
	return 0;
}

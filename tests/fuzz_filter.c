/* Filter expressions: what is not taken is refused with a column of the text. */
#include "cmds/session/filter.h"

#include <stdlib.h>
#include <string.h>

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	struct err err = {0};
	struct filter *filter = filter_parse(text, &err);

	if (filter)
		MUST(strlen(text) <= FILTER_MAX_BYTES);
	else
		MUST((err.code == ERR_SYNTAX || err.code == ERR_REGEX) && err.off <= strlen(text) &&
		     *err.msg);
	filter_free(filter);
	free(text);
	return 0;
}

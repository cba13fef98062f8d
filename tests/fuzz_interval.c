/* Intervals of sizes and of times, and single numbers as Python reads them. */
#include "cmds/lang/interval.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "tests/input.h"

static void read_as(const char *text, enum interval_unit unit)
{
	static const int64_t values[] = { INT64_MIN, -1, 0, 1, 1000, INT64_MAX };
	struct interval interval;
	struct err err = {0};

	if (!interval_parse(text, unit, &interval, &err)) {
		MUST(err.code == ERR_VALUE);
		return;
	}
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (interval_holds(&interval, values[i]))
			MUST(values[i] >= interval.low && values[i] <= interval.high);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	size_t len = strlen(text);
	struct err err = {0};
	double real;
	int64_t whole, again;

	read_as(text, INTERVAL_SIZE);
	read_as(text, INTERVAL_TIME);
	interval_is(text);
	MUST(python_float_read(text, len, 0, &real, &err) || err.code == ERR_VALUE);
	if (python_int(text, len, &whole))
		MUST(python_int_read(text, len, 0, &again, NULL) && again == whole);
	free(text);
	return 0;
}

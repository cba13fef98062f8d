/* Python's text of what was fetched: elements lie in it, in order. */
#include "dump/model/repr.h"

#include <stdlib.h>
#include <string.h>

#include "tests/input.h"

static void check(const char *text, const repr_elements *elements)
{
	const char *end = text;

	for (size_t i = 0; i < elements->len; i++) {
		const struct repr_element *element = &elements->at[i];

		MUST(element->at >= end && element->at + element->len <= text + strlen(text));
		MUST(!element->is_alone || elements->len == 1);
		end = element->at + element->len;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	repr_elements values = {0}, keys = {0};

	repr_values(text, &values);
	check(text, &values);
	for (size_t i = 0; i < values.len; i++) {
		repr_elements tensors = {0};

		repr_tensors(&values.at[i], &tensors);
		check(text, &tensors);
		MUST(values.at[i].kind != REPR_TEXT || tensors.len);
		vec_release(&tensors);
	}
	repr_keys(text, &keys);
	check(text, &keys);
	vec_release(&values);
	vec_release(&keys);
	free(text);
	return 0;
}

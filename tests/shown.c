#include "tests/suite.h"

#include "tests/shown.h"

void put_ints(struct str *out, const int64_t *ints, uint32_t n)
{
	str_putc(out, '[');
	for (uint32_t i = 0; i < n; i++)
		str_fmt(out, i ? " %lld" : "%lld", (long long)ints[i]);
	str_putc(out, ']');
}

void shown_is(struct str *shown, const char *wanted)
{
	ck_assert_str_eq(str_text(shown), wanted);
	str_release(shown);
}

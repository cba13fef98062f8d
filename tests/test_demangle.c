/* Symbols. The recorded ones are c++filt's answers; the rest were asked of it too. */
#include <string.h>

#include "dump/profile/demangle.h"
#include "tests/program.h"
#include "tests/suite.h"

static const struct { const char *symbol, *name; bool ok; } names[] = {
	{ "", "", true },
	{ "t", "t", true },
	{ "_ZTI1A", "typeinfo for A", true },
	{ "_Z1fSs", "f(std::basic_string<char, std::char_traits<char>, std::allocator<char> >)",
	  true },
	{ "_Z1fv.isra.0.constprop.12", "f()", true },
	{ "_Z1fv.kd", "f()", true },
	{ "_Z1fv [clone .kd]", "f()", true },
	{ "__Z1fv", "f()", true },
	{ "___Z1fv", "f()", true },
	{ "____Z1fv", "____Z1fv", true },
	{ "_Z", "_Z", false },
	{ "_Znonsense!", "_Znonsense!", false },
	{ "_ZN4core3fmt17h0011223344556677E", "core::fmt::h0011223344556677", true },
	{ "ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn", true },
	{ "loop_add_fusion_3", "loop_add_fusion_3", true },
	{ "a.isra.", "a.isra.", true },
	{ ".isra.1", ".isra.1", true },
	{ "[clone .kd]", "[clone .kd]", true },
	{ "f() [clone .x]", "f()", true },
	{ "void f<int>(int)", "void f<int>(int)", true },
};

START_TEST(symbol_becomes_name)
{
	struct str out = {0};

	str_puts(&out, "left over");
	ck_assert_int_eq(demangle(names[_i].symbol, strlen(names[_i].symbol), &out), names[_i].ok);
	ck_assert_str_eq(str_text(&out), names[_i].name);
	str_release(&out);
}
END_TEST

/* Symbol, tab, name: one a line. A name is its own name. */
START_TEST(recorded_symbols_agree)
{
	struct str file = {0}, out = {0};
	char *line, *rest;
	size_t n = 0;

	ck_assert(read_whole("testdata/profile/demangle.tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *tab = strchr(line, '\t');

		ck_assert(tab);
		ck_assert(demangle(line, (size_t)(tab - line), &out));
		ck_assert_str_eq(out.text, tab + 1);
		ck_assert(demangle(tab + 1, strlen(tab + 1), &out));
		ck_assert_str_eq(out.text, tab + 1);
		n++;
	}
	ck_assert_uint_eq(n, 11);
	str_release(&file);
	str_release(&out);
}
END_TEST

/* Each parameter is a function of the one before it, twice: n of them make a name of 2^n. */
START_TEST(name_without_end_is_left)
{
	struct str symbol = {0}, out = {0};

	str_puts(&symbol, "_Z1fPFvvE");
	for (int i = 0; i < 60; i++) {
		char ref[] = { 'S', "02468ACEGIKMOQSUWY"[i % 18], '_', '\0' };

		str_fmt(&symbol, "PFv%s%sE", ref, ref);
	}
	ck_assert(!demangle(symbol.text, symbol.len, &out));
	ck_assert_str_eq(out.text, symbol.text);
	str_release(&symbol);
	str_release(&out);
}
END_TEST

START_TEST(long_symbol_is_left)
{
	struct str symbol = {0}, out = {0};

	str_puts(&symbol, "_Z1f");
	str_fill(&symbol, 'i', DEMANGLE_MAX);
	ck_assert(!demangle(symbol.text, symbol.len, &out));
	ck_assert_str_eq(out.text, symbol.text);
	str_release(&symbol);
	str_release(&out);
}
END_TEST

START_TEST(zero_byte_is_no_symbol)
{
	struct str out = {0};

	ck_assert(!demangle("_Z1fv\0x", 7, &out));
	ck_assert_uint_eq(out.len, 7);
	str_release(&out);
}
END_TEST

SUITE_MAIN("demangle",
	tcase_add_loop_test(t, symbol_becomes_name, 0, ROWS(names));
	tcase_add_test(t, recorded_symbols_agree);
	tcase_add_test(t, name_without_end_is_left);
	tcase_add_test(t, long_symbol_is_left);
	tcase_add_test(t, zero_byte_is_no_symbol);
)

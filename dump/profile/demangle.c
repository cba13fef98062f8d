/*
 * libiberty does the work. A symbol of a few hundred bytes may stand for a name of 2^100: each type
 * may refer to the one before it twice. So the name is taken piece by piece, and what grows too
 * long is left in the middle; in this mode the library holds nothing on the heap that would be lost
 * by that.
 */
#include "dump/profile/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <string.h>

#include <libiberty/demangle.h>

struct taking {
	struct str *out;
	jmp_buf too_long;
};

static void take(const char *piece, size_t len, void *context)
{
	struct taking *taking = context;

	if (len > DEMANGLE_MAX - taking->out->len)
		longjmp(taking->too_long, 1);
	str_put(taking->out, piece, len);
}

/* The length of the name without one suffix. */
static size_t without_suffix(const char *name, size_t len)
{
	static const char *const numbered[] = { ".constprop.", ".isra." };
	static const char clone[] = " [clone ", in_parentheses[] = " (.kd)";
	size_t digits = len, n = sizeof in_parentheses - 1;

	if (len > n && !memcmp(name + len - n, in_parentheses, n))
		return len - n;
	if (len > 3 && !memcmp(name + len - 3, ".kd", 3))
		return len - 3;
	if (len && name[len - 1] == ']') {
		const char *open = memrchr(name, '[', len);
		size_t at = open ? (size_t)(open - name) : 0;

		if (at && len - at > sizeof clone - 2 &&
		    !memcmp(name + at - 1, clone, sizeof clone - 1))
			return at - 1;
	}
	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	for (size_t i = 0; digits < len && i < sizeof numbered / sizeof *numbered; i++) {
		n = strlen(numbered[i]);
		if (digits > n && !memcmp(name + digits - n, numbered[i], n))
			return digits - n;
	}
	return len;
}

/* A suffix the library does not know becomes a clone's: read again the name would change. */
static void cut_suffixes(struct str *name)
{
	size_t cut;

	while ((cut = without_suffix(str_text(name), name->len)) < name->len)
		str_cut(name, cut);
}

/* "_Z", and with one or two underscores more where a platform puts them before every name. */
static const char *symbol_of(const char *name)
{
	size_t n = strspn(name, "_");

	return n >= 1 && n <= 3 && name[n] == 'Z' ? name + n - 1 : NULL;
}

static bool demangled(const char *symbol, struct str *out)
{
	struct taking taking = { .out = out };

	if (setjmp(taking.too_long))
		return false;
	return rust_demangle_callback(symbol, DMGL_PARAMS | DMGL_ANSI | DMGL_VERBOSE, take,
	                              &taking) ||
	       cplus_demangle_v3_callback(symbol, DMGL_PARAMS | DMGL_ANSI | DMGL_VERBOSE, take,
	                                  &taking);
}

bool demangle(const char *name, size_t len, struct str *out)
{
	struct str bare = {0};
	const char *symbol;
	size_t cut;
	bool ok = true;

	while ((cut = without_suffix(name, len)) < len)
		len = cut;
	str_put(&bare, name, len);
	symbol = symbol_of(str_text(&bare));
	str_reset(out);
	if (symbol)
		ok = len <= DEMANGLE_MAX && !memchr(name, '\0', len) && demangled(symbol, out);
	if (!symbol || !ok) {
		str_reset(out);
		str_put(out, str_text(&bare), bare.len);
	} else {
		cut_suffixes(out);
	}
	str_release(&bare);
	return ok;
}

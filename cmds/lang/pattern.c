/*
 * The pattern is rewritten from Python's syntax, then compiled for text that may hold bytes that
 * are no UTF-8: a character of the pattern never matches one. PCRE2_ANCHORED is given here because
 * at match time it would switch the JIT off. Limits: the length of the pattern, and for each match
 * the steps, the heap and the machine stack of the JIT.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "cmds/lang/pattern.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/python_re.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/utf8.h"

enum {
	MAX_PATTERN_BYTES = 4096,
	MATCH_STEPS = 2000000,
	HEAP_KIB = 16 * 1024,
	JIT_STACK_BYTES = 1024 * 1024
};

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	pcre2_jit_stack *stack;
	bool gave_up;
};

static uint32_t options_of(enum pattern_use use, bool ignore_case, const struct re_flags *flags)
{
	return PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C |
	       (flags->ascii ? 0 : PCRE2_UCP) |
	       (use == PATTERN_MATCH ? PCRE2_ANCHORED : 0) |
	       (ignore_case || flags->ignore_case ? PCRE2_CASELESS : 0) |
	       (flags->multi_line ? PCRE2_MULTILINE : 0) |
	       (flags->dot_all ? PCRE2_DOTALL : 0);
}

/* The offset is one of the rewritten pattern, so only the message is kept. */
static bool refuse(int code, struct err *err)
{
	PCRE2_UCHAR text[256];

	if (code == PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH)
		return err_at(err, ERR_REGEX, "command", 0,
		              "look-behind requires fixed-width pattern");
	if (pcre2_get_error_message(code, text, sizeof text) < 0)
		text[0] = '\0';
	return err_at(err, ERR_REGEX, "command", 0, "%s", (const char *)text);
}

static pcre2_code *compile(const struct str *text, uint32_t options, struct err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	PCRE2_SIZE at;
	pcre2_code *code = NULL;
	int error = PCRE2_ERROR_NOMEMORY;

	if (context) {
		pcre2_set_newline(context, PCRE2_NEWLINE_LF);
		code = pcre2_compile((PCRE2_SPTR)str_text(text), text->len, options, &error, &at,
		                     context);
	}
	pcre2_compile_context_free(context);
	if (!code)
		refuse(error, err);
	return code;
}

static bool check_text(const char *text, struct err *err)
{
	size_t len = strlen(text);

	if (len > MAX_PATTERN_BYTES)
		return err_at(err, ERR_REGEX, "command", 0, "the pattern is longer than %d bytes",
		              MAX_PATTERN_BYTES);
	for (size_t at = 0; at < len;) {
		uint32_t cp;
		size_t n = utf8_next(text + at, len - at, &cp);

		if (cp == UTF8_BAD)
			return err_at(err, ERR_REGEX, "command", at, "the pattern is not UTF-8");
		at += n;
	}
	return true;
}

/*
 * The JIT is a help, not a need: without it PCRE2 interprets under the same limits. It is left out
 * where the classes are ASCII's, because the JIT of PCRE2 10.42 then finds no \D in "\u00e9" if
 * bytes that are no UTF-8 are allowed.
 */
static bool prepare(struct pattern *pattern, bool ascii)
{
	pattern->data = pcre2_match_data_create(1, NULL);
	pattern->limits = pcre2_match_context_create(NULL);
	if (!pattern->data || !pattern->limits)
		return false;
	pcre2_set_match_limit(pattern->limits, MATCH_STEPS);
	pcre2_set_heap_limit(pattern->limits, HEAP_KIB);
	if (!ascii && pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE) == 0) {
		pattern->stack = pcre2_jit_stack_create(32 * 1024, JIT_STACK_BYTES, NULL);
		if (pattern->stack)
			pcre2_jit_stack_assign(pattern->limits, NULL, pattern->stack);
	}
	return true;
}

struct pattern *pattern_new(const char *text, enum pattern_use use, bool ignore_case,
                            struct err *err)
{
	struct pattern *pattern;
	struct str rewritten = {0};
	struct re_flags flags;
	pcre2_code *code = NULL;

	if (check_text(text, err) && python_re_rewrite(text, &rewritten, &flags, err))
		code = compile(&rewritten, options_of(use, ignore_case, &flags), err);
	str_release(&rewritten);
	if (!code)
		return NULL;
	pattern = mem_alloc(sizeof *pattern);
	pattern->code = code;
	if (!prepare(pattern, flags.ascii)) {
		refuse(PCRE2_ERROR_NOMEMORY, err);
		pattern_free(pattern);
		return NULL;
	}
	return pattern;
}

void pattern_free(struct pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_jit_stack_free(pattern->stack);
	pcre2_match_context_free(pattern->limits);
	pcre2_match_data_free(pattern->data);
	pcre2_code_free(pattern->code);
	free(pattern);
}

bool pattern_hits(struct pattern *pattern, const char *text, size_t len, size_t from,
                  size_t *begin, size_t *end)
{
	const PCRE2_SIZE *hit;
	int n;

	if (pattern->gave_up || from > len)
		return false;
	n = pcre2_match(pattern->code, (PCRE2_SPTR)text, len, from, 0, pattern->data,
	                pattern->limits);
	if (n < 0) {
		pattern->gave_up = n != PCRE2_ERROR_NOMATCH;
		return false;
	}
	hit = pcre2_get_ovector_pointer(pattern->data);
	if (begin)
		*begin = hit[0];
	if (end)
		*end = hit[1];
	return true;
}

bool pattern_gave_up(const struct pattern *pattern)
{
	return pattern->gave_up;
}

bool pattern_too_long(const char *text, struct err *err)
{
	if (!text)
		return err_at(err, ERR_LIMIT, "command", 0,
		              "the regular expression takes too long: give it fewer ways to match");
	return err_at(err, ERR_LIMIT, "command", 0,
	              "the regular expression takes too long on \"%.100s\": "
	              "give it fewer ways to match", text);
}

bool pattern_fits(struct pattern *pattern, const char *text, size_t len, struct err *err)
{
	bool hit = pattern_hits(pattern, text, len, 0, NULL, NULL);

	if (pattern->gave_up && !err->code)
		pattern_too_long(text, err);
	return hit;
}

void pattern_put_literal(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(PATTERN_SPECIAL, *text))
			str_putc(out, '\\');
		str_putc(out, *text);
	}
}

#include "tui/theme_file.h"

#include <assert.h>
#include <string.h>

#include "cmds/session/themes.h"

void theme_read(const char *path, const char *text, size_t len, struct theme *out,
                struct str *complaint)
{
	struct str expected = {0};
	size_t number = 0, wrong = 0;

	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t line_len = end ? (size_t)(end - text) : len;

		number++;
		str_reset(&expected);
		if (!theme_read_line(out, text, line_len, &expected) && !wrong++)
			str_fmt(complaint, "%s:%zu: %s", path, number, expected.text);
		line_len += end != NULL;
		text += line_len;
		len -= line_len;
	}
	if (wrong > 1)
		str_fmt(complaint, " (and %zu more)", wrong - 1);
	str_release(&expected);
}

void theme_load(const char *name, const char *base, struct theme *out, struct str *complaint)
{
	struct str path = {0}, text = {0};
	struct err err = {0};
	bool base_is_shipped = theme_shipped(base, out);

	assert(base_is_shipped);
	(void)base_is_shipped;
	if (theme_file_read(name, &path, &text, &err))
		theme_read(path.text, str_text(&text), text.len, out, complaint);
	else if (err.code)
		str_fmt(complaint, "%s: %s", path.text, err.msg);
	else if (!theme_shipped(name, out))
		str_fmt(complaint, "There is no theme \"%s\"", name);
	str_release(&path);
	str_release(&text);
}

#include "dump/arrays/step.h"

#include <ctype.h>
#include <string.h>

enum { DIGITS_MOST = 18 };

/* Longer words before those they end with. */
static const char *const step_words[] = {
	"global_step", "test_data_set", "iteration", "epoch", "step", "iter", "ckpt",
};
#define NUMPYS_OWN "arr"         /* arr_0, arr_1...: numpy.savez counts arrays, not steps */
static const char *const device_words[] = { "rank", "proc" };

static bool is_joint(char c)
{
	return c == '_' || c == '=' || c == '-';
}

/* The digits that text[0..len) ends with; *number is -1 if they are too many. */
static size_t digits_at_end(const char *text, size_t len, int64_t *number)
{
	size_t n = 0;

	while (n < len && is_digit(text[len - 1 - n]))
		n++;
	*number = n && n <= DIGITS_MOST ? 0 : -1;
	for (size_t i = len - n; *number >= 0 && i < len; i++)
		*number = *number * 10 + (text[i] - '0');
	return n;
}

static bool ends_with_word(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !strncasecmp(text + len - n, word, n)
	       && (len == n || !isalnum((unsigned char)text[len - n - 1]));
}

/* Where in a part of a path the text that names its step begins; len: it names none. */
static size_t step_in(const char *part, size_t len, char bare, int64_t *step, bool *is_bare)
{
	size_t digits = digits_at_end(part, len, step), end = len - digits;

	if (*step < 0)
		return len;
	if (end && is_joint(part[end - 1]))
		end--;
	for (size_t i = 0; i < sizeof step_words / sizeof *step_words; i++)
		if (ends_with_word(part, end, step_words[i]))
			return end - strlen(step_words[i]);
	*is_bare = bare && end && part[end] == bare && !ends_with_word(part, end, NUMPYS_OWN);
	return *is_bare ? len - digits : len;
}

/* "rank0", "rank_0" */
static bool is_device(const char *part, size_t len)
{
	int64_t number;
	size_t digits = digits_at_end(part, len, &number), end = len - digits;

	if (!digits)
		return false;
	if (end && part[end - 1] == '_')
		end--;
	for (size_t i = 0; i < sizeof device_words / sizeof *device_words; i++)
		if (end == strlen(device_words[i]) && !strncmp(part, device_words[i], end))
			return true;
	return false;
}

static void put_part(struct str *out, const char *part, size_t len)
{
	if (!len)
		return;
	if (out->len)
		str_putc(out, '/');
	str_put(out, part, len);
}

/* What is left of a part without its step: no sign that joined them. */
static void put_rest(struct str *out, const char *part, size_t len)
{
	while (len && (is_joint(part[len - 1]) || part[len - 1] == '.'))
		len--;
	put_part(out, part, len);
}

static void read_part(struct path_parts *p, const char *part, size_t len, bool is_last, char bare)
{
	int64_t step = -1;
	bool is_bare = false;
	size_t at = len;

	if (!is_last && !p->device.len && is_device(part, len)) {
		str_put(&p->device, part, len);
		return;
	}
	put_part(&p->name, part, len);
	if (p->step < 0)
		at = step_in(part, len, is_last ? bare : 0, &step, &is_bare);
	if (at < len) {
		p->step = step;
		p->is_bare = is_bare;
		str_put(&p->step_text, part + at, len - at);
		put_rest(&p->stepless, part, at);
	} else {
		put_part(&p->stepless, part, len);
	}
}

void path_parts_read(struct path_parts *p, const char *path, char bare)
{
	p->step = -1;
	p->is_bare = false;
	str_reset(&p->step_text);
	str_reset(&p->device);
	str_reset(&p->name);
	str_reset(&p->stepless);
	while (*path) {
		size_t len = strcspn(path, "/");

		read_part(p, path, len, !path[len], bare);
		path += len + (path[len] == '/');
	}
}

bool name_is_of_step(const char *name)
{
	struct path_parts parts = {0};
	bool is_step;

	path_parts_read(&parts, name, 0);
	is_step = parts.step >= 0;
	path_parts_release(&parts);
	return is_step;
}

void path_parts_release(struct path_parts *p)
{
	str_release(&p->step_text);
	str_release(&p->device);
	str_release(&p->name);
	str_release(&p->stepless);
}

#include "dump/base/path.h"

#include <string.h>

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *path_directory(struct arena *mem, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ".";
	return slash == path ? "/" : arena_copy(mem, path, (size_t)(slash - path));
}

bool text_ends(const char *text, const char *end)
{
	return span_ends(text, strlen(text), end);
}

bool span_ends(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(text + len - n, end, n);
}

/* strspn makes a table of its set first. */
static size_t count_zeros(const char *text)
{
	size_t n = 0;

	while (text[n] == '0')
		n++;
	return n;
}

int natural_order(const char *a, const char *b)
{
	while (*a && *b) {
		size_t zeros_a = count_zeros(a), zeros_b = count_zeros(b);
		size_t n_a = strspn(a + zeros_a, "0123456789");
		size_t n_b = strspn(b + zeros_b, "0123456789");
		int order;

		if ((zeros_a + n_a) && (zeros_b + n_b)) {
			order = n_a != n_b ? (n_a < n_b ? -1 : 1)
			                   : memcmp(a + zeros_a, b + zeros_b, n_a);
			if (order || zeros_a != zeros_b)
				return order ? order : zeros_a < zeros_b ? -1 : 1;
			a += zeros_a + n_a;
			b += zeros_b + n_b;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return (*a != '\0') - (*b != '\0');
}

#include "dump/profile/part_names.h"

#include <string.h>

#include "dump/files/recognise.h"
#include "dump/files/walk.h"

static bool ends(const char *name, const char *with)
{
	size_t len = strlen(name), n = strlen(with);

	return len > n && !strcmp(name + len - n, with);
}

bool part_name_is_usual(const char *name)
{
	return (ends(name, ".pb") || ends(name, ".pbtxt")) && kind_of_name(name) == FILE_NONE;
}

/* Skips numbers and the characters that separate them. */
static const char *skip_numbers(const char *at)
{
	return at + strspn(at, "0123456789_-.");
}

bool part_names_are_alike(const char *a, const char *b)
{
	for (a = skip_numbers(a), b = skip_numbers(b); *a && *a == *b;
	     a = skip_numbers(a + 1), b = skip_numbers(b + 1))
		;
	return !*a && !*b;
}

static void take(struct part_names *out, const struct listing *list, bool usual, size_t max,
                 struct arena *mem)
{
	for (size_t i = 0; i < list->entries.len && out->at.len < max; i++) {
		const struct entry *entry = &list->entries.at[i];

		if (entry->kind != ENTRY_DIR && *entry->name != '.'
		    && part_name_is_usual(entry->name) == usual)
			vec_push(&out->at, arena_copy(mem, entry->name, strlen(entry->name)));
	}
}

bool part_names_read(const char *path, size_t max, struct arena *mem, struct part_names *out,
                     struct err *err)
{
	struct listing list = {0};
	bool ok = listing_of(&list, path, err);

	*out = (struct part_names){0};
	for (size_t i = 0; ok && i < list.entries.len; i++)
		out->n_all +=
			list.entries.at[i].kind != ENTRY_DIR && *list.entries.at[i].name != '.';
	if (ok) {
		take(out, &list, true, max, mem);
		take(out, &list, false, max, mem);
	}
	listing_release(&list);
	return ok;
}

void part_names_release(struct part_names *names)
{
	vec_release(&names->at);
}

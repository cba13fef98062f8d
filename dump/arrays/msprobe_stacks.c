#include "dump/arrays/msprobe_stacks.h"

#include <string.h>

#include "dump/format/file.h"
#include "dump/format/json_pull.h"

enum { STACKS_BETWEEN = 64, FRAMES_MOST = 10000 };

struct reading {
	struct call_stacks *all;
	struct pull pull;
	struct str text;
	VEC(uint32_t) frames;    /* of the stack, the innermost first */
};

/* The same text once. */
static const char *word(struct call_stacks *all, const char *text, size_t len)
{
	uint32_t id = map_add(&all->words, &all->stacks->mem, text, len);

	return all->words.key[id];
}

static uint32_t file_of(struct call_stacks *all, const char *text, size_t len)
{
	uint32_t file = map_add(&all->files, &all->stacks->mem, text, len);

	if (file == all->stacks->files.len)
		vec_push(&all->stacks->files, all->files.key[file]);
	return file;
}

/* What stands between `before`, which *at begins with, and `behind`; *at is moved past both. */
static bool take_part(const char **at, const char *before, const char *behind, struct text *part)
{
	size_t len = strlen(before);
	const char *end;

	if (strncmp(*at, before, len) != 0 || !(end = strstr(*at + len, behind)))
		return false;
	*part = (struct text){ *at + len, (size_t)(end - *at) - len };
	*at = end;
	return true;
}

/* "File F, line N, in FUNCTION, \n TEXT". What is anything else is left out. */
static void add_frame(struct reading *r, const char *text)
{
	struct call_stacks *all = r->all;
	struct stack_frame frame = {0};
	struct text file, line, function;

	if (r->frames.len == FRAMES_MOST || !take_part(&text, "File ", ", line ", &file)
	    || !take_part(&text, ", line ", ", in ", &line)
	    || !take_part(&text, ", in ", ",", &function))
		return;
	for (size_t i = 0; i < line.len && i < 9 && is_digit(line.at[i]); i++)
		frame.line = frame.line * 10 + (uint32_t)(line.at[i] - '0');
	frame.file = file_of(all, file.at, file.len);
	frame.function = word(all, function.at, function.len);
	text += 1 + strspn(text + 1, " \n");
	if (*text)
		frame.text = word(all, text, strlen(text));
	vec_push(&r->frames, (uint32_t)all->stacks->frames.len);
	vec_push(&all->stacks->frames, frame);
}

static void decode(struct reading *r, const struct pull_value *value)
{
	struct text bytes = pull_bytes(&r->pull, value);

	str_reset(&r->text);
	pull_decode(bytes.at, bytes.len, value->coded, &r->text);
}

/* The texts of a list, each to take. */
static bool each_text(struct reading *r, void (*take)(struct reading *r, const char *text))
{
	struct pull_value value;

	while (pull_more(&r->pull, ']')) {
		pull_keep(&r->pull);
		if (!pull_value(&r->pull, &value))
			return false;
		if (value.kind == PULL_TEXT) {
			decode(r, &value);
			take(r, str_text(&r->text));
		} else if ((value.kind == PULL_OBJECT || value.kind == PULL_ARRAY)
		           && !pull_skip(&r->pull, &value)) {
			return false;
		}
	}
	return !r->pull.broken;
}

/* Its frames are those that follow. */
static void add_call(struct reading *r, const char *text)
{
	uint32_t id = map_add(&r->all->calls, &r->all->mem, text, strlen(text));

	while (r->all->of.len <= id)
		vec_add(&r->all->of);
	r->all->of.at[id].first = SIZE_MAX;
}

/* The stack of those calls that have none yet, the outermost frame first. */
static void settle(struct reading *r, size_t first_call)
{
	struct stacks *stacks = r->all->stacks;
	size_t first = stacks->stack.len;

	for (size_t i = r->frames.len; i-- > 0; )
		vec_push(&stacks->stack, r->frames.at[i]);
	for (size_t i = first_call; i < r->all->of.len; i++)
		if (r->all->of.at[i].first == SIZE_MAX)
			r->all->of.at[i] = (struct stack_node){
				.first = first, .n_frames = (uint32_t)r->frames.len };
	r->frames.len = 0;
}

/* [[CALL...], [FRAME...]] */
static bool read_stack(struct reading *r)
{
	void (*const take[])(struct reading *, const char *) = { add_call, add_frame };
	size_t first_call = r->all->of.len;
	struct pull_value value;
	size_t i = 0;
	bool ok = true;

	for (; ok && pull_more(&r->pull, ']'); i++) {
		pull_keep(&r->pull);
		if (!pull_value(&r->pull, &value))
			return false;
		if (value.kind == PULL_ARRAY && i < 2)
			ok = each_text(r, take[i]);
		else if (value.kind == PULL_OBJECT || value.kind == PULL_ARRAY)
			ok = pull_skip(&r->pull, &value);
	}
	settle(r, first_call);
	return ok && !r->pull.broken;
}

static bool read_stacks(struct reading *r, const char *path, struct progress *progress,
                        struct err *err)
{
	struct pull_value key, value;
	bool ok = pull_value(&r->pull, &value) && value.kind == PULL_OBJECT;

	for (size_t n = 0; ok && pull_more(&r->pull, '}'); n++) {
		if (n % STACKS_BETWEEN == 0
		    && !progress_step(progress, pull_file_off(&r->pull), r->pull.file->size))
			return err_at(err, ERR_CANCELLED, path, 0, "stopped");
		pull_keep(&r->pull);
		ok = pull_key(&r->pull, &key) && pull_value(&r->pull, &value);
		if (ok && value.kind == PULL_ARRAY)
			ok = read_stack(r);
		else if (ok && value.kind == PULL_OBJECT)
			ok = pull_skip(&r->pull, &value);
	}
	return ok && !r->pull.broken;
}

/* Packages of Python are libraries: what is not is the program. */
static void add_libraries(struct stacks *stacks)
{
	static const char packages[] = "/site-packages/";

	for (size_t i = 0; i < stacks->files.len; i++) {
		const char *file = stacks->files.at[i], *found = strstr(file, packages);
		size_t len = found ? (size_t)(found - file) + strlen(packages) - 1 : 0;
		bool is_new = found;

		for (size_t k = 0; k < stacks->library_roots.len; k++)
			is_new = is_new && (strncmp(stacks->library_roots.at[k], file, len) != 0
			                    || stacks->library_roots.at[k][len]);
		if (is_new)
			vec_push(&stacks->library_roots, arena_copy(&stacks->mem, file, len));
	}
}

bool call_stacks_read(struct call_stacks *all, const char *path, struct stacks *stacks,
                      struct progress *progress, struct err *err)
{
	struct reading r = { .all = all };
	struct file file;
	bool ok;

	*all = (struct call_stacks){ .stacks = stacks };
	if (!file_open(&file, path, err))
		return false;
	for (size_t i = 0; i < stacks->files.len; i++)
		map_add_lasting(&all->files, stacks->files.at[i], strlen(stacks->files.at[i]));
	pull_start(&r.pull, &file);
	ok = read_stacks(&r, path, progress, err);
	if (!ok && !err->code)
		*err = r.pull.err;
	if (!ok && !err->code)
		err_fill(err, ERR_FORMAT, path, 0, "an object of stacks was expected");
	if (ok)
		add_libraries(stacks);
	pull_release(&r.pull);
	str_release(&r.text);
	vec_release(&r.frames);
	file_close(&file);
	return ok;
}

void call_stacks_release(struct call_stacks *all)
{
	map_release(&all->calls);
	vec_release(&all->of);
	arena_release(&all->mem);
	map_release(&all->files);
	map_release(&all->words);
}

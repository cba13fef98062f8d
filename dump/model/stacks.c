/*
 * One pass over the file; every table grows as its text does, so the memory is bounded by what is
 * really there. Parts may come in any order: positions are checked when all of them are read. Names
 * that repeat a lot (ops, functions) are kept once; nodes are sorted at the end, which is no work
 * for a file whose writer sorted them.
 */
#include "dump/model/stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/format/json.h"

#define FORMAT "tensordbg-stacks"
#define VERSION 1
#define STEP_EVERY 1024          /* nodes from one progress_step to the next */

struct loading {
	struct json json;
	struct stacks *stacks;
	struct map words;        /* ops and functions */
	struct progress *progress;
	uint64_t part_off;       /* of the part that is read */
	uint64_t frames_off, nodes_off;
};

/* The text last read, as a name: it ends at its NUL, so what is inside becomes '?'. */
static const char *keep(struct loading *l, const struct str *text)
{
	char *copy = arena_copy(&l->stacks->mem, str_text(text), text->len);

	for (char *nul = copy; (nul = memchr(nul, '\0', (size_t)(copy + text->len - nul))); nul++)
		*nul = '?';
	return copy;
}

/* The same for a name that many have. */
static const char *keep_once(struct loading *l, const struct str *text)
{
	uint32_t id = map_add(&l->words, &l->stacks->mem, str_text(text), strlen(str_text(text)));

	return l->words.key[id];
}

static bool read_u32(struct json *json, uint32_t *out)
{
	int64_t value;

	if (!json_whole(json, &value))
		return false;
	if (value < 0 || value > INT32_MAX)
		return json_refuse(json, "a number from 0 to %" PRId32 " expected", INT32_MAX);
	*out = (uint32_t)value;
	return true;
}

/* The parts. */

static bool read_format(struct loading *l)
{
	struct json *json = &l->json;

	return json_string(json) && (!strcmp(str_text(&json->text), FORMAT) ||
	                             json_refuse(json, "format \"" FORMAT "\" expected"));
}

static bool read_version(struct loading *l)
{
	int64_t version;

	return json_whole(&l->json, &version) &&
	       (version == VERSION ||
	        json_refuse(&l->json, "version %" PRId64
	                              " of the stacks format; this program reads version %d",
	                    version, VERSION));
}

static bool read_cwd(struct loading *l)
{
	if (!json_string(&l->json))
		return false;
	l->stacks->cwd = keep(l, &l->json.text);
	return true;
}

static bool read_library_roots(struct loading *l)
{
	if (!json_array(&l->json))
		return false;
	while (json_more(&l->json) && json_string(&l->json))
		vec_push(&l->stacks->library_roots, keep(l, &l->json.text));
	return !l->json.failed;
}

static bool read_files(struct loading *l)
{
	if (!json_array(&l->json))
		return false;
	while (json_more(&l->json) && json_string(&l->json))
		vec_push(&l->stacks->files, keep(l, &l->json.text));
	return !l->json.failed;
}

/* [file, line, function, text or null] */
static bool read_frame(struct loading *l, struct stack_frame *frame)
{
	struct json *json = &l->json;

	*frame = (struct stack_frame){0};
	if (!json_array(json) || !json_more(json) || !read_u32(json, &frame->file) ||
	    !json_more(json) || !read_u32(json, &frame->line) || !json_more(json) ||
	    !json_string(json))
		return false;
	frame->function = keep_once(l, &json->text);
	if (!json_more(json))
		return false;
	if (!json_null(json)) {
		if (!json_string(json))
			return false;
		frame->text = keep(l, &json->text);
	}
	return !json_more(json);
}

static bool read_frames(struct loading *l)
{
	struct stack_frame frame;

	l->frames_off = l->part_off;
	if (!json_array(&l->json))
		return false;
	while (json_more(&l->json)) {
		uint64_t off = l->json.value_off;

		if (!read_frame(l, &frame) || l->json.failed) {
			l->json.value_off = off;
			return json_refuse(&l->json,
			                   "a frame expected: [file, line, "
			                   "function, text or null]");
		}
		vec_push(&l->stacks->frames, frame);
	}
	return !l->json.failed;
}

static bool read_stack(struct loading *l, struct stack_node *node)
{
	struct stacks *stacks = l->stacks;
	uint32_t frame = 0;

	node->first = stacks->stack.len;
	if (!json_array(&l->json))
		return false;
	while (json_more(&l->json) && read_u32(&l->json, &frame))
		vec_push(&stacks->stack, frame);
	node->n_frames = (uint32_t)(stacks->stack.len - node->first);
	return !l->json.failed;
}

static bool read_node(struct loading *l, struct stack_node *node)
{
	struct json *json = &l->json;
	bool has_outputs = false, has_stack = false;

	node->name = keep(l, &json->key);
	if (!json_object(json))
		return false;
	while (json_more(json)) {
		const char *key = str_text(&json->key);

		if (!strcmp(key, "op")) {
			if (json_string(json))
				node->op = keep_once(l, &json->text);
		} else if (!strcmp(key, "outputs")) {
			has_outputs = read_u32(json, &node->outputs);
		} else if (!strcmp(key, "stack")) {
			has_stack = read_stack(l, node);
		} else {
			json_skip(json);
		}
	}
	if (!json->failed && (!node->op || !has_outputs || !has_stack))
		return json_refuse(json, "node \"%.100s\" lacks op, outputs or stack", node->name);
	return !json->failed;
}

static bool go_on(struct loading *l)
{
	const struct json *json = &l->json;

	if (l->stacks->nodes.len % STEP_EVERY ||
	    progress_step(l->progress, json->value_off, json->file->size))
		return true;
	return err_at(json->err, ERR_CANCELLED, json->file->path, json->value_off,
	              "stopped while reading stacks");
}

static bool read_nodes(struct loading *l)
{
	struct json *json = &l->json;

	l->nodes_off = l->part_off;
	if (!json_object(json))
		return false;
	while (json_more(json)) {
		struct stack_node node = {0};

		if (!go_on(l) || !read_node(l, &node))
			return false;
		vec_push(&l->stacks->nodes, node);
	}
	return !json->failed;
}

static bool read_sources(struct loading *l)
{
	struct json *json = &l->json;

	if (!json_object(json))
		return false;
	while (json_more(json)) {
		struct source source = { .file = keep(l, &json->key) };

		if (!json_string(json))
			return false;
		source.len = json->text.len;
		source.text = arena_copy(&l->stacks->mem, str_text(&json->text), source.len);
		vec_push(&l->stacks->sources, source);
	}
	return !json->failed;
}

static const struct part {
	const char *key;
	bool (*read)(struct loading *l);
	bool optional;
} parts[] = {
	{ "format", read_format, false }, { "version", read_version, false },
	{ "cwd", read_cwd, false }, { "library_roots", read_library_roots, true },
	{ "files", read_files, false }, { "frames", read_frames, false },
	{ "nodes", read_nodes, false }, { "sources", read_sources, true },
};

enum { N_PARTS = sizeof parts / sizeof *parts };

/* The whole. */

static bool read_part(struct loading *l, bool *seen)
{
	l->part_off = l->json.value_off;
	for (size_t i = 0; i < N_PARTS; i++) {
		if (strcmp(parts[i].key, str_text(&l->json.key)))
			continue;
		if (seen[i])
			return json_refuse(&l->json, "\"%s\" a second time", parts[i].key);
		seen[i] = true;
		return parts[i].read(l);
	}
	return json_skip(&l->json);
}

static bool read_parts(struct loading *l)
{
	struct json *json = &l->json;
	bool seen[N_PARTS] = {0};

	if (!json_object(json))
		return false;
	while (json_more(json))
		if (!read_part(l, seen))
			return false;
	for (size_t i = 0; i < N_PARTS && !json->failed; i++)
		if (!seen[i] && !parts[i].optional)
			return json_refuse(json, "\"%s\" expected before the end", parts[i].key);
	return json_end(json);
}

/* Does every position lead somewhere? */
static bool check_positions(struct loading *l)
{
	const struct stacks *s = l->stacks;
	const char *path = l->json.file->path;

	for (size_t i = 0; i < s->frames.len; i++)
		if (s->frames.at[i].file >= s->files.len)
			return err_at(l->json.err, ERR_FORMAT, path, l->frames_off,
			              "frame %zu is in file %" PRIu32
			              " of %zu", i, s->frames.at[i].file, s->files.len);
	for (size_t i = 0; i < s->stack.len; i++)
		if (s->stack.at[i] >= s->frames.len)
			return err_at(l->json.err, ERR_FORMAT, path, l->nodes_off,
			              "a node's stack has frame %" PRIu32
			              " of %zu", s->stack.at[i], s->frames.len);
	return true;
}

static int by_name(const void *a, const void *b)
{
	const struct stack_node *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	return names ? names : (x->first > y->first) - (x->first < y->first);
}

/* Of several nodes with one name the last one stays, as in Python. */
void stacks_sort(struct stacks *stacks)
{
	struct stack_node *at = stacks->nodes.at;
	size_t i = 1, kept = 0;

	while (i < stacks->nodes.len && strcmp(at[i - 1].name, at[i].name) < 0)
		i++;
	if (i >= stacks->nodes.len)
		return;
	qsort(at, stacks->nodes.len, sizeof *at, by_name);
	for (i = 0; i < stacks->nodes.len; i++) {
		kept -= kept && !strcmp(at[kept - 1].name, at[i].name);
		at[kept++] = at[i];
	}
	stacks->nodes.len = kept;
}

struct stacks *stacks_open(const char *path, struct progress *progress, struct err *err)
{
	struct err own = {0};
	struct file file;
	struct loading l = { .progress = progress };
	bool ok;

	if (!file_open(&file, path, err))
		return NULL;
	l.stacks = mem_alloc(sizeof *l.stacks);
	json_start(&l.json, &file, &own);
	if (progress)
		progress->what = "bytes of creation stacks";
	ok = read_parts(&l) && check_positions(&l);
	json_release(&l.json);
	map_release(&l.words);
	file_close(&file);
	if (ok) {
		stacks_sort(l.stacks);
		return l.stacks;
	}
	stacks_close(l.stacks);
	if (err)
		*err = own;
	return NULL;
}

void stacks_close(struct stacks *stacks)
{
	if (!stacks)
		return;
	vec_release(&stacks->library_roots);
	vec_release(&stacks->files);
	vec_release(&stacks->frames);
	vec_release(&stacks->stack);
	vec_release(&stacks->nodes);
	vec_release(&stacks->sources);
	arena_release(&stacks->mem);
	free(stacks);
}

static int name_of_node(const void *name, const void *node)
{
	return strcmp(name, ((const struct stack_node *)node)->name);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_frame(const struct stack_frame *a, const struct stack_frame *b)
{
	return a->file == b->file && a->line == b->line && same_text(a->function, b->function)
	       && same_text(a->text, b->text);
}

static bool same_node(const struct stack_node *a, const struct stack_node *b)
{
	return a->first == b->first && a->n_frames == b->n_frames && !strcmp(a->name, b->name);
}

bool stacks_same(const struct stacks *a, const struct stacks *b)
{
	bool same = a->nodes.len == b->nodes.len && a->frames.len == b->frames.len
	            && a->files.len == b->files.len && a->stack.len == b->stack.len
	            && !strcmp(a->cwd, b->cwd);

	for (size_t i = 0; same && i < a->nodes.len; i++)
		same = same_node(&a->nodes.at[i], &b->nodes.at[i]);
	for (size_t i = 0; same && i < a->frames.len; i++)
		same = same_frame(&a->frames.at[i], &b->frames.at[i]);
	for (size_t i = 0; same && i < a->files.len; i++)
		same = !strcmp(a->files.at[i], b->files.at[i]);
	for (size_t i = 0; same && i < a->stack.len; i++)
		same = a->stack.at[i] == b->stack.at[i];
	return same;
}

const struct stack_node *stacks_find(const struct stacks *stacks, const char *name)
{
	if (!stacks->nodes.len)
		return NULL;
	return bsearch(name, stacks->nodes.at, stacks->nodes.len, sizeof *stacks->nodes.at,
	               name_of_node);
}

const struct stack_frame *stacks_frame(const struct stacks *stacks, const struct stack_node *node,
                                       uint32_t i)
{
	return &stacks->frames.at[stacks->stack.at[node->first + i]];
}

#include "cmds/origins.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/session.h"
#include "dump/base/mem.h"
#include "dump/stacks.h"

#define STEP_NAMES 4096          /* between two looks at progress */

struct finding {
	struct shell *shell;
	struct origins *origins;
	const struct step *step;
	struct map library;      /* files that were judged */
	VEC(bool) is_library;
	struct str key;
};

/* TensorFlow's rule: a Python file by its extension (any beginning of ".py" will do, so none does too). */
static bool is_python(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	const char *extension = dot && dot > name + strspn(name, ".") - 1 ? dot : "";

	return !strcmp(extension, ".pyc") || !strcmp(extension, ".pyo") || strstr(".py", extension);
}

bool file_is_library(const char *path)
{
	static const char *const roots[] = {
		"/site-packages/tensorflow", "/dist-packages/tensorflow", "/site-packages/absl", "/dist-packages/absl",
	};
	static const char test_end[] = "_test.py";
	size_t len = strlen(path), n = strlen(test_end);

	if (!is_python(path) || (len >= n && !strcmp(path + len - n, test_end))
	    || strstr(path, "tensorflow/python/debug/examples"))
		return false;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		if (strstr(path, roots[i]))
			return true;
	return false;
}

/* The same, judged once for each file. */
static bool is_library(struct finding *f, const char *path)
{
	uint32_t id = map_add(&f->library, &f->origins->mem, path, strlen(path));

	if (id == f->is_library.len)
		vec_push(&f->is_library, file_is_library(path));
	return f->is_library.at[id];
}

static uint32_t source_of(struct finding *f, const char *file, const char *function, int64_t line)
{
	struct origins *o = f->origins;
	const char *slash = strrchr(file, '/');
	struct source_line source = { .line = line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0 };
	uint32_t id;

	str_reset(&f->key);
	str_fmt(&f->key, "%s:%lld(%s)", file, (long long)line, function);
	id = map_add(&o->source_texts, &o->mem, f->key.text, f->key.len);
	if (id < o->sources.len)
		return id;
	source.file = arena_copy(&o->mem, file, strlen(file));
	source.function = arena_copy(&o->mem, function, strlen(function));
	source.text = *file ? o->source_texts.key[id] + (slash ? slash + 1 - file : 0) : "";
	vec_push(&o->sources, source);
	return id;
}

/* From the innermost frame outwards the first that is not TensorFlow's; else the outermost. */
static uint32_t source_of_code(struct finding *f, const struct code_frame *frames, size_t n)
{
	const struct code_frame *chosen = frames;

	for (size_t i = n; i-- > 0; )
		if (!is_library(f, frames[i].file)) {
			chosen = &frames[i];
			break;
		}
	return n ? source_of(f, chosen->file, chosen->function, chosen->lineno) : 0;
}

static uint32_t source_of_stack(struct finding *f, const struct stack_node *node)
{
	const struct stacks *stacks = f->shell->stacks;
	const struct stack_frame *chosen = node->n_frames ? stacks_frame(stacks, node, 0) : NULL;

	for (uint32_t i = node->n_frames; i-- > 0; ) {
		const struct stack_frame *frame = stacks_frame(stacks, node, i);

		if (is_library(f, stacks->files.at[frame->file]))
			continue;
		chosen = frame;
		break;
	}
	return chosen ? source_of(f, stacks->files.at[chosen->file], chosen->function, chosen->line) : 0;
}

static uint32_t find_source(struct finding *f, const char *name)
{
	struct op_log *log = f->shell->profile->op_log;
	const struct op_entry *entry = log ? op_log_find(log, name) : NULL;
	const struct stack_node *node = f->shell->stacks ? stacks_find(f->shell->stacks, name) : NULL;
	struct arena mem = {0};
	struct code_frame *frames;
	uint32_t source = 0;
	size_t n;

	if (entry && entry->code.len && op_log_code(log, entry, &mem, &frames, &n, NULL))
		source = source_of_code(f, frames, n);
	else if (node)
		source = source_of_stack(f, node);
	arena_release(&mem);
	return source;
}

/* Op types. */

static uint32_t op_id(struct finding *f, const char *op, size_t len)
{
	return map_add(&f->origins->ops, &f->origins->mem, op, len);
}

static uint32_t find_op(struct finding *f, const char *name)
{
	struct profile *profile = f->shell->profile;
	struct graph *const *graphs;
	const char *colon, *op;
	size_t n;

	graphs = profile_graphs(profile, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t node = graph_find(graphs[i], name, strlen(name));

		if (node == GRAPH_NONE)
			continue;
		op = graph_op(graphs[i], node);
		return op_id(f, op, strlen(op));
	}
	colon = profile->graph ? NULL : strrchr(name, ':');
	return colon ? op_id(f, colon + 1, strlen(colon + 1)) : 0;
}

/* "[mem] name = OpType(inputs)" */
static bool label_op(const char *label, const char **op, size_t *len)
{
	const char *equals = strstr(label, " = "), *open;

	if (!equals)
		return false;
	*op = equals + strlen(" = ");
	open = strchr(*op, '(');
	*len = open ? (size_t)(open - *op) : 0;
	return *len;
}

/* Without any graph: the labels, in one pass. */
static void ops_of_labels(struct finding *f)
{
	const struct step *step = f->step;
	struct detail_reader reader;

	if (!detail_open(&reader, step, NULL))
		return;
	for (size_t i = 0; i < step->records.len; i++) {
		const struct record *record = &step->records.at[i];
		struct origin *origin = &f->origins->of_name.at[record->name];
		const char *label, *op;
		size_t len;

		if (origin->op)
			continue;
		label = detail_label(&reader, record, &len, NULL);
		if (label && label_op(label, &op, &len))
			origin->op = op_id(f, op, len);
	}
	detail_close(&reader);
}

static bool find_all(struct finding *f, struct progress *progress, struct err *err)
{
	struct origins *o = f->origins;
	const struct map *names = &f->step->names;
	size_t n_graphs;

	if (progress)
		atomic_store(&progress->what, "names of the profile");
	vec_reserve(&o->of_name, names->len);
	for (size_t i = 0; i < names->len; i++) {
		const char *name = names->key[i];

		if (i % STEP_NAMES == 0 && !progress_step(progress, i, names->len))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		vec_push(&o->of_name, ((struct origin){ find_op(f, name), find_source(f, name) }));
	}
	profile_graphs(f->shell->profile, &n_graphs);
	if (!n_graphs)
		ops_of_labels(f);
	return true;
}

static struct origins *origins_new(const struct step *step)
{
	struct origins *o = mem_alloc(sizeof *o);

	o->step = step;
	map_add(&o->ops, &o->mem, "", 0);
	map_add(&o->source_texts, &o->mem, "", 0);
	vec_push(&o->sources, ((struct source_line){ "", "", "", 0 }));
	return o;
}

const struct origins *shell_origins(struct shell *shell, const struct step *step, struct progress *progress,
                                    struct err *err)
{
	struct finding f = { .shell = shell, .step = step };
	bool ok;

	for (size_t i = 0; i < shell->origins.len; i++)
		if (shell->origins.at[i]->step == step)
			return shell->origins.at[i];
	f.origins = origins_new(step);
	ok = find_all(&f, progress, err);
	map_release(&f.library);
	vec_release(&f.is_library);
	str_release(&f.key);
	if (!ok) {
		origins_free(f.origins);
		return NULL;
	}
	vec_push(&shell->origins, f.origins);
	return f.origins;
}

void origins_free(struct origins *o)
{
	if (!o)
		return;
	vec_release(&o->of_name);
	map_release(&o->ops);
	vec_release(&o->sources);
	map_release(&o->source_texts);
	arena_release(&o->mem);
	free(o);
}

#include "cmds/profile/name_info.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/graph/node_source.h"
#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/profile/label.h"
#include "dump/profile/profile_op.h"

#define KEY "name infos"
#define STEP_NAMES 4096          /* between two looks at progress */

typedef VEC(struct name_infos *) infos_list;

struct finding {
	struct shell *shell;
	struct name_infos *infos;
	const struct step *step;
	struct source_finder finder;
	struct str key;
};

static uint32_t find_source(struct finding *f, const char *name)
{
	struct name_infos *o = f->infos;
	struct node_source found;
	struct source_line source;
	size_t short_form;
	uint32_t id;

	if (!node_source_find(&f->finder, name, &found))
		return 0;
	str_reset(&f->key);
	short_form = node_source_put(&found, &f->key);
	id = map_add(&o->source_texts, &o->mem, f->key.text, f->key.len);
	if (id < o->sources.len)
		return id;
	source = (struct source_line){
		.file = arena_copy(&o->mem, found.file, strlen(found.file)),
		.function = arena_copy(&o->mem, found.function, strlen(found.function)),
		.text = *found.file ? o->source_texts.key[id] + short_form : "",
		.line = found.line > 0 && found.line <= UINT32_MAX ? (uint32_t)found.line : 0,
	};
	vec_push(&o->sources, source);
	return id;
}

/* Op types. */

static uint32_t op_id(struct finding *f, const char *op, size_t len)
{
	return map_add(&f->infos->ops, &f->infos->mem, op, len);
}

static uint32_t find_op(struct finding *f, const char *name)
{
	struct profile *profile = f->shell->profile;
	struct graph *const *graphs;
	const char *colon, *op;
	size_t n;

	graphs = profile_graphs(profile, &n);
	op = profile_op(profile->proto, graphs, n, name);
	if (!op) {
		colon = profile->graph ? NULL : strrchr(name, ':');
		op = colon ? colon + 1 : "";
	}
	return op_id(f, op, strlen(op));
}

/* Without any graph: the labels, in one pass. */
static void ops_of_labels(struct finding *f)
{
	const struct step *step = f->step;
	struct detail_reader reader;

	if (!detail_open(&reader, step, &f->infos->fault))
		return;
	for (size_t i = 0; i < step->records.len; i++) {
		const struct record *record = &step->records.at[i];
		struct name_info *info = &f->infos->of_name.at[record->name];
		const char *label;
		struct op_label parts;
		size_t len;

		if (info->op)
			continue;
		label = detail_label(&reader, record, &len, &f->infos->fault);
		if (label && label_op(label, len, &parts))
			info->op = op_id(f, parts.op.at, parts.op.len);
	}
	detail_close(&reader);
}

static bool find_all(struct finding *f, struct progress *progress, struct err *err)
{
	struct name_infos *o = f->infos;
	const struct map *names = &f->step->names;
	size_t n_graphs;

	if (progress)
		atomic_store(&progress->what, "names of the profile");
	vec_reserve(&o->of_name, names->len);
	for (size_t i = 0; i < names->len; i++) {
		const char *name = names->key[i];

		if (i % STEP_NAMES == 0 && !progress_step(progress, i, names->len))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		vec_push(&o->of_name,
		         ((struct name_info){ find_op(f, name), find_source(f, name) }));
	}
	profile_graphs(f->shell->profile, &n_graphs);
	if (!n_graphs)
		ops_of_labels(f);
	return true;
}

static struct name_infos *infos_new(const struct step *step)
{
	struct name_infos *o = mem_alloc(sizeof *o);

	o->step = step;
	map_add(&o->ops, &o->mem, "", 0);
	map_add(&o->source_texts, &o->mem, "", 0);
	vec_push(&o->sources, ((struct source_line){ "", "", "", 0 }));
	return o;
}

static void infos_free(struct name_infos *o)
{
	vec_release(&o->of_name);
	map_release(&o->ops);
	vec_release(&o->sources);
	map_release(&o->source_texts);
	arena_release(&o->mem);
	free(o);
}

/* Those of all requested steps. */
static void release(void *object)
{
	infos_list *list = object;

	for (size_t i = 0; i < list->len; i++)
		infos_free(list->at[i]);
	vec_release(list);
	free(list);
}

static infos_list *list_of(struct shell *shell)
{
	infos_list *list = shell_kept(shell, KEY);

	if (!list) {
		list = mem_alloc(sizeof *list);
		shell_keep(shell, KEY, KEEP_WHILE_THERE_IS_ROOM, list, release);
	}
	return list;
}

static const struct name_infos *infos_of(struct shell *shell, const struct step *step,
                                         struct progress *progress, struct err *err)
{
	struct finding f = { .shell = shell, .step = step, .finder.shell = shell };
	infos_list *list = list_of(shell);
	bool ok;

	for (size_t i = 0; i < list->len; i++)
		if (list->at[i]->step == step)
			return list->at[i];
	f.infos = infos_new(step);
	ok = find_all(&f, progress, err);
	if (f.finder.fault.code)
		f.infos->fault = f.finder.fault;
	source_finder_release(&f.finder);
	str_release(&f.key);
	if (!ok) {
		infos_free(f.infos);
		return NULL;
	}
	vec_push(list, f.infos);
	return f.infos;
}

const struct name_infos *call_name_infos(struct call *call, const struct step *step)
{
	const struct name_infos *infos = infos_of(call->shell, step, call->progress, &call->err);

	if (infos && infos->fault.code)
		call_damage(call, infos->fault.src, &infos->fault);
	return infos;
}

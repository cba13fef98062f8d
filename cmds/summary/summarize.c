#include "cmds/summary/summarize.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/summary/gather.h"
#include "cmds/summary/output.h"
#include "cmds/summary/worker.h"
#include "dump/base/path.h"
#include "dump/target.h"

/* ---- what is not written */

/* Is `path`, which need not be there, at or below `place`? Both as they really are. */
static bool lies_in(const char *path, const char *place)
{
	struct arena mem = {0};
	char *real_place = realpath(place, NULL), *real = realpath(path, NULL);
	size_t len = real_place ? strlen(real_place) : 0;
	bool in;

	if (!real)
		real = realpath(path_directory(&mem, path), NULL);
	in = real && len && !strncmp(real, real_place, len) &&
	     (!real[len] || real[len] == '/' || len == 1);
	free(real);
	free(real_place);
	arena_release(&mem);
	return in;
}

static bool may_write(const struct summarize *what, const struct target *target, struct err *err)
{
	if (!strcmp(what->out, "-"))
		return true;
	if (lies_in(what->out, what->path) || lies_in(what->out, target->path))
		return err_at(err, ERR_VALUE, "command", 0,
		              "%s: is in %s, where nothing is written", what->out, what->path);
	return true;
}

/* ---- what is read */

/* Several dumps have several names: which one is meant is not for us to say. */
static bool is_one(const struct target *target, struct err *err)
{
	struct str names = {0};
	size_t n = target->roots.len;

	if (!n)
		return true;
	for (size_t i = 0; i < n && i < 3; i++)
		str_fmt(&names, "%s%s", i ? ", " : "", target->roots.at[i].name);
	err_fill(err, ERR_VALUE, target->path, 0,
	         "%zu dumps lie below it (%s%s): summarize each, then merge", n, names.text,
	         n > 3 ? ", ..." : "");
	str_release(&names);
	return false;
}

/* The devices of all runs; of several runs by their names alone. */
static bool see_runs(struct worker_names *names, struct runs *runs, struct progress *progress,
                     struct err *err)
{
	for (size_t i = 0; i < runs->list.len; i++) {
		struct err why = {0};
		const struct run_info *info = runs_info(runs, runs->list.at[i], RUN_NAMES, progress,
		                                        &why);

		for (size_t k = 0; info && k < info->n_devices; k++)
			worker_see_device(names, info->devices[k]);
		if (why.code == ERR_CANCELLED) {
			*err = why;
			return false;
		}
	}
	return true;
}

static bool find_worker(struct gather *g, struct worker_names *names, struct opened *opened,
                        struct err *err)
{
	g->worker = g->what->worker;
	if (g->worker)
		return true;
	if (opened->runs && !see_runs(names, opened->runs, g->progress, err))
		return false;
	g->worker = worker_name(names, g->what->path);
	return true;
}

static void put_source(struct gather *g, const struct opened *opened)
{
	uint64_t hash;
	struct summary_source source = { .rows = summary_store_count(g->store, &hash) };
	char name[17];
	struct summary_key key = { .kind = SUMMARY_SOURCE, .worker = g->worker, .run = "",
	                           .device = "", .node = name, .debug_op = "",
	                           .slot = g->what->n, .number = g->what->k };

	snprintf(name, sizeof name, "%016" PRIx64, hash);
	source.reader = opened->runs->reader->name;
	source.is_root = opened->runs->is_root;
	str_reset(&g->value);
	summary_put_source(&g->value, &source);
	str_reset(&g->key);
	summary_put_key(&g->key, &key);
	summary_store_put(g->store, &g->key, &g->value);
}

static bool gather_all(struct gather *g, struct opened *opened, struct err *err)
{
	struct worker_names names = {0};
	bool ok = find_worker(g, &names, opened, err) && gather_runs(g, opened->runs, err);

	if (ok) {
		put_source(g, opened);
		ok = summary_store_sort(g->store, err);
	}
	worker_names_release(&names);
	return ok;
}

/* ---- what is written */

static bool write_file(const char *path, const struct summary_store *store, uint64_t *bytes,
                       struct err *err)
{
	struct writer *writer = summary_output(path, err);

	if (!writer)
		return false;
	summary_store_write(store, writer_stream(writer));
	return writer_close(writer, true, bytes, err);
}

static bool run_target(const struct summarize *what, const struct target *target,
                       struct opened *opened, struct summarized *done,
                       struct progress *progress, struct err *err)
{
	struct summary_store store = { .k = what->k, .n = what->n };
	struct gather g = { .what = what, .base = target->unpacked ? target->path : what->path,
	                    .store = &store, .done = done, .progress = progress };
	bool ok = is_one(target, err) && may_write(what, target, err);

	if (ok && !opened->runs)
		ok = err_at(err, ERR_UNSUPPORTED, what->path, 0, "there is no dump of runs");
	ok = ok && gather_all(&g, opened, err) && write_file(what->out, &store, &done->bytes, err);
	done->rows = store.rows.len;
	gather_release(&g);
	summary_store_release(&store);
	return ok;
}

bool summarize(const struct summarize *what, struct summarized *done, struct progress *progress,
               struct err *err)
{
	struct target target = {0};
	struct opened opened = { .profile = profile_new() };
	bool ok = target_open(what->path, &target, &opened, err) &&
	          run_target(what, &target, &opened, done, progress, err);

	runs_close(opened.runs);
	programs_close(opened.programs);
	profile_close(opened.profile);
	target_release(&target);
	return ok;
}

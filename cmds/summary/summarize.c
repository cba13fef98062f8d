#include "cmds/summary/summarize.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/summary/gather.h"
#include "cmds/summary/output.h"
#include "cmds/summary/worker.h"
#include "dump/base/path.h"
#include "dump/summary/run_summary.h"
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

static bool is_no_summary(const struct opened *opened, const char *path, struct err *err)
{
	return !opened->runs || opened->runs->reader != &reader_summary ||
	       err_at(err, ERR_UNSUPPORTED, path, 0,
	              "a summary: \"tensordbg merge\" joins these");
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

/* What was opened, as it is read. */
struct read {
	struct runs *runs;               /* NULL: none, like the next two */
	const char *programs;            /* the directory */
	struct profile *profile;
	struct err profile_problem;      /* why there is none beside a dump; code 0: nothing */
};

static bool find_worker(struct gather *g, struct worker_names *names, const struct read *read,
                        struct err *err)
{
	g->worker = g->what->worker;
	if (g->worker)
		return true;
	if (read->runs && !see_runs(names, read->runs, g->progress, err))
		return false;
	if (read->programs && !gather_program_devices(g, read->programs, names, err))
		return false;
	if (read->profile)
		gather_profile_devices(read->profile, names);
	g->worker = worker_name(names, g->what->path);
	return true;
}

static void put_source(struct gather *g, const struct read *read)
{
	uint64_t hash;
	struct summary_source source = { .rows = summary_store_count(g->store, &hash) };
	char name[17];
	struct summary_key key = { .kind = SUMMARY_SOURCE, .worker = g->worker, .run = "",
	                           .device = "", .node = name, .debug_op = "",
	                           .slot = g->what->n, .number = g->what->k };

	snprintf(name, sizeof name, "%016" PRIx64, hash);
	source.reader = read->runs ? read->runs->reader->name
	                : read->programs ? PROGRAMS_KIND
	                                 : "profile";
	source.is_root = read->runs && read->runs->is_root;
	str_reset(&g->value);
	summary_put_source(&g->value, &source);
	str_reset(&g->key);
	summary_put_key(&g->key, &key);
	summary_store_put(g->store, &g->key, &g->value);
}

static void put_profile_problem(struct gather *g, const struct err *why)
{
	struct problem problem = { .file = "", .text = why->msg, .off = why->off,
	                           .kind = problem_of_err(why), .unread = true };

	if (why->code)
		gather_problem(g, "", why->src, &problem);
}

/* Lies beside what was opened. */
struct left_out_beside {
	struct gather *g;
	const char *path;
};

static void put_left_out(void *owner, const struct problem *problem)
{
	const struct left_out_beside *beside = owner;

	gather_problem(beside->g, "", beside->path, problem);
}

static bool gather_all(struct gather *g, const struct read *read, struct err *err)
{
	bool alone = !read->runs && !read->programs;
	struct left_out_beside beside = {
		g, read->runs ? read->runs->path : read->programs ? read->programs : g->base
	};
	struct worker_names names = {0};
	bool ok = find_worker(g, &names, read, err) &&
	          (!read->runs || gather_runs(g, read->runs, err)) &&
	          (!read->programs || gather_programs(g, read->programs, err)) &&
	          (!read->profile || gather_profile(g, read->profile, alone, err));

	if (ok) {
		put_profile_problem(g, &read->profile_problem);
		runs_left_out(read->runs, beside.path, &beside, put_left_out);
		put_source(g, read);
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

/* Beside a dump, a profile that can't be read is no error, but a row that says so. */
static bool read_of(struct gather *g, const struct opened *opened, struct read *read,
                    struct err *err)
{
	struct err why = opened->profile_problem;

	read->runs = opened->runs;
	if (opened->programs)
		read->programs = programs_path(opened->programs);
	if (opened->has_profile && profile_load(opened->profile, g->progress, &why))
		read->profile = opened->profile;
	else if (why.code == ERR_CANCELLED || (why.code && !read->runs && !read->programs)) {
		*err = why;
		return false;
	}
	read->profile_problem = why;
	return true;
}

/* Of a profile that is alone there is nothing to keep but its steps and its graph. */
static bool has_rows(const struct read *read, const char *path, struct err *err)
{
	const struct profile *profile = read->profile;

	if (read->runs || read->programs || profile->steps.len || profile->graph)
		return true;
	return err_at(err, ERR_UNSUPPORTED, path, 0,
	              "only %s: a summary keeps tensors, graphs and steps",
	              profile->modules ? "an XLA module"
	              : profile->proto ? "a profile of tfprof"
	                               : "an op log");
}

static bool run_target(const struct summarize *what, const struct target *target,
                       struct opened *opened, struct summarized *done,
                       struct progress *progress, struct err *err)
{
	struct summary_store store = { .k = what->k, .n = what->n };
	struct gather g = { .what = what, .base = what->path,
	                    .store = &store, .done = done, .progress = progress };
	struct read read = {0};
	bool ok = is_one(target, err) && is_no_summary(opened, what->path, err) &&
	          may_write(what, target, err) &&
	          read_of(&g, opened, &read, err) &&
	          has_rows(&read, what->path, err) && gather_all(&g, &read, err) &&
	          write_file(what->out, &store, &done->bytes, err);

	done->rows = store.rows.len;
	done->of_profile = !read.runs && !read.programs;
	gather_release(&g);
	summary_store_release(&store);
	return ok;
}

bool summarize(const struct summarize *what, struct summarized *done, struct progress *progress,
               struct err *err)
{
	struct target target = {0};
	struct opened opened = { .profile = profile_new() };
	bool ok = target_open(what->path, &target, &opened, progress, err) &&
	          run_target(what, &target, &opened, done, progress, err);

	runs_close(opened.runs);
	programs_close(opened.programs);
	profile_close(opened.profile);
	target_release(&target);
	return ok;
}

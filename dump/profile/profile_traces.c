/* A profile of a trace: its steps are the trace's; a trace without steps is one. */
#include "dump/profile/profile_parts.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/path.h"
#include "dump/profile/trace_chrome.h"
#include "dump/profile/trace_source.h"
#include "dump/profile/xspace.h"

/* Is a part older than one that has its place before it? */
static bool is_older(const struct part *part, const struct part *before)
{
	return !part_names_are_alike(part->shown, before->shown)
	       && part->changed_s < before->changed_s;
}

static bool is_xspace(const struct part *part)
{
	return part_trace_source(part->kind) == &xspace_source;
}

/* A file of rocprofv3: "7_kernel_trace.csv" has the kernels, what else it is has other ends. */
static bool ends(const struct part *part, const char *end)
{
	struct str packed = {0};
	bool so = text_ends(part->shown, end);

	str_fmt(&packed, "%s.gz", end);
	so = so || text_ends(part->shown, packed.text);
	str_release(&packed);
	return so;
}

/*
 * How much a part says: what a profiler wrote more than the JSON that was made of it, kernels more
 * than copies, and records more than their totals.
 */
static int worth(const struct part *part)
{
	if (is_xspace(part))
		return 3;
	if (part->kind != FILE_KERNEL_TABLE)
		return 2;
	return ends(part, "stats.csv") ? 0 : ends(part, "_memory_copy_trace.csv") ? 1 : 2;
}

static bool wins(const struct part *part, const struct part *before)
{
	if (!before || worth(part) != worth(before))
		return !before || worth(part) > worth(before);
	return !is_older(part, before);
}

/* rocprofv3 puts the copies of a process beside its kernels. */
static bool has_copies_of(const struct part *copies, const struct part *kernels)
{
	size_t len = strlen(kernels->shown) - strlen(strstr(kernels->shown, "_kernel_trace.csv"));

	return copies->kind == FILE_KERNEL_TABLE && ends(copies, "_memory_copy_trace.csv")
	       && !strncmp(copies->shown, kernels->shown, len)
	       && !strncmp(copies->shown + len, "_memory_copy_trace", 18);
}

static bool go_together(const struct part *part, const struct part *chosen)
{
	if (is_xspace(chosen))
		return is_xspace(part);
	return chosen->kind == FILE_KERNEL_TABLE && ends(chosen, "_kernel_trace.csv")
	       && has_copies_of(part, chosen);
}

const struct part *profile_choose_trace(const struct profile *profile)
{
	const struct part *chosen = NULL;

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];

		if (part_is_step(part) && !part->lost)
			return NULL;
		if (part_is_trace(part) && !part->lost && wins(part, chosen))
			chosen = part;
	}
	return chosen;
}

static bool is_chrome(const struct part *part)
{
	return part_trace_source(part->kind) == &chrome_source && !part->lost;
}

/* Another recording of the worker that wrote the chosen one. */
static bool is_of_worker(const struct part *part, const struct part *chosen)
{
	return is_chrome(part) && trace_worker_is_same(&part->worker, &chosen->worker)
	       && part_names_are_alike(part->shown, chosen->shown);
}

/* What another worker recorded while the chosen one did, now or in an earlier step. */
static bool is_beside_worker(const struct profile *profile, const struct part *part,
                             const struct part *chosen)
{
	if (!is_chrome(part) || trace_worker_is_same(&part->worker, &chosen->worker))
		return false;
	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *own = &profile->parts->found.at[i];

		if ((own == chosen || is_of_worker(own, chosen))
		    && trace_workers_are_together(&part->worker, &own->worker))
			return true;
	}
	return false;
}

bool profile_reads_trace(const struct profile *profile, const struct part *part)
{
	const struct part *chosen = profile_choose_trace(profile);

	if (!chosen || part == chosen)
		return part == chosen;
	return !part->lost && (go_together(part, chosen)
	                       || (is_chrome(chosen) && (is_of_worker(part, chosen)
	                           || is_beside_worker(profile, part, chosen))));
}

bool profile_is_trace(const struct profile *profile)
{
	return profile_choose_trace(profile);
}

static int64_t floor_us(int64_t ns)
{
	return ns / 1000 - (ns % 1000 < 0);
}

static struct extent extent_from(int64_t start_ns, int64_t end_ns)
{
	return (struct extent){ .start_us = floor_us(start_ns), .end_us = floor_us(end_ns + 999),
	                        .span_ns = end_ns - start_ns };
}

static struct extent extent_of_all(const struct activities *all)
{
	int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;

	for (size_t i = 0; i < all->at.len; i++) {
		const struct activity *a = &all->at.at[i];

		start_ns = a->start_ns < start_ns ? a->start_ns : start_ns;
		if (a->start_ns + a->len_ns > end_ns)
			end_ns = a->start_ns + a->len_ns;
	}
	return all->at.len ? extent_from(start_ns, end_ns) : (struct extent){0};
}

bool step_is_trace(const struct step *step)
{
	return step->trace && step->trace_step == TRACE_WHOLE;
}

static void add_step(struct profile *profile, const struct part *part, uint32_t at)
{
	const struct trace *trace = profile->trace;
	struct step step = { .path = part->path, .file = part->shown, .label = "all",
	                     .trace = trace, .trace_step = at, .loaded = true };

	if (at == TRACE_WHOLE) {
		step.trace_extent = trace->more.sums.len ? extent_from(0, trace->span_ns)
		                                         : extent_of_all(&trace->all);
	} else {
		step.label = trace->steps.at[at].label;
		step.number = trace->steps.at[at].number;
		if (trace->steps.at[at].file)
			step.file = trace->steps.at[at].file;
		if (!trace->steps.at[at].no_span)
			step.trace_extent = extent_from(trace->steps.at[at].start_ns,
			                                trace->steps.at[at].end_ns);
	}
	vec_push(&profile->steps, step);
}

/* "worker_0" of "worker_0.xplane.pb" */
static const char *host_of(struct profile *profile, const char *shown)
{
	static const char end[] = ".xplane.pb";
	const char *name = path_name(shown), *at = strstr(name, end);

	return at > name ? arena_copy(&profile->mem, name, (size_t)(at - name)) : name;
}

typedef VEC(struct trace_file) file_list;

/* The step of a worker's recording that is nearest in time to that of another. */
static int64_t step_beside(const struct trace_worker *worker, const struct trace_worker *base,
                           const file_list *files, const struct part *const *parts)
{
	int64_t nearest = INT64_MAX, step = 0;

	for (size_t i = 0; i < files->len; i++) {
		int64_t away = llabs(parts[i]->worker.at_ns - worker->at_ns);

		if (!trace_worker_is_same(&parts[i]->worker, base) || away >= nearest)
			continue;
		nearest = away;
		step = files->at[i].step;
	}
	return step;
}

/*
 * The files of one worker are its steps, in the order of their names. Where names have times, the
 * worker with the most files says which recordings of the others are the same step.
 */
static void number_steps(file_list *files, const struct part *const *parts)
{
	const struct trace_worker *base = NULL;
	int64_t most = -1;

	for (size_t i = 0; i < files->len; i++) {
		files->at[i].step = 0;
		for (size_t k = 0; k < i; k++)
			files->at[i].step += !strcmp(files->at[k].host, files->at[i].host);
		if (files->at[i].step > most) {
			most = files->at[i].step;
			base = &parts[i]->worker;
		}
	}
	for (size_t i = 0; i < files->len; i++) {
		const struct trace_worker *worker = &parts[i]->worker;

		if (!most)
			files->at[i].step = -1;
		else if (worker->at_ns >= 0 && !trace_worker_is_same(worker, base))
			files->at[i].step = step_beside(worker, base, files, parts);
	}
}

/* Devices are called by their worker only if there are several. */
static void name_hosts(file_list *files)
{
	for (size_t i = 1; i < files->len; i++)
		if (strcmp(files->at[i].host, files->at[0].host) != 0)
			return;
	for (size_t i = 0; i < files->len; i++)
		files->at[i].host = NULL;
}

static void list_files(struct profile *profile, const struct part *chosen, file_list *files)
{
	VEC(const struct part *) parts = {0};

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];
		const char *name = path_name(part->shown);

		if (!profile_reads_trace(profile, part))
			continue;
		vec_push(&parts, part);
		vec_push(files, ((struct trace_file){
				part->path, name, *part->worker.name
				? profile_keep(profile, part->worker.name)
				: host_of(profile, part->shown), -1, profile->worker }));
	}
	if (is_chrome(chosen)) {
		number_steps(files, parts.at);
		name_hosts(files);
	}
	vec_release(&parts);
}

bool profile_take_trace(struct profile *profile, const struct part *part,
                        struct progress *progress, struct err *err)
{
	file_list files = {0};

	list_files(profile, part, &files);
	profile->trace = trace_load_hosts(files.at, files.len, part_trace_source(part->kind),
	                                  &profile->parts->reading, progress, err);
	vec_release(&files);
	if (!profile->trace)
		return false;
	/* What was wrong with what a summary was made of is wrong with each answer from it. */
	for (size_t i = 0; part->kind == FILE_SUMMARY && i < profile->problems.len; i++)
		trace_warn_damage(profile->trace, "%s", profile->problems.at[i]);
	for (size_t i = 0; i < profile->trace->steps.len; i++)
		add_step(profile, part, (uint32_t)i);
	if (!profile->steps.len)
		add_step(profile, part, TRACE_WHOLE);
	return true;
}

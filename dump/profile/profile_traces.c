/* A profile of a trace: its steps are the trace's; a trace without steps is one. */
#include "dump/profile/profile_parts.h"

#include <string.h>

#include "dump/base/path.h"
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
		if (part_trace_source(part->kind) && !part->lost && wins(part, chosen))
			chosen = part;
	}
	return chosen;
}

bool profile_reads_trace(const struct profile *profile, const struct part *part)
{
	const struct part *chosen = profile_choose_trace(profile);

	return part == chosen || (chosen && !part->lost && go_together(part, chosen));
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
		step.trace_extent = extent_of_all(&trace->all);
	} else {
		step.label = trace->steps.at[at].label;
		step.number = trace->steps.at[at].number;
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

bool profile_take_trace(struct profile *profile, const struct part *part,
                        struct progress *progress, struct err *err)
{
	VEC(struct trace_file) files = {0};

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *other = &profile->parts->found.at[i];

		if (profile_reads_trace(profile, other))
			vec_push(&files, ((struct trace_file){ other->path,
			                                       host_of(profile, other->shown) }));
	}
	profile->trace = trace_load_hosts(files.at, files.len, part_trace_source(part->kind),
	                                  &profile->parts->reading, progress, err);
	vec_release(&files);
	if (!profile->trace)
		return false;
	for (size_t i = 0; i < profile->trace->steps.len; i++)
		add_step(profile, part, (uint32_t)i);
	if (!profile->steps.len)
		add_step(profile, part, TRACE_WHOLE);
	return true;
}

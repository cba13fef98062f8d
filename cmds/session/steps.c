/*
 * A step counts as a warm-up if it is the first, if it took more than twice the median of the
 * others, or if it alone ran some kernel: then the program was still choosing kernels.
 */
#include "cmds/session/steps.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/profile/trace.h"
#include "dump/profile/trace_source.h"

static void no_steps(struct call *call, const struct profile *profile, const char *otherwise)
{
	if (profile && profile->proto_path && !profile->steps.len)
		call_error(call, "ERROR: %s: a tfprof profile has no step statistics; "
		           "open the RunMetadata instead.", profile->proto_path);
	else
		call_error(call, "ERROR: %s", otherwise);
}

bool need_steps(struct call *call, const struct profile *profile)
{
	if (!profile || !profile->steps.len)
		no_steps(call, profile, "No step statistics are open: "
		         "name a RunMetadata file with --run-metadata.");
	return profile && profile->steps.len;
}

bool need_statistics(struct call *call, const struct profile *profile)
{
	if (!profile || !profile->trace)
		return true;
	call_error(call, "ERROR: %s: %s has no TensorFlow step statistics.",
	           profile->steps.at[0].file, profile->trace->source->what);
	return false;
}

bool need_records(struct call *call, const struct profile *profile)
{
	if (!profile || !profile->trace || !trace_has_only_totals(profile->trace))
		return true;
	call_error(call, "ERROR: %s: only totals are %s; there are no single records.",
	           profile->steps.at[0].file,
	           profile->trace->more.sums.len ? "kept" : "recorded");
	return false;
}

struct held {
	struct profile *profile;
	size_t step;
};

static void let_go(void *context)
{
	struct held *held = context;

	profile_let_go(held->profile, held->step);
	free(held);
}

/* The step stays loaded as long as the answer. */
static void hold(struct call *call, struct profile *profile, size_t i)
{
	struct held *held = mem_alloc(sizeof *held);

	*held = (struct held){ profile, i };
	profile_hold(held->profile, i);
	doc_keep(call->out, let_go, held);
}

/* Step i, loaded; reports its damage. */
static struct step *load(struct call *call, struct profile *profile, size_t i)
{
	struct step *step = profile_step(profile, i, call->progress, &call->err);

	if (step && step->damage.code)
		call_damage(call, step->file, &step->damage);
	return step;
}

struct step *step_of(struct call *call, struct profile *profile, size_t i)
{
	struct step *step = load(call, profile, i);

	if (step)
		hold(call, profile, i);
	return step;
}

struct step *need_step(struct call *call, const char *word)
{
	struct profile *profile = call->shell->profile;
	size_t at;

	if (!profile || !profile->steps.len || (!word && profile->current >= profile->steps.len)) {
		no_steps(call, profile, "No RunMetadata passed for profile analysis.");
		return NULL;
	}
	if (!need_statistics(call, profile))
		return NULL;
	at = word ? profile_find_step(profile, word) : profile->current;
	if (at >= profile->steps.len) {
		call_error(call, "ERROR: No step %s: this profile has %zu step(s), from %s to %s.",
		           word, profile->steps.len, profile->steps.at[0].label,
		           vec_last(&profile->steps)->label);
		return NULL;
	}
	return step_of(call, profile, at);
}

/* Choosing. */

static int by_value(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

	return (p > q) - (p < q);
}

/* How long step i took, and whether all of it was read. False: call->err says why. */
static bool measure(struct call *call, struct profile *profile, size_t i, struct step_survey *out)
{
	struct step *step = load(call, profile, i);
	const struct trace_step *of_trace;
	struct extent extent;

	if (!step)
		return false;
	of_trace = step->trace && !step_is_trace(step) ? &step->trace->steps.at[step->trace_step]
	                                               : NULL;
	out->span_ns = step_extent(step, &extent) ? extent.span_ns : -1;
	out->unread = out->span_ns < 0 || step->damage.code || (of_trace && of_trace->unread);
	profile_forget(profile);
	return true;
}

static bool took_long(const struct step_survey *survey, size_t n, size_t i)
{
	int64_t *others = mem_alloc(n * sizeof *others), median, span = survey[i].span_ns;
	size_t m = 0;

	for (size_t k = 0; k < n; k++)
		if (k != i && !survey[k].unread)
			others[m++] = survey[k].span_ns;
	qsort(others, m, sizeof *others, by_value);
	median = m ? others[(m - 1) / 2] : INT64_MAX / 2;
	free(others);
	return span / 2 > median || (span > median && span - median > median);
}

static void note_kernels(struct map *kernels, uint32_t **where, struct arena *mem,
                         const struct activities *acts, uint32_t step)
{
	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];
		size_t before = kernels->len;
		const char *name;
		uint32_t id;

		if (a->kind != ACTIVITY_KERNEL)
			continue;
		name = acts->names.key[a->kernel];
		id = map_add(kernels, mem, name, strlen(name));
		if (kernels->len > before)
			*where = mem_realloc(*where, kernels->len * sizeof **where);
		if (kernels->len > before)
			(*where)[id] = step + 1;
		else if ((*where)[id] != step + 1)
			(*where)[id] = 0;
	}
}

/* Marks the steps that ran a kernel which no other ran. */
static bool mark_lonely(struct call *call, struct profile *profile, bool *lonely)
{
	struct map kernels = {0};
	struct arena mem = {0};
	uint32_t *where = NULL;  /* the only step, from 1; 0: several */
	bool ok = true;

	for (size_t i = 0; i < profile->steps.len && ok; i++) {
		struct step_choice one = { .profile = profile };
		struct step_activities acts;

		vec_push(&one.at, i);
		ok = step_activities_of(call, &one, &acts);
		if (ok)
			note_kernels(&kernels, &where, &mem, acts.refs[0], (uint32_t)i);
		step_activities_release(&acts);
		step_choice_release(&one);
	}
	for (size_t i = 0; i < kernels.len && ok; i++)
		if (where[i])
			lonely[where[i] - 1] = true;
	free(where);
	map_release(&kernels);
	arena_release(&mem);
	return ok;
}

struct step_survey *steps_survey(struct call *call, struct profile *profile)
{
	size_t n = profile->steps.len;
	struct step_survey *survey = mem_alloc((n + 1) * sizeof *survey);
	bool *lonely = mem_alloc(n + 1);
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++)
		ok = measure(call, profile, i, &survey[i]);
	ok = ok && (n < 2 || mark_lonely(call, profile, lonely));
	for (size_t i = 0; ok && i < n; i++)
		survey[i].warm_up = n > 1 && (lonely[i] || i == 0 || took_long(survey, n, i));
	free(lonely);
	if (ok)
		return survey;
	free(survey);
	return NULL;
}

static bool choose_all(struct call *call, struct step_choice *out)
{
	size_t n = out->profile->steps.len, whole = 0, kept = 0;
	struct step_survey *survey = steps_survey(call, out->profile);

	for (size_t i = 0; survey && i < n; i++) {
		whole += !survey[i].unread;
		kept += !survey[i].unread && !survey[i].warm_up;
	}
	for (size_t i = 0; survey && i < n; i++)
		if (survey[i].unread && whole)
			vec_push(&out->unread, i);
		else if (survey[i].warm_up && kept)
			vec_push(&out->warm_ups, i);
		else
			vec_push(&out->at, i);
	free(survey);
	return !call->err.code;
}

bool steps_find(struct call *call, const struct profile *profile, const char *word, size_t *at)
{
	*at = profile_find_step(profile, word);
	if (*at < profile->steps.len)
		return true;
	call_error(call, "ERROR: There is no step \"%s\": this profile has %zu, from %s to %s.",
	           word, profile->steps.len, profile->steps.at[0].label,
	           vec_last(&profile->steps)->label);
	return false;
}

/* How a step was chosen. */
enum { NOT_CHOSEN, IN_RANGE, BY_NAME };

/* "3" or "2-4". A step that is named twice counts once. */
static bool choose_range(struct call *call, char *word, unsigned char *chosen,
                         struct step_choice *out)
{
	char *dash = strchr(word, '-');
	size_t from, to;

	if (profile_find_step(out->profile, word) < out->profile->steps.len)
		dash = NULL;
	if (dash)
		*dash = '\0';
	if (!steps_find(call, out->profile, word, &from))
		return false;
	to = from;
	if (dash && !steps_find(call, out->profile, dash + 1, &to))
		return false;
	if (from > to) {
		call_error(call, "ERROR: The steps \"%s-%s\" go backward: write %s-%s.", word,
		           dash + 1, dash + 1, word);
		return false;
	}
	for (size_t i = from; i <= to; i++) {
		if (!chosen[i])
			vec_push(&out->at, i);
		if (chosen[i] != BY_NAME)
			chosen[i] = dash ? IN_RANGE : BY_NAME;
	}
	return true;
}

/* Of several chosen steps; with `keeps_named` those that were named one by one stay. */
static bool leave_unread_out(struct call *call, struct step_choice *out,
                             const unsigned char *chosen, bool keeps_named)
{
	size_t n = 0;

	for (size_t k = 0; k < out->at.len; k++) {
		size_t i = out->at.at[k];
		struct step_survey one;

		if (!measure(call, out->profile, i, &one))
			return false;
		if (one.unread && !(keeps_named && chosen[i] == BY_NAME))
			vec_push(&out->unread, i);
		else
			out->at.at[n++] = i;
	}
	if (n)
		out->at.len = n;
	else
		out->unread.len = 0;
	return true;
}

static bool choose(struct call *call, struct profile *profile, const char *word,
                   bool keeps_named, struct step_choice *out)
{
	char *words, *comma;
	unsigned char *chosen;
	bool ok = true;

	*out = (struct step_choice){ .profile = profile };
	if (!need_steps(call, profile))
		return false;
	out->whole = profile->trace && !profile->trace->steps_apart
	             && (word ? !strcmp(word, "all") : profile->steps.len == 1);
	if (!word || out->whole) {
		vec_push(&out->at, profile->current < profile->steps.len ? profile->current
		                                                         : profile->steps.len - 1);
		return true;
	}
	if (!strcmp(word, "all"))
		return choose_all(call, out);
	words = arena_copy(call->mem, word, strlen(word));
	chosen = mem_alloc(profile->steps.len * sizeof *chosen);
	do {
		comma = strchr(words, ',');
		if (comma)
			*comma = '\0';
		ok = choose_range(call, words, chosen, out);
		words = comma ? comma + 1 : words;
	} while (ok && comma);
	ok = ok && (out->at.len < 2 || leave_unread_out(call, out, chosen, keeps_named));
	free(chosen);
	return ok;
}

bool steps_choose_for_mean(struct call *call, struct profile *profile, const char *word,
                           struct step_choice *out)
{
	return choose(call, profile, word, false, out);
}

void steps_say_left_out(struct call *call, const struct step_choice *choice)
{
	size_t n = choice->unread.len;
	struct str text = {0};

	for (size_t i = 0; i < n; i++)
		str_fmt(&text, "%s%s", i ? ", " : n > 1 ? "Steps " : "Step ",
		        choice->profile->steps.at[choice->unread.at[i]].label);
	if (n)
		call_warn(call, arena_fmt(call->mem, "%s %s not read whole, or %s no times: left "
		                          "out.", text.text, n > 1 ? "were" : "was",
		                          n > 1 ? "have" : "has"));
	str_release(&text);
}

bool steps_choose(struct call *call, struct profile *profile, const char *word,
                  struct step_choice *out)
{
	if (!choose(call, profile, word, true, out))
		return false;
	steps_say_left_out(call, out);
	return true;
}

bool steps_choose_one(struct call *call, struct profile *profile, const char *word,
                      struct step_choice *out)
{
	if (!steps_choose(call, profile, word, out))
		return false;
	if (out->at.len > 1)
		call_error(call, "ERROR: This answer is about one step: name it with --step.");
	return out->at.len == 1;
}

void step_choice_release(struct step_choice *choice)
{
	vec_release(&choice->at);
	vec_release(&choice->warm_ups);
	vec_release(&choice->unread);
}

/* Graphs and activities. */

struct graph *const *graphs_of(struct call *call, size_t *n)
{
	struct profile *profile = call->shell->profile;
	const struct run *run = call->shell->run;
	struct graph **graphs;
	struct err ignored = {0};

	*n = 0;
	if ((!profile || !profile->graph) && run && run_has_graph(run)) {
		graphs = arena_alloc(call->mem, (run->devices.len + 1) * sizeof *graphs);
		for (size_t i = 0; i < run->devices.len; i++)
			if (run->devices.at[i].graph)
				graphs[(*n)++] = run->devices.at[i].graph;
		return graphs;
	}
	if (!profile)
		return NULL;
	if (!profile->graph && profile->current < profile->steps.len) {
		profile_partitions(profile, call->progress, &ignored);
		hold(call, profile, profile->current);
	}
	return profile_graphs(profile, n);
}

struct held_activities {
	struct activities acts;
	struct profile *profile;         /* holds the step; NULL: it is not needed any more */
	size_t step;
	atomic_uint holders;             /* answers go on another thread than commands run */
};

static void held_release(struct held_activities *held)
{
	if (!held || atomic_fetch_sub(&held->holders, 1) > 1)
		return;
	activities_release(&held->acts);
	if (held->profile)
		profile_let_go(held->profile, held->step);
	free(held);
}

/* Of a trace: its step, or the whole of it; the trace stays as long as the profile. */
static struct held_activities *held_of_trace(const struct trace *trace, uint32_t step)
{
	struct held_activities *held = mem_alloc(sizeof *held);

	atomic_init(&held->holders, 1);
	trace_activities(trace, step, &held->acts);
	return held;
}

/*
 * The activities of step i. step_stays: it stays loaded as long as they exist. NULL: call->err says
 * why.
 */
static struct held_activities *held_make(struct call *call, struct profile *profile, size_t i,
                                         struct graph *const *graphs, size_t n_graphs,
                                         bool step_stays)
{
	struct step *step = load(call, profile, i);
	struct held_activities *held;

	if (!step)
		return NULL;
	if (step->trace)
		return held_of_trace(step->trace, step->trace_step);
	held = mem_alloc(sizeof *held);
	atomic_init(&held->holders, 1);
	if (step_stays) {
		profile_hold(profile, i);
		held->profile = profile;
		held->step = i;
	}
	if (activities_of(step, profile->proto, graphs, n_graphs, step_stays, call->progress,
	                  &held->acts, &call->err))
		return held;
	held_release(held);
	return NULL;
}

/* Graphs of a dump change with its runs. */
static bool graphs_stay(const struct shell *shell)
{
	return !shell->has_dump || shell->profile->graph;
}

/* The current step's activities, made once. */
static struct held_activities *held_of_current(struct call *call, struct graph *const *graphs,
                                               size_t n_graphs)
{
	struct shell *shell = call->shell;

	if (shell->activities && shell->activities->step != shell->profile->current)
		steps_forget_activities(shell);
	if (!shell->activities)
		shell->activities = held_make(call, shell->profile, shell->profile->current, graphs,
		                              n_graphs, true);
	if (shell->activities)
		atomic_fetch_add(&shell->activities->holders, 1);
	return shell->activities;
}

void steps_forget_activities(struct shell *shell)
{
	held_release(shell->activities);
	shell->activities = NULL;
}

void steps_make_room(struct shell *shell)
{
	struct profile *profile = shell->profile;

	if (!shell->answers_go || !profile)
		return;
	steps_forget_activities(shell);
	kept_make_room(shell);
	profile_make_room(profile);
}

static void step_activities_new(struct step_activities *out, size_t n)
{
	*out = (struct step_activities){
		.held = mem_alloc((n + 1) * sizeof *out->held),
		.refs = mem_alloc((n + 1) * sizeof *out->refs),
		.labels = mem_alloc((n + 1) * sizeof *out->labels),
	};
}

static void take_activities(struct call *call, const struct step *step,
                            struct held_activities *held, struct step_activities *out)
{
	if (step->damage.code)
		call_damage(call, step->file, &step->damage);
	if (held->acts.damage.code)
		call_damage(call, step->file, &held->acts.damage);
	out->held[out->n] = held;
	out->refs[out->n] = &held->acts;
	out->labels[out->n++] = step->label;
}

static void take_whole(struct profile *profile, struct step_activities *out)
{
	step_activities_new(out, 1);
	out->held[0] = held_of_trace(profile->trace, TRACE_WHOLE);
	out->refs[0] = &out->held[0]->acts;
	out->labels[0] = profile->steps.len > 1 ? "all" : profile->steps.at[0].label;
	out->n = 1;
}

bool step_activities_of(struct call *call, const struct step_choice *choice,
                        struct step_activities *out)
{
	size_t n, i = choice->at.len ? choice->at.at[0] : 0;
	struct graph *const *graphs = graphs_of(call, &n);
	struct held_activities *held;

	if (choice->whole) {
		take_whole(choice->profile, out);
		return true;
	}
	if (choice->at.len != 1 || i != choice->profile->current || !graphs_stay(call->shell))
		return step_activities_with(call, choice, graphs, n, out);
	step_activities_new(out, 1);
	held = held_of_current(call, graphs, n);
	if (held)
		take_activities(call, &choice->profile->steps.at[i], held, out);
	return held;
}

bool step_activities_with(struct call *call, const struct step_choice *choice,
                          struct graph *const *graphs, size_t n_graphs, struct step_activities *out)
{
	struct profile *profile = choice->profile;
	bool alone = choice->at.len == 1;

	if (choice->whole) {
		take_whole(profile, out);
		return true;
	}
	step_activities_new(out, choice->at.len);
	for (size_t i = 0; i < choice->at.len; i++) {
		size_t at = choice->at.at[i];
		struct held_activities *held;

		held = held_make(call, profile, at, graphs, n_graphs, alone);
		if (!held)
			return false;
		take_activities(call, &profile->steps.at[at], held, out);
		if (alone)
			break;
		held->acts.step = NULL;
		profile_forget(profile);
	}
	return true;
}

void step_activities_release(struct step_activities *activities)
{
	for (size_t i = 0; i < activities->n; i++)
		held_release(activities->held[i]);
	free(activities->held);
	free(activities->refs);
	free(activities->labels);
}

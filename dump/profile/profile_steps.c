/* The steps of a profile: their numbers and labels, which one is current, which are held. */
#include "dump/profile/profile_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/profile/trace.h"

static const char *last_number(const char *name)
{
	const char *end = name + strlen(name);

	while (end > name && (end[-1] < '0' || end[-1] > '9'))
		end--;
	while (end > name && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return *end >= '0' && *end <= '9' ? end : NULL;
}

/* Do all names give numbers that differ? They go to numbers[]. */
static bool names_number(const struct profile *profile, int64_t *numbers)
{
	for (size_t i = 0; i < profile->steps.len; i++) {
		const char *number = last_number(path_name(profile->steps.at[i].file));

		if (!number || strspn(number, "0123456789") > 18)
			return false;
		numbers[i] = strtoll(number, NULL, 10);
		for (size_t k = 0; k < i; k++)
			if (numbers[k] == numbers[i])
				return false;
	}
	return true;
}

void profile_label_steps(struct profile *profile)
{
	int64_t *numbers = mem_alloc((profile->steps.len + 1) * sizeof *numbers);
	bool by_names = names_number(profile, numbers);
	struct str label = {0};

	for (size_t i = 0; i < profile->steps.len; i++) {
		struct step *step = &profile->steps.at[i];

		step->number = step->label && last_number(step->label) == step->label
		               ? strtoll(step->label, NULL, 10)
		               : by_names ? numbers[i] : step->number;
		if (step->label)
			continue;
		str_reset(&label);
		str_fmt(&label, "%" PRId64, step->number);
		step->label = profile_keep(profile, label.text);
	}
	str_release(&label);
	free(numbers);
}

static bool load_step(struct profile *profile, struct step *step, struct progress *progress,
                      struct err *err)
{
	bool ok;

	profile->parts->loading = step;
	ok = step_load(step, progress, err);
	profile->parts->loading = NULL;
	if (ok && step->damage.code)
		profile_problem(profile, step->file, &step->damage);
	return ok;
}

const struct step *profile_so_far(const struct profile *profile)
{
	return profile->parts->loading;
}

const struct trace *profile_trace_so_far(const struct profile *profile)
{
	return profile->parts->reading;
}

struct length {
	int64_t ns;
	size_t step;
};
typedef VEC(struct length) length_list;

static int by_length(const void *a, const void *b)
{
	const struct length *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

/* False after a cancel. */
static bool note_length(struct profile *profile, size_t i, struct progress *progress,
                        length_list *lengths, struct err *err)
{
	const struct step *step = &profile->steps.at[i];
	/* A step of its own, without names: only its times count. */
	struct step times = { .path = step->path, .file = step->file, .source = step->source,
	                      .times_only = true };
	struct extent extent;
	struct err why = {0};

	if (step_load(&times, progress, &why)) {
		if (times.damage.code)
			profile_problem(profile, step->file, &times.damage);
		if (step_extent(&times, &extent))
			vec_push(lengths, ((struct length){ extent.span_ns, i }));
		step_release(&times);
	} else if (why.code == ERR_CANCELLED) {
		if (err)
			*err = why;
		return false;
	} else {
		profile_problem(profile, step->file, &why);
	}
	return true;
}

/* A step of a trace in which nothing ran: there would be nothing to see. */
static bool is_empty(const struct step *step)
{
	return step->trace && !step_is_trace(step)
	       && !step->trace->steps.at[step->trace_step].n;
}

/*
 * The step of median length (the lower one of two); steps.len if none can be read. One that can't
 * be might have been it, and is a problem. False after a cancel.
 */
static bool median_step(struct profile *profile, struct progress *progress, size_t *out,
                        struct err *err)
{
	length_list lengths = {0};
	bool on = true;

	for (size_t i = 0; on && i < profile->steps.len; i++) {
		const struct step *step = &profile->steps.at[i];

		if (step->trace) {
			if (!is_empty(step))
				vec_push(&lengths, ((struct length){ step->trace_extent.span_ns,
				                                     i }));
			continue;
		}
		on = note_length(profile, i, progress, &lengths, err);
	}
	if (lengths.len)
		qsort(lengths.at, lengths.len, sizeof *lengths.at, by_length);
	*out = lengths.len ? lengths.at[(lengths.len - 1) / 2].step : profile->steps.len;
	vec_release(&lengths);
	return on;
}

bool profile_load_current(struct profile *profile, struct progress *progress, struct err *err)
{
	size_t n = profile->steps.len, median = n;

	profile->current = n;
	if (n >= 3 && !median_step(profile, progress, &median, err))
		return false;
	for (size_t i = n + (median < n); i-- > 0 && profile->current == n; ) {
		size_t at = i == n ? median : i;
		struct err why = {0};

		if (i && is_empty(&profile->steps.at[at]))
			continue;
		if (profile_step(profile, at, progress, &why)) {
			profile->current = at;
		} else if (why.code == ERR_CANCELLED) {
			if (err)
				*err = why;
			return false;
		} else {
			profile_problem(profile, profile->steps.at[at].file, &why);
			if (err)
				*err = why;
		}
	}
	if (profile->current < n && err)
		*err = (struct err){0};
	return true;
}

struct step *profile_step(struct profile *profile, size_t i, struct progress *progress,
                          struct err *err)
{
	struct step *step = &profile->steps.at[i];

	return step->loaded || load_step(profile, step, progress, err) ? step : NULL;
}

bool profile_enter(struct profile *profile, size_t i, struct progress *progress, struct err *err)
{
	if (!profile_step(profile, i, progress, err))
		return false;
	profile->current = i;
	return true;
}

void profile_hold(struct profile *profile, size_t i)
{
	atomic_fetch_add(&profile->parts->uses[i].holders, 1);
}

void profile_let_go(struct profile *profile, size_t i)
{
	atomic_fetch_sub(&profile->parts->uses[i].holders, 1);
}

static void forget(struct profile *profile, size_t but)
{
	for (size_t i = 0; i < profile->steps.len; i++) {
		if (i == but || profile->steps.at[i].trace
		    || atomic_load(&profile->parts->uses[i].holders))
			continue;
		step_release(&profile->steps.at[i]);
		step_use_close(&profile->parts->uses[i]);
	}
}

void profile_forget(struct profile *profile)
{
	forget(profile, profile->current);
}

void profile_make_room(struct profile *profile)
{
	forget(profile, SIZE_MAX);
}

size_t profile_find_step(const struct profile *profile, const char *word)
{
	char *end;
	long long number = strtoll(word, &end, 10);

	for (size_t i = 0; i < profile->steps.len; i++)
		if (!strcmp(profile->steps.at[i].label, word)
		    || (end > word && !*end && profile->steps.at[i].number == number))
			return i;
	return profile->steps.len;
}

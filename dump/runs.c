/*
 * Names are sorted, then numbered; writers are guessed from the counters in that order. All of this
 * can be repeated when more names have come.
 */
#include "dump/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/arrays/step.h"
#include "dump/base/clock.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/format/file.h"
#include "dump/model/left_out.h"

const char *const run_status_names[N_RUN_STATUSES] = {
#define X(id, name) [RUN_##id] = name,
	RUN_STATUSES(X)
#undef X
};

static struct run_entry *add(struct runs *runs, const char *name, const char *path)
{
	struct run_entry *entry = arena_alloc(&runs->mem, sizeof *entry);
	struct run_name parts = { .time_us = -1, .counter = -1 };

	entry->runs = runs;
	entry->name = arena_fmt(&runs->mem, "%s", name);
	entry->path = path;
	if (runs->reader->run_name)
		runs->reader->run_name(entry->name, &parts);
	entry->time_us = parts.time_us;
	entry->suffix = parts.suffix;
	entry->counter = parts.counter;
	entry->step = -1;
	vec_push(&runs->list, entry);
	map_add(&runs->names, &runs->mem, name, strlen(name));
	return entry;
}

static void add_step(struct runs *runs, const struct run_step *step)
{
	add(runs, step->name, runs->path)->step = step->step;
}

/* Order and numbers. */

static int by_name(const void *a, const void *b)
{
	const struct run_entry *x = *(struct run_entry *const *)a;
	const struct run_entry *y = *(struct run_entry *const *)b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->to_us && y->to_us && x->time_us != y->time_us)
		return x->time_us < y->time_us ? -1 : 1;
	return x->runs->reader->run_order(x->name, y->name);
}

static int by_counter(const void *a, const void *b)
{
	const struct run_entry *x = *(struct run_entry *const *)a;
	const struct run_entry *y = *(struct run_entry *const *)b;

	return (x->counter > y->counter) - (x->counter < y->counter);
}

static bool is_sorted(const struct runs *runs, int (*order)(const void *a, const void *b),
                      bool strictly)
{
	for (size_t i = 1; i < runs->list.len; i++) {
		int cmp = order(&runs->list.at[i - 1], &runs->list.at[i]);

		if (strictly ? cmp >= 0 : cmp > 0)
			return false;
	}
	return true;
}

/* The counters of one wrapper only go up, whatever the clock does. */
static void mind_the_clock(struct runs *runs)
{
	for (size_t i = 0; i < runs->list.len; i++)
		if (runs->list.at[i]->counter < 0 || runs->list.at[i]->time_us < 0)
			return;
	if (!runs->list.len || is_sorted(runs, by_counter, true))
		return;
	qsort(runs->list.at, runs->list.len, sizeof *runs->list.at, by_counter);
	if (!is_sorted(runs, by_counter, true)) {
		qsort(runs->list.at, runs->list.len, sizeof *runs->list.at, by_name);
		return;
	}
	if (runs->clock_told)
		return;
	runs->clock_told = true;
	*vec_add(&runs->problems) = (struct problem){
		.file = "", .kind = PROBLEM_CLOCK,
		.text = "the times of the runs disagree with their counters, as if a clock had "
		        "been set back: they are ordered by counter",
	};
}

/* A run with counter c follows the one writer whose last was c - 1. */
static void find_writers(struct runs *runs)
{
	VEC(int64_t) last = {0};

	for (size_t i = 0; i < runs->list.len; i++) {
		struct run_entry *entry = runs->list.at[i];
		size_t fits = 0;

		entry->writer = 0;
		if (entry->counter == 0) {
			vec_push(&last, 0);
			entry->writer = (uint32_t)last.len;
			continue;
		}
		for (size_t w = 0; entry->counter > 0 && w < last.len; w++) {
			if (last.at[w] != entry->counter - 1)
				continue;
			entry->writer = (uint32_t)w + 1;
			fits++;
		}
		if (fits == 1)
			last.at[entry->writer - 1] = entry->counter;
		else
			entry->writer = 0;
	}
	vec_release(&last);
}

static void number(struct runs *runs)
{
	for (size_t i = 0; i < runs->list.len; i++)
		runs->list.at[i]->position = i + 1;
}

static void settle(struct runs *runs)
{
	qsort(runs->list.at, runs->list.len, sizeof *runs->list.at, by_name);
	mind_the_clock(runs);
	find_writers(runs);
	number(runs);
}

/* Opening. */

static const char *last_part(struct runs *runs, const char *path)
{
	char *full = file_real_path(path);
	const char *name = arena_fmt(&runs->mem, "%s",
	                             full && *path_name(full) ? path_name(full) : path);

	free(full);
	return name;
}

static void note_mixed(struct runs *runs, const struct place *place)
{
	for (size_t i = 0; i < place->parts.len; i++)
		vec_push(&runs->mixed, ((struct run_part){
			arena_fmt(&runs->mem, "%s", place->parts.at[i].name),
			place->parts.at[i].time_us,
		}));
	if (runs->mixed.len > 1)
		*vec_add(&runs->problems) = (struct problem){
			.file = "", .kind = PROBLEM_MIXED,
			.text = arena_fmt(&runs->mem, "%zu runs are mixed in this directory and "
			                  "shown as one; \"runs --split\" separates them by "
			                  "their times, a guess", runs->mixed.len),
		};
}

static void note_lacks(struct runs *runs, const struct place *place)
{
	if (!place->lacks)
		return;
	runs->lacks = arena_fmt(&runs->mem, "%s", place->lacks);
	*vec_add(&runs->problems) = (struct problem){
		.file = "", .kind = PROBLEM_LACKS, .unread = true, .whole = true,
		.text = arena_fmt(&runs->mem, "only %s", runs->lacks),
	};
}

static void take_place(struct runs *runs, const struct place *place)
{
	runs->path = arena_fmt(&runs->mem, "%s", place->path);
	runs->is_root = place->runs.len > 0 || place->steps.len > 1 || place->is_root;
	runs->of_arrays = place->of_arrays;
	runs->kept = counted_keep(place->kept);
	for (size_t i = 0; i < place->runs.len; i++)
		add(runs, place->runs.at[i],
		    arena_fmt(&runs->mem, "%s/%s", place->path, place->runs.at[i]));
	for (size_t i = 0; i < place->steps.len && runs->is_root; i++)
		add_step(runs, &place->steps.at[i]);
	if (place->is_run && place->runs.len)
		add(runs, ".", runs->path);
	else if (!runs->is_root)
		add(runs, last_part(runs, place->path), runs->path)->step =
			place->steps.len ? place->steps.at[0].step : -1;
	for (size_t i = 0; i < place->workers.len; i++)
		vec_push(&runs->workers, arena_fmt(&runs->mem, "%s", place->workers.at[i]));
	for (size_t i = 0; i < place->problems.len; i++) {
		struct problem problem = place->problems.at[i];

		problem.file = arena_fmt(&runs->mem, "%s", problem.file);
		problem.text = arena_fmt(&runs->mem, "%s", problem.text);
		vec_push(&runs->problems, problem);
	}
	note_mixed(runs, place);
	note_lacks(runs, place);
	if (place->cut)
		*vec_add(&runs->problems) = (struct problem){
			.file = "", .kind = PROBLEM_STRANGER,
			.text = "there are more directories than were looked into: some runs may "
			        "not be listed",
		};
	settle(runs);
}

struct runs *runs_of(const struct reader *reader, const struct place *place)
{
	struct runs *runs = mem_alloc(sizeof *runs);

	pthread_mutex_init(&runs->lock, NULL);
	runs->reader = reader;
	take_place(runs, place);
	return runs;
}

void runs_close(struct runs *runs)
{
	if (!runs)
		return;
	for (size_t i = 0; i < runs->infos.len; i++)
		run_info_free(runs->infos.at[i]);
	vec_release(&runs->infos);
	vec_release(&runs->list);
	vec_release(&runs->problems);
	vec_release(&runs->mixed);
	map_release(&runs->names);
	follow_free(runs->follow);
	vec_release(&runs->workers);
	counted_let_go(runs->kept);
	pthread_mutex_destroy(&runs->lock);
	arena_release(&runs->mem);
	free(runs);
}

bool run_entry_is_of(const struct run_entry *entry, const char *worker)
{
	const struct runs *runs = entry->runs;
	const char *name = runs->is_root ? entry->name : NULL;

	return runs->reader->is_of_worker
	       && runs->reader->is_of_worker(runs->kept, name, worker);
}

static bool has_worker(const struct runs *runs, const char *worker)
{
	for (size_t i = 0; i < runs->workers.len; i++)
		if (!strcmp(runs->workers.at[i], worker))
			return true;
	return false;
}

bool runs_narrow(struct runs *runs, const char *worker, struct err *err)
{
	size_t kept = 0;

	if (!has_worker(runs, worker))
		return err_at(err, ERR_VALUE, runs->path, 0, "no worker is called %s", worker);
	runs->worker = arena_fmt(&runs->mem, "%s", worker);
	for (size_t i = 0; i < runs->list.len; i++)
		if (run_entry_is_of(runs->list.at[i], worker))
			runs->list.at[kept++] = runs->list.at[i];
	runs->list.len = kept;
	find_writers(runs);
	number(runs);
	return true;
}

static void note_gone(struct runs *runs, const bool *there)
{
	for (size_t i = 0; i < runs->list.len; i++) {
		struct run_entry *entry = runs->list.at[i];

		if (entry->path != runs->path)
			entry->gone = !there[map_find(&runs->names, entry->name,
			                              strlen(entry->name))];
	}
}

/* What opened it looked right there, and then below. */
static bool look(const struct runs *runs, struct arena *mem, struct place *place)
{
	const struct reader *reader = runs->reader;

	if (!reader->look(runs->path, mem, place, NULL))
		return false;
	if (place->runs.len || place->steps.len || !reader->look_below)
		return true;
	place_release(place);
	*place = (struct place){0};
	return reader->look_below(runs->path, mem, place, NULL);
}

bool runs_are_steps(const struct runs *runs)
{
	return runs->of_arrays && runs->list.len && runs->list.at[0]->step >= 0;
}

static void take_runs(struct runs *runs, const struct place *place)
{
	bool *there = mem_alloc(runs->names.len + place->runs.len);

	for (size_t i = 0; i < place->runs.len; i++) {
		const char *name = place->runs.at[i];
		uint32_t id = map_find(&runs->names, name, strlen(name));

		if (id == MAP_NONE)
			add(runs, name, arena_fmt(&runs->mem, "%s/%s", runs->path, name));
		there[id == MAP_NONE ? runs->names.len - 1 : id] = true;
	}
	note_gone(runs, there);
	free(there);
}

/* The only step, which was called as PATH is, gets its own name once there are others. */
static void become_root(struct runs *runs, const struct place *place)
{
	struct run_entry *only = runs->list.at[0];

	for (size_t i = 0; i < place->steps.len; i++)
		if (place->steps.at[i].step == only->step)
			only->name = arena_fmt(&runs->mem, "%s", place->steps.at[i].name);
	map_release(&runs->names);
	runs->names = (struct map){0};
	map_add(&runs->names, &runs->mem, only->name, strlen(only->name));
	runs->is_root = true;
}

static void take_steps(struct runs *runs, const struct place *place)
{
	if (!runs->is_root && place->steps.len > 1)
		become_root(runs, place);
	for (size_t i = 0; i < place->steps.len && runs->is_root; i++) {
		const struct run_step *step = &place->steps.at[i];

		if (map_find(&runs->names, step->name, strlen(step->name)) == MAP_NONE)
			add_step(runs, step);
	}
}

size_t runs_look_again(struct runs *runs)
{
	struct place place = {0};
	struct arena mem = {0};
	size_t n = runs->list.len;

	if ((runs->is_root || runs_are_steps(runs)) && look(runs, &mem, &place)) {
		take_runs(runs, &place);
		take_steps(runs, &place);
		settle(runs);
	}
	place_release(&place);
	arena_release(&mem);
	return runs->list.len - n;
}

static struct run *open_entry(const struct runs *runs, const struct run_entry *entry)
{
	struct run *run = run_new(runs->reader, entry->path);

	run->from_us = entry->from_us;
	run->to_us = entry->to_us;
	run->step = entry->step;
	run->name = runs->is_root ? entry->name : NULL;
	run->worker = runs->worker;
	run->is_alone = runs->worker;
	run->kept = counted_keep(runs->kept);
	return run;
}

struct run *runs_open_run(struct runs *runs, const struct run_entry *entry, struct err *err)
{
	if (runs->is_root || file_is_there(entry->path))
		return open_entry(runs, entry);
	err_fill(err, ERR_IO, entry->path, 0, "%s", strerror(errno));
	return NULL;
}

bool runs_is_in_root(const struct runs *runs, const char *path)
{
	struct run_name parts;
	char *full;
	bool in_root;

	if (runs->is_root)
		return strcmp(path, runs->path) != 0;
	full = file_real_path(path);
	in_root = full && (runs->of_arrays ? file_is_dir(full) && name_is_of_step(path_name(full))
	                   : runs->reader->run_name
	                   && runs->reader->run_name(path_name(full), &parts));
	free(full);
	return in_root;
}

void runs_left_out(const struct runs *runs, const char *path, void *owner,
                   void (*take)(void *owner, const struct problem *problem))
{
	struct str above = {0};

	left_out_read(path, owner, take);
	if (!runs || runs->is_root || !runs_is_in_root(runs, path))
		return;
	str_fmt(&above, "%s/..", path);
	left_out_read(above.text, owner, take);
	str_release(&above);
}

/* The i-th part begins at its start; the first one also has everything before it. */
static void add_part(struct runs *runs, size_t i)
{
	int64_t time_us = runs->mixed.at[i].time_us;
	struct run_entry *part = add(runs, runs->mixed.at[i].name, runs->path);

	part->time_us = time_us;
	part->from_us = i ? time_us : INT64_MIN;
	part->to_us = i + 1 < runs->mixed.len ? runs->mixed.at[i + 1].time_us : INT64_MAX;
}

bool runs_split(struct runs *runs)
{
	size_t n = runs->list.len;

	if (runs->mixed.len < 2)
		return false;
	for (size_t i = 0; i < n; i++)
		if (runs->list.at[i]->path != runs->path)
			vec_push(&runs->list, runs->list.at[i]);
	for (size_t i = 0; i < runs->mixed.len; i++)
		add_part(runs, i);
	/* Keeps only what was appended, sorted: the parts come first. */
	qsort(runs->list.at + n, runs->list.len - n, sizeof *runs->list.at, by_name);
	runs->list.len -= n;
	memmove(runs->list.at, runs->list.at + n, runs->list.len * sizeof *runs->list.at);
	runs->mixed.len = 0;
	runs->is_root = runs->has_parts = true;
	number(runs);
	return true;
}

struct run_entry *runs_at(const struct runs *runs, size_t position)
{
	return position && position <= runs->list.len ? runs->list.at[position - 1] : NULL;
}

struct run_entry *runs_entry(const struct runs *runs, const void *entry)
{
	for (size_t i = 0; i < runs->list.len; i++)
		if (runs->list.at[i] == entry)
			return runs->list.at[i];
	return NULL;
}

/* What is known. */

const struct run_info *run_entry_info(struct run_entry *entry, enum run_depth depth)
{
	const struct run_info *info = NULL;

	for (int d = 0; !info && d <= (int)depth; d++)
		info = atomic_load_explicit(&entry->info[d], memory_order_acquire);
	return info;
}

const struct run_info *runs_keep_info(struct runs *runs, struct run_entry *entry,
                                      enum run_depth depth, struct run_info *info)
{
	struct run_info *kept;

	pthread_mutex_lock(&runs->lock);
	kept = atomic_load(&entry->info[depth]);
	if (!kept) {
		vec_push(&runs->infos, info);
		atomic_store_explicit(&entry->info[depth], info, memory_order_release);
	}
	pthread_mutex_unlock(&runs->lock);
	if (!kept)
		return info;
	run_info_free(info);
	return kept;
}

const struct run_info *runs_info(struct runs *runs, struct run_entry *entry, enum run_depth depth,
                                 struct progress *progress, struct err *err)
{
	const struct run_info *known = run_entry_info(entry, depth);
	struct run_info *info;
	struct run *run;

	if (known)
		return known;
	run = open_entry(runs, entry);
	run->depth = depth;
	info = run_info_read(run, progress, err);
	return info ? runs_keep_info(runs, entry, depth, info) : NULL;
}

void runs_forget(struct run_entry *entry)
{
	for (int depth = 0; depth <= RUN_HEAD; depth++)
		atomic_store(&entry->info[depth], NULL);
}

/* A run that has all its fetches counts as quiet sooner. */
#define WHOLE_SETTLES_MS 500

int64_t runs_settles_ms(const struct runs *runs, const struct run_entry *entry,
                        const struct run_info *info)
{
	const char *name = runs->is_root && entry->step < 0 ? entry->name : ".";
	int64_t last_ms = runs->follow ? follow_last_ms(runs->follow, name) : -1;
	int64_t wait = runs->settle_ms;

	if (last_ms < 0 || info->gone)
		return 0;
	if (info->n_metadata && !info->n_suspects && wait > WHOLE_SETTLES_MS)
		wait = WHOLE_SETTLES_MS;
	wait += last_ms - clock_ms();
	return wait > 0 ? wait : 0;
}

/* The last run of a root that is followed: may more come? */
static enum run_status status_of_last(const struct runs *runs, const struct run_entry *entry,
                                      const struct run_info *info)
{
	bool settled = !runs_settles_ms(runs, entry, info);

	if (info->n_suspects && settled)
		return RUN_PARTIAL;
	if (!info->n_metadata && !info->tensors)
		return RUN_STARTED;
	return settled ? RUN_QUIET : RUN_DUMPING;
}

enum run_status runs_status(const struct runs *runs, const struct run_entry *entry,
                            const struct run_info *info)
{
	if (info->gone || entry->gone)
		return RUN_GONE;
	if (info->empty)
		return RUN_EMPTY;
	if (runs->follow && entry->position == runs->list.len)
		return status_of_last(runs, entry, info);
	if (run_info_is_unread(info))
		return RUN_UNREADABLE;
	if (info->n_suspects)
		return RUN_PARTIAL;
	if (entry->position < runs->list.len || info->n_metadata || info->tensors)
		return RUN_COMPLETE;
	return RUN_STARTED;
}

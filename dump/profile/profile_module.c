/*
 * A directory that XLA dumped to has each program in several phases: before and after all passes,
 * and perhaps between them. What ran is what came out, and of several programs the largest is
 * worth most. A trace has all of them: its records may be of any.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/path.h"
#include "dump/format/file.h"
#include "dump/format/unpack.h"
#include "dump/hlo/hlo.h"
#include "dump/profile/profile_parts.h"
#include "dump/profile/xspace_modules.h"

enum { MODULES_MAX = 64 /* of a trace; those that are left out are the smallest */ };

static bool is_packed(const struct part *part)
{
	return part->kind == FILE_HLO_GZIP || part->kind == FILE_HLO_PROTO_GZIP;
}

static bool is_text(const struct part *part)
{
	return part->kind == FILE_HLO || part->kind == FILE_HLO_GZIP;
}

static int64_t size_of(const struct part *part)
{
	struct stat st;

	return file_stat(part->path, &st) ? (int64_t)st.st_size : 0;
}

static bool is_final(const struct part *part)
{
	return strstr(part->shown, "after_optimizations");
}

/* Is it worth more than another one? */
static bool goes_before(const struct part *a, const struct part *b)
{
	if (a->named != b->named)
		return a->named;
	if (is_final(a) != is_final(b))
		return is_final(a);
	if (is_text(a) != is_text(b))
		return is_text(a);
	return size_of(a) > size_of(b);
}

static const struct part *choose(const struct profile *profile)
{
	const struct part *chosen = NULL;

	for (size_t i = 0; i < profile->parts->found.len; i++) {
		const struct part *part = &profile->parts->found.at[i];

		if (!part->lost && part_is_module(part)
		    && (!chosen || goes_before(part, chosen)))
			chosen = part;
	}
	return chosen;
}

static struct graph *open_plain(const char *path, const struct part *part,
                                struct progress *progress, struct err *damage, struct err *err)
{
	if (is_text(part))
		return hlo_text_open(path, progress, damage, err);
	return hlo_proto_open(path, (struct span){ 0, UINT64_MAX }, progress, damage, err);
}

/* The module in a compressed file; that what is compressed is damaged is what counts then. */
static struct graph *open_packed(struct profile *profile, const struct part *part,
                                 struct progress *progress, struct err *damage, struct err *err)
{
	struct err own = {0};
	struct graph *graph;
	struct file packed;
	char path[32];
	int fd;

	if (!file_open(&packed, part->path, err))
		return NULL;
	fd = unpack(&packed, progress, damage, err);
	file_close(&packed);
	if (fd < 0)
		return NULL;
	vec_push(&profile->parts->texts, fd);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	graph = open_plain(path, part, progress, &own, err);
	if (own.code && !damage->code)
		*damage = own;
	return graph;
}

static bool take_part(struct profile *profile, const struct part *part, struct progress *progress,
                      struct err *err)
{
	struct err damage = {0};
	struct graph *graph = is_packed(part)
		? open_packed(profile, part, progress, &damage, err)
		: open_plain(part->path, part, progress, &damage, err);

	if (!graph)
		return false;
	for (size_t i = 0; i < profile->parts->found.len; i++)
		profile->parts->found.at[i].taken |= !strcmp(profile->parts->found.at[i].path,
		                                             part->path);
	module_set_add(&profile->modules, graph);
	if (!profile->module) {
		profile->module = graph;
		profile->module_path = part->shown;
	}
	if (damage.code)
		profile_problem(profile, part->shown, &damage);
	return true;
}

/* Of a trace. */

/* The plain form of the trace's file. NULL: it is no XSpace, or can't be read. */
static const char *plain_xspace(struct profile *profile, struct progress *progress)
{
	const struct part *part = profile_choose_trace(profile);
	struct err ignored = {0};
	struct file packed;
	char path[32];
	int fd;

	if (!part || (part->kind != FILE_XSPACE && part->kind != FILE_XSPACE_GZIP))
		return NULL;
	if (part->kind == FILE_XSPACE)
		return part->path;
	if (!file_open(&packed, part->path, NULL))
		return NULL;
	fd = unpack(&packed, progress, &ignored, NULL);
	file_close(&packed);
	if (fd < 0)
		return NULL;
	vec_push(&profile->parts->texts, fd);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return profile_keep(profile, path);
}

/* Those that an XSpace has in itself. False after a cancel. */
static bool take_recorded(struct profile *profile, struct progress *progress, struct err *err)
{
	const char *path = plain_xspace(profile, progress);
	module_spans spans = {0};
	struct err why = {0}, unread = {0};
	struct file file;

	if (!path || !file_open(&file, path, NULL))
		return true;
	xspace_modules(&file, MODULES_MAX, &spans, &unread);
	file_close(&file);
	if (unread.code == ERR_IO)       /* damage is said by who reads the trace */
		profile_problem(profile, path_name(path), &unread);
	for (size_t i = 0; i < spans.len && why.code != ERR_CANCELLED; i++) {
		struct err damage = {0};
		struct graph *graph = hlo_proto_open(path, spans.at[i], progress, &damage, &why);

		if (!graph)
			continue;
		module_set_add(&profile->modules, graph);
		if (!profile->module)
			profile->module = graph;
	}
	vec_release(&spans);
	if (why.code == ERR_CANCELLED && err)
		*err = why;
	return why.code != ERR_CANCELLED;
}

/* The same module in another form: "a.txt", "a.hlo.pb", "a.txt.gz". */
static bool is_same_module(const char *a, const char *b)
{
	static const char *const ends[] = { ".gz", ".txt", ".pb", ".hlo" };
	size_t len[2] = { strlen(a), strlen(b) };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		for (int k = 0; k < 2; k++)
			if (span_ends(k ? b : a, len[k], ends[i]))
				len[k] -= strlen(ends[i]);
	return len[0] == len[1] && !memcmp(a, b, len[0]);
}

static int by_worth(const void *a, const void *b)
{
	return goes_before(a, b) ? -1 : goes_before(b, a) ? 1 : 0;
}

typedef VEC(struct part) part_list;

static void add_candidate(part_list *list, const struct part *part)
{
	if (!part->lost && part_is_module(part) && is_final(part))
		vec_push(list, *part);
}

/* Of the directory that PATH is, or of that of the trace that PATH is. */
static void find_candidates(struct profile *profile, part_list *list)
{
	struct part_names names;

	for (size_t i = 0; i < profile->parts->found.len; i++)
		add_candidate(list, &profile->parts->found.at[i]);
	if (!profile->parts->alone || !profile_list_names(profile, profile->dir, &names, NULL))
		return;
	for (size_t i = 0; i < names.at.len; i++) {
		struct part part = { .path = profile_joined(profile, profile->dir, names.at.at[i]),
		                     .shown = names.at.at[i] };

		if (is_final(&part) && recognise(part.path, &part.kind, NULL))
			add_candidate(list, &part);
	}
	part_names_release(&names);
}

/* What lies beside a trace; one that can't be read costs nothing else. False after a cancel. */
static bool take_final_ones(struct profile *profile, struct progress *progress, struct err *err)
{
	part_list list = {0};
	struct err why = {0};
	const char *before = "";

	find_candidates(profile, &list);
	if (list.len)
		qsort(list.at, list.len, sizeof *list.at, by_worth);
	for (size_t i = 0; i < list.len && i < MODULES_MAX && why.code != ERR_CANCELLED; i++) {
		why = (struct err){0};
		if (!is_same_module(before, list.at[i].shown)
		    && !take_part(profile, &list.at[i], progress, &why))
			profile_problem(profile, list.at[i].shown, &why);
		before = list.at[i].shown;
	}
	vec_release(&list);
	if (why.code == ERR_CANCELLED && err)
		*err = why;
	return why.code != ERR_CANCELLED;
}

bool profile_take_modules(struct profile *profile, struct progress *progress, struct err *err)
{
	const struct part *part;
	struct err why = {0};

	if (profile->trace)
		return take_recorded(profile, progress, err)
		       && take_final_ones(profile, progress, err);
	part = choose(profile);
	return !part || take_part(profile, part, progress, &why)
	       || profile_go_on_without(profile, part, &why, err);
}

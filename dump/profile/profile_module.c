/*
 * A directory that XLA dumped to has each program in several phases: before and after all passes,
 * and perhaps between them. What ran is what came out, and of several programs the largest is
 * worth most.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/format/unpack.h"
#include "dump/hlo/hlo.h"
#include "dump/profile/profile_parts.h"

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

	return stat(part->path, &st) == 0 ? (int64_t)st.st_size : 0;
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

bool profile_take_module(struct profile *profile, struct progress *progress, struct err *err)
{
	const struct part *part = choose(profile);
	struct err damage = {0}, why = {0};

	if (!part)
		return true;
	profile->module = is_packed(part)
		? open_packed(profile, part, progress, &damage, &why)
		: open_plain(part->path, part, progress, &damage, &why);
	if (!profile->module)
		return profile_go_on_without(profile, part, &why, err);
	profile->parts->module = part;
	profile->module_path = part->shown;
	if (damage.code)
		profile_problem(profile, part->shown, &damage);
	return true;
}

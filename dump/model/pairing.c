#include "dump/model/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/format/file.h"

enum { MAP_MOST = 64 * 1024 * 1024 };
#define NONE PAIRING_NONE

/* Reading a map. */

static const char *end_of_word(const char *at, const char *end, bool tabs)
{
	while (at < end && *at != '\t' && (tabs || *at != ' '))
		at++;
	return at;
}

/* "new old"; with a tab between them names may have blanks. */
static bool read_line(struct pairing *p, uint64_t line, const char *at, const char *end)
{
	bool tabs = memchr(at, '\t', (size_t)(end - at));
	struct mapped_name name = { .line = line };
	const char *stop;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (end > at && strchr(" \t\r", end[-1]))
		end--;
	if (at == end || *at == '#')
		return true;
	stop = end_of_word(at, end, tabs);
	name.now = arena_copy(&p->mem, at, (size_t)(stop - at));
	while (stop < end && (*stop == ' ' || *stop == '\t'))
		stop++;
	name.before = arena_copy(&p->mem, stop, (size_t)(end - stop));
	vec_push(&p->map, name);
	return stop < end && end_of_word(stop, end, tabs) == end;
}

bool pairing_read_map(struct pairing *p, const char *path, struct err *err)
{
	struct file file;
	const char *text = NULL;
	uint64_t line = 0;
	bool ok = file_open(&file, path, err);

	if (!ok)
		return false;
	if (file.size > MAP_MOST)
		err_fill(err, ERR_LIMIT, path, 0, "more than %d bytes", MAP_MOST);
	else
		text = file_bytes(&file, 0, (size_t)file.size, err);
	ok = text;
	for (const char *at = text, *end = ok ? text + file.size : NULL; ok && at < end; ) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop ? stop : end;
		line++;
		ok = read_line(p, line, at, stop)
		     || err_at(err, ERR_SYNTAX, path, (uint64_t)(at - text),
		               "line %llu: the new and the old name of an array were expected",
		               (unsigned long long)line);
		at = stop + 1;
	}
	file_close(&file);
	return ok;
}

void pairing_release(struct pairing *p)
{
	vec_release(&p->map);
	arena_release(&p->mem);
}

/* Pairs. */

struct pairs {
	const struct run *now, *before;
	uint32_t *partner;       /* by tensor of `now` */
	bool *taken;             /* by tensor of `before` */
};

static void join(struct pairs *p, uint32_t now, uint32_t before)
{
	p->partner[now] = before;
	p->taken[before] = true;
}

static const char *device_of(const struct run *run, uint32_t at)
{
	return run->devices.at[run->tensors.at[at].device].name;
}

/* Counts and summaries of a value, which a dump may have beside it, are no arrays. */
static bool is_value(const struct run *run, uint32_t at)
{
	const struct tensor *t = &run->tensors.at[at];

	return run->op_type || !strcmp(run->debug_ops.key[t->debug_op], "DebugIdentity");
}

/* What a tensor is called among arrays, which have no slots: "a", or "a:1". */
static const char *name_of(const struct run *run, uint32_t at, struct str *name)
{
	const struct tensor *t = &run->tensors.at[at];

	if (!t->slot)
		return t->node;
	str_reset(name);
	str_fmt(name, "%s:%u", t->node, (unsigned)t->slot);
	return name->text;
}

/* The tensors of a node that is called so, in full too; the slot is the one named, or 0. */
static const uint32_t *find_named(const struct run *run, const char *name, unsigned *slot,
                                  size_t *n)
{
	const char *colon = strrchr(name, ':'), *digits = colon ? colon + 1 : "";
	uint32_t id = run_node_id(run, name, strlen(name));

	*n = *slot = 0;
	if (id == MAP_NONE && *digits && !digits[strspn(digits, "0123456789")]) {
		*slot = (unsigned)strtoul(digits, NULL, 10);
		id = map_find(&run->nodes, name, (size_t)(colon - name));
	}
	return id == MAP_NONE ? NULL : run_node_tensors(run, id, n);
}

/* Is this its name, in a dump with any slot, and not only its full one? */
static bool is_called(const struct run *run, uint32_t at, const char *name)
{
	const struct tensor *t = &run->tensors.at[at];
	size_t len = strlen(t->node);

	return !strncmp(name, t->node, len) && (!name[len] || (name[len] == ':' && !run->op_type));
}

/* One of this name that is not taken; of the device, if that is asked for. */
static uint32_t find_free(const struct pairs *p, const char *name, const char *device)
{
	const struct run *run = p->before;
	unsigned slot;
	size_t n;
	const uint32_t *at = find_named(run, name, &slot, &n);

	for (size_t i = 0; i < n; i++)
		if (!p->taken[at[i]] && run->tensors.at[at[i]].slot == slot && is_value(run, at[i])
		    && (!device || !strcmp(device_of(run, at[i]), device)))
			return at[i];
	return NONE;
}

static void leave_out(struct pairs *p, const struct mapped_name *name)
{
	bool is_now = !strcmp(name->before, PAIRING_NOTHING);
	const struct run *run = is_now ? p->now : p->before;
	unsigned slot;
	size_t n;
	const uint32_t *at = find_named(run, is_now ? name->now : name->before, &slot, &n);

	for (size_t i = 0; i < n; i++) {
		if (run->tensors.at[at[i]].slot != slot)
			continue;
		if (is_now)
			p->partner[at[i]] = PAIRING_LEFT_OUT;
		else
			p->taken[at[i]] = true;
	}
}

static bool is_left_out(const struct mapped_name *name)
{
	return !strcmp(name->now, PAIRING_NOTHING) || !strcmp(name->before, PAIRING_NOTHING);
}

static void join_mapped(struct pairs *p, const struct pairing *how)
{
	for (size_t i = 0; i < how->map.len; i++)
		if (is_left_out(&how->map.at[i]))
			leave_out(p, &how->map.at[i]);
	for (size_t i = 0; i < how->map.len; i++) {
		unsigned slot;
		size_t n;
		const uint32_t *at = find_named(p->now, how->map.at[i].now, &slot, &n);

		for (size_t k = 0; k < n; k++) {
			uint32_t found = find_free(p, how->map.at[i].before, NULL);

			if (p->partner[at[k]] == NONE && found != NONE
			    && p->now->tensors.at[at[k]].slot == slot && is_value(p->now, at[k]))
				join(p, at[k], found);
		}
	}
}

static bool is_there(const struct run *run, const char *name)
{
	unsigned slot;
	size_t n;
	const uint32_t *at = find_named(run, name, &slot, &n);

	for (size_t i = 0; i < n; i++)
		if (run->tensors.at[at[i]].slot == slot && is_value(run, at[i]))
			return true;
	return false;
}

struct missing_names pairing_missing(const struct mapped_name *name, const struct run *now,
                                     const struct run *before)
{
	return (struct missing_names){
		.now = strcmp(name->now, PAIRING_NOTHING) != 0 && !is_there(now, name->now),
		.before = strcmp(name->before, PAIRING_NOTHING) != 0
		          && !is_there(before, name->before),
	};
}

/* Where a dump became arrays, they are called "node:0". */
static void join_exported(struct pairs *p, uint32_t now, const char *device)
{
	const struct tensor *t = &p->now->tensors.at[now];
	struct str name = {0};
	uint32_t found;

	str_fmt(&name, "%s:%u", t->node, (unsigned)t->slot);
	found = find_free(p, name.text, device);
	if (found != NONE)
		join(p, now, found);
	str_release(&name);
}

static void join_equal(struct pairs *p, bool same_device)
{
	struct str name = {0};

	for (uint32_t i = 0; i < p->now->tensors.len; i++) {
		const char *device = same_device ? device_of(p->now, i) : NULL;
		uint32_t found = p->partner[i] != NONE || !is_value(p->now, i)
		                 ? NONE : find_free(p, name_of(p->now, i, &name), device);

		if (found != NONE && is_called(p->before, found, name_of(p->now, i, &name)))
			join(p, i, found);
		else if (!p->now->op_type && p->partner[i] == NONE && is_value(p->now, i))
			join_exported(p, i, device);
	}
	str_release(&name);
}

/* The full name of one is a name of the other. */
static void join_full(struct pairs *p)
{
	for (uint32_t i = 0; i < p->now->tensors.len; i++) {
		const char *name = p->now->tensors.at[i].node;
		struct array_facts facts;
		uint32_t found;

		if (p->partner[i] != NONE || !is_value(p->now, i))
			continue;
		found = find_free(p, name, NULL);
		if (found == NONE && run_array_facts(p->now, &p->now->tensors.at[i], &facts)
		    && facts.full_name
		    && run_node_id(p->now, facts.full_name, strlen(facts.full_name)) != MAP_NONE)
			found = find_free(p, facts.full_name, NULL);
		if (found != NONE)
			join(p, i, found);
	}
}

/* What models are wrapped in puts these before all names. */
static const char *without_wrapper(const char *name)
{
	static const char *const wrappers[] = { "module", "model", "_orig_mod" };

	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
		size_t len = strlen(wrappers[i]);

		if (!strncmp(name, wrappers[i], len) && (name[len] == '.' || name[len] == '/')
		    && name[len + 1])
			return without_wrapper(name + len + 1);
	}
	return name;
}

/* How long the beginning is that all names have, up to a '.' or '/'. */
static size_t common_len(const struct run *run)
{
	const char *first = run->nodes.len ? run->nodes.key[0] : "";
	size_t len = strlen(first);

	for (size_t i = 1; i < run->nodes.len; i++) {
		size_t n = 0;

		while (n < len && run->nodes.key[i][n] == first[n])
			n++;
		len = n;
	}
	while (len && first[len - 1] != '.' && first[len - 1] != '/')
		len--;
	return run->nodes.len > 1 ? len : 0;
}

/* A name as it is compared with others. common: so much is left out; 0: what wraps it. */
static void put_bare(struct str *out, const char *name, size_t common)
{
	str_reset(out);
	str_puts(out, common ? name + common : without_wrapper(name));
	for (size_t i = 0; i < out->len; i++)
		if (out->text[i] == '/')
			out->text[i] = '.';
}

/* Names that are equal without what comes before them; what several are then called is none. */
static void join_bare(struct pairs *p, size_t common_now, size_t common_before)
{
	struct arena mem = {0};
	struct map names = {0};
	VEC(uint32_t) of = {0};  /* by name: its tensor, or NONE: several */
	struct str name = {0}, bare = {0};

	for (uint32_t i = 0; i < p->before->tensors.len; i++) {
		uint32_t id;

		if (p->taken[i] || !is_value(p->before, i))
			continue;
		put_bare(&bare, name_of(p->before, i, &name), common_before);
		id = map_add(&names, &mem, bare.text, bare.len);
		if (id == of.len)
			vec_push(&of, i);
		else
			of.at[id] = NONE;
	}
	for (uint32_t i = 0; i < p->now->tensors.len; i++) {
		uint32_t id;

		if (p->partner[i] != NONE || !is_value(p->now, i))
			continue;
		put_bare(&bare, name_of(p->now, i, &name), common_now);
		id = map_find(&names, bare.text, bare.len);
		if (id != MAP_NONE && of.at[id] != NONE && !p->taken[of.at[id]])
			join(p, i, of.at[id]);
	}
	str_release(&name);
	str_release(&bare);
	vec_release(&of);
	map_release(&names);
	arena_release(&mem);
}

static void join_by_order(struct pairs *p)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < p->now->tensors.len; i++) {
		if (p->partner[i] != NONE || !is_value(p->now, i))
			continue;
		while (next < p->before->tensors.len
		       && (p->taken[next] || !is_value(p->before, next)))
			next++;
		if (next == p->before->tensors.len)
			return;
		join(p, i, next);
	}
}

void pairing_find(const struct pairing *how, const struct run *now, const struct run *before,
                  uint32_t *partner, bool *taken)
{
	struct pairs p = { now, before, partner, taken };

	for (size_t i = 0; i < now->tensors.len; i++)
		partner[i] = NONE;
	join_mapped(&p, how);
	join_equal(&p, true);
	join_equal(&p, false);
	if (now->full_names.len || before->full_names.len)
		join_full(&p);
	join_bare(&p, 0, 0);
	join_bare(&p, common_len(now), common_len(before));
	if (how->by_order)
		join_by_order(&p);
}

/* Axes. */

/* The old axis for each new one: images, weights, matrices. */
static const struct { uint32_t rank; uint8_t from[5]; } turns[] = {
	{ 2, { 1, 0 } },
	{ 3, { 0, 2, 1 } }, { 3, { 2, 1, 0 } },
	{ 4, { 0, 3, 1, 2 } }, { 4, { 0, 2, 3, 1 } },    /* NHWC to NCHW, and back */
	{ 4, { 3, 2, 0, 1 } }, { 4, { 2, 3, 1, 0 } },    /* HWIO to OIHW, and back */
	{ 5, { 0, 4, 1, 2, 3 } }, { 5, { 0, 2, 3, 4, 1 } },
	{ 5, { 4, 3, 0, 1, 2 } }, { 5, { 2, 3, 4, 1, 0 } },
};

bool view_turned(struct view *view, struct value *value, const struct shape *as)
{
	struct view all;

	view_all(&all, value);
	for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
		bool fits = turns[i].rank == as->rank && as->rank == all.shape.rank;

		for (uint32_t k = 0; fits && k < as->rank; k++)
			fits = as->dim[k] == all.shape.dim[turns[i].from[k]];
		if (!fits)
			continue;
		*view = all;
		view->shape = *as;
		for (uint32_t k = 0; k < as->rank; k++)
			view->stride[k] = all.stride[turns[i].from[k]];
		return true;
	}
	return false;
}

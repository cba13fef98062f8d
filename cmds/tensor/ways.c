#include "cmds/tensor/ways.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/array/slice.h"
#include "cmds/doc/again.h"
#include "cmds/session/session.h"
#include "cmds/tensor/request.h"
#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"

#define KEY "ways"

struct way {
	bool percentiles, log;
	bool coloured[2];        /* by command: one of these was asked for */
	enum colours colours[2];
};

struct ways {
	struct arena mem;
	struct map tensors;      /* a name's id is its place in `at` */
	VEC(struct way) at;
};

static void ways_free(void *object)
{
	struct ways *ways = object;

	map_release(&ways->tensors);
	vec_release(&ways->at);
	arena_release(&ways->mem);
	free(ways);
}

static struct ways *ways_kept(struct shell *shell)
{
	struct ways *ways = shell_kept(shell, KEY);

	if (!ways) {
		ways = mem_alloc(sizeof *ways);
		shell_keep(shell, KEY, KEEP_ON, ways, ways_free);
	}
	return ways;
}

/* A tensor without a slot is its node's first. */
static struct way *way_of(struct call *call, struct ways *ways)
{
	const char *tensor, *slice;
	struct str name = {0};
	uint32_t id;

	slice_cut(request_typed(&call->args), call->mem, &tensor, &slice);
	str_puts(&name, tensor);
	if (!strchr(tensor, ':'))
		str_puts(&name, ":0");
	id = map_add(&ways->tensors, &ways->mem, name.text, name.len);
	if (id == ways->at.len)
		vec_add(&ways->at);
	str_release(&name);
	return &ways->at.at[id];
}

static enum colours colours_in(const struct opt_value *opt, enum colours otherwise)
{
	for (enum colours c = 0; opt->given && c < N_COLOURS; c++)
		if (!strcmp(opt->word, colours_names[c]))
			return c;
	return otherwise;
}

static bool has_scale(const struct call *call, const struct ways_of *of)
{
	return of->command == WAYS_OF_PICTURE ||
	       colours_in(&call->args.opt[of->coloured], of->otherwise) != COLOURS_NONE;
}

/* True: something was added. */
static bool add(struct call *call, const struct ways_of *of, const struct way *way)
{
	struct opt_value *opt = call->args.opt, before[3];

	before[0] = opt[of->coloured];
	before[1] = opt[of->percentiles];
	before[2] = opt[of->log];
	if (!before[0].given && way->coloured[of->command])
		opt[of->coloured] = (struct opt_value){
			.given = true, .word = colours_names[way->colours[of->command]] };
	if (has_scale(call, of)) {
		opt[of->percentiles].given |= way->percentiles;
		opt[of->log].given |= way->log;
	}
	return before[0].given != opt[of->coloured].given ||
	       before[1].given != opt[of->percentiles].given ||
	       before[2].given != opt[of->log].given;
}

void ways_apply(struct call *call, const struct ways_of *of)
{
	const struct opt_value *opt = call->args.opt;
	struct way *way;

	if (!call->on_screen || !call->canvas.modern || !*request_typed(&call->args))
		return;
	way = way_of(call, ways_kept(call->shell));
	if (!call->canvas.by_key && add(call, of, way)) {
		str_reset(call->shown);
		again_put(call->cmd, &call->args, call->shown);
	}
	way->coloured[of->command] = opt[of->coloured].given;
	way->colours[of->command] = colours_in(&opt[of->coloured], of->otherwise);
	if (has_scale(call, of)) {
		way->percentiles = opt[of->percentiles].given;
		way->log = opt[of->log].given;
	}
}

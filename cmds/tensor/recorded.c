#include "cmds/tensor/recorded.h"

#include <string.h>

#include "cmds/array/array.h"
#include "cmds/session/dumps.h"

/* What the typed answer is made of; it outlives the call, as does the run. */
struct recorded {
	const struct run *run;
	const struct tensor *tensor;
	const char *why;
};

static const char *const names[N_STATS] = {
	[STATS_MAX] = "max", [STATS_MIN] = "min", [STATS_MEAN] = "mean", [STATS_NORM] = "norm",
};

static void put_stats_data(struct data *data, const struct array_stats *stats)
{
	data_object(data);
	for (int i = 0; i < N_STATS; i++) {
		data_key(data, names[i]);
		if (stats->has[i])
			data_float(data, stats->at[i], 64);
		else
			data_null(data);
	}
	data_end(data);
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct recorded *r = context;
	struct array_facts facts;

	(void)progress, (void)err;
	run_array_facts(r->run, r->tensor, &facts);
	data_object(data);
	tensor_put_data(r->run, r->tensor, data);
	data_key(data, "op");
	data_str(data, facts.op);
	data_key(data, "device");
	data_str(data, r->run->devices.at[r->tensor->device].name);
	data_key(data, "slice");
	data_null(data);
	data_key(data, "dtype");
	data_str(data, facts.dtype);
	data_key(data, "shape");
	data_ints(data, facts.dim, facts.rank);
	data_key(data, "state");
	data_str(data, "not_stored");
	data_key(data, "data");
	data_null(data);
	data_key(data, "reason");
	data_str(data, r->why);
	if (facts.stats) {
		data_key(data, "stats");
		put_stats_data(data, facts.stats);
	}
	data_end(data);
	return true;
}

static void put_known(struct doc *doc, const struct array_facts *facts)
{
	struct shape shape = { .rank = facts->rank };
	struct str text = {0};

	memcpy(shape.dim, facts->dim, facts->rank * sizeof *shape.dim);
	put_shape(&text, &shape);
	doc_line_put(doc, ROLE_PLAIN, "  dtype: %s", facts->dtype);
	doc_line_put(doc, ROLE_PLAIN, "  shape: %s", text.text);
	for (int i = 0; i < N_STATS && facts->stats; i++)
		if (facts->stats->has[i])
			doc_line_put(doc, ROLE_PLAIN, "  %s: %.9g", names[i], facts->stats->at[i]);
	str_release(&text);
}

void recorded_show(struct call *call, const struct request *req, const char *why)
{
	struct arena *mem = doc_mem(call->out);
	struct recorded *r = arena_alloc(mem, sizeof *r);
	struct array_facts facts;
	struct str label = {0};

	if (req->slice) {
		call_error(call, "ERROR: %s", why);
		return;
	}
	run_array_facts(call->shell->run, req->tensor, &facts);
	request_label(call, req, &label);
	doc_put(call->out, ROLE_PLAIN, "Tensor \"");
	doc_put(call->out, ROLE_STRONG, "%s", label.text);
	doc_line_put(call->out, ROLE_PLAIN, "\":");
	if (facts.dtype)
		put_known(call->out, &facts);
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "%s", why);
	*r = (struct recorded){ call->shell->run, req->tensor,
	                        arena_copy(mem, why, strlen(why)) };
	doc_typed(call->out, DATA_VALUE, put_data, r);
	str_release(&label);
}

#include "cmds/summary/gather.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/path.h"
#include "dump/model/graph_brief.h"

void gather_put(struct gather *g, const struct summary_key *key)
{
	str_reset(&g->key);
	summary_put_key(&g->key, key);
	if (summary_store_takes(g->store, &g->key))
		summary_store_put(g->store, &g->key, &g->value);
}

/* What a path is below the base; else its last part. */
static const char *below(const struct gather *g, const char *path)
{
	size_t len = strlen(g->base);

	while (len && g->base[len - 1] == '/')
		len--;
	if (strncmp(path, g->base, len) != 0 || (path[len] && path[len] != '/'))
		return path_name(path);
	path += len;
	while (*path == '/')
		path++;
	return path;
}

void gather_put_path(const struct gather *g, const char *directory, const char *file,
                     struct str *out)
{
	const char *place = below(g, directory);

	str_fmt(out, "%s%s%s", place, *place && *file ? "/" : "", file);
}

/* Its kind and what it means are part of the key: two problems of one place are two rows. */
void gather_problem(struct gather *g, const char *run, const char *path,
                    const struct problem *problem)
{
	struct summary_problem row = { .kind = problem->kind, .unread = problem->unread,
	                               .whole = problem->whole, .is_dir = problem->nodes,
	                               .nodes = problem->nodes };
	struct problem shown = *problem;
	struct str file = {0}, line = {0};

	gather_put_path(g, path, problem->file, &file);
	shown.file = strcmp(str_text(&file), ".") ? str_text(&file) : "";
	problem_put(&line, &shown);
	if (g->what->problems)
		map_add(&g->what->problems->lines, &g->what->problems->mem, line.text, line.len);
	str_reset(&g->value);
	summary_put_problem(&g->value, &row);
	gather_put(g, &(struct summary_key){
		.kind = SUMMARY_PROBLEM, .worker = g->worker, .run = run, .device = "",
		.node = str_text(&file), .debug_op = problem->text, .number = problem->off,
		.slot = problem->kind | (uint32_t)problem->unread << 8
		        | (uint32_t)problem->whole << 9,
	});
	str_release(&file);
	str_release(&line);
}

static const char *hold(struct gather *g, struct graph *graph, const struct str *bytes)
{
	size_t at = g->n_held++ % GRAPHS_HELD;
	uint64_t hash = summary_hash(SUMMARY_HASH, str_text(bytes), bytes->len);

	graph_close(g->held[at].graph);
	g->held[at].graph = graph_keep(graph);
	snprintf(g->held[at].hash, sizeof g->held[at].hash, "%016" PRIx64, hash);
	return g->held[at].hash;
}

const char *gather_graph(struct gather *g, struct graph *graph, struct err *err)
{
	struct problem problem = { .file = "", .kind = PROBLEM_UNREADABLE, .unread = true };
	const char *hash;
	struct err why = {0};

	for (size_t i = 0; i < GRAPHS_HELD; i++)
		if (graph && g->held[i].graph == graph)
			return g->held[i].hash;
	if (!graph)
		return NULL;
	str_reset(&g->value);
	if (!graph_put_brief(graph, &g->value, g->progress, &why)) {
		problem.text = why.msg;
		problem.off = why.off;
		if (why.code == ERR_CANCELLED)
			*err = why;
		else
			gather_problem(g, "", graph_path(graph), &problem);
		return NULL;
	}
	if (g->value.len > SUMMARY_FRAME_MAX - SUMMARY_KEY_MAX) {
		problem.text = "the graph is larger than a summary takes";
		gather_problem(g, "", graph_path(graph), &problem);
		return NULL;
	}
	hash = hold(g, graph, &g->value);
	gather_put(g, &(struct summary_key){ .kind = SUMMARY_GRAPH, .worker = "", .run = "",
	                                     .device = "", .node = hash, .debug_op = "" });
	return hash;
}

void gather_release(struct gather *g)
{
	for (size_t i = 0; i < GRAPHS_HELD; i++)
		graph_close(g->held[i].graph);
	str_release(&g->key);
	str_release(&g->value);
}

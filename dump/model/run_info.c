#include "dump/model/run_info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/format/file.h"

static const char *copy(struct arena *mem, const char *text)
{
	return text ? arena_copy(mem, text, strlen(text)) : NULL;
}

static void take_metadata(struct run_info *info, const struct run *run)
{
	info->metadata = arena_alloc(&info->mem, run->metadata.len * sizeof *info->metadata);
	for (size_t i = 0; i < run->metadata.len; i++) {
		struct core_metadata *metadata = &info->metadata[info->n_metadata];

		core_metadata_read(run->metadata.at[i], &info->mem, metadata);
		if (metadata->readable)
			info->n_metadata++;
		else
			core_metadata_release(metadata);
	}
}

/* Devices of one lie together. */
static void take_workers(struct run_info *info, const struct run *run)
{
	info->workers = arena_alloc(&info->mem, run->devices.len * sizeof *info->workers);
	for (size_t i = 0; i < run->devices.len; i++) {
		const char *worker = run->devices.at[i].worker;
		size_t n = info->n_workers;

		if (worker && (!n || strcmp(info->workers[n - 1], worker) != 0))
			info->workers[info->n_workers++] = copy(&info->mem, worker);
	}
}

static void count(struct run_info *info, const struct run *run)
{
	info->counted = true;
	info->n_devices = run->devices.len;
	info->devices = arena_alloc(&info->mem, run->devices.len * sizeof *info->devices);
	for (size_t i = 0; i < run->devices.len; i++)
		info->devices[i] = copy(&info->mem, run->devices.at[i].name);
	take_workers(info, run);
	info->graph_files = run->n_graph_files;
	info->tensors = run->tensors.len;
	info->t0_us = run->t0_us;
	for (size_t i = 0; i < run->tensors.len; i++)
		if (run->tensors.at[i].size_bytes > 0)
			info->bytes += (uint64_t)run->tensors.at[i].size_bytes;
}

static void take_unread(struct run_info *info, const struct run *run)
{
	info->unread = arena_alloc(&info->mem, (run->problems.len + 1) * sizeof *info->unread);
	for (size_t i = 0; i < run->problems.len; i++) {
		const struct problem *problem = &run->problems.at[i];

		info->lacks_tensors |= problem->nodes != NULL;
		if (problem->unread)
			info->unread[info->n_unread++] = (struct problem){
				.file = copy(&info->mem, problem->file),
				.text = copy(&info->mem, problem->text), .off = problem->off,
				.kind = problem->kind, .unread = true,
				.whole = problem->whole,
			};
	}
}

static void take_facts(struct run_info *info, const struct run *run)
{
	info->facts = arena_alloc(&info->mem, run->facts.len * sizeof *info->facts);
	for (size_t i = 0; i < run->facts.len; i++) {
		const struct run_fact *fact = &run->facts.at[i];

		info->facts[info->n_facts++] = (struct run_fact){
			fact->kind, copy(&info->mem, fact->key), copy(&info->mem, fact->text),
			fact->is_text,
		};
	}
}

/* A graph that can't be read again adds a problem itself: there is room for one more. */
static void check(struct run_info *info, const struct run *run)
{
	struct err err = {0};

	info->checked = true;
	if ((!run->metadata.len && !run->tensors.len) ||
	    run_suspects(run, &info->mem, &info->suspects, &info->n_suspects, &err))
		return;
	info->n_suspects = 0;
	info->unread[info->n_unread++] = (struct problem){
		.file = copy(&info->mem, path_name(err.src)),
		.text = copy(&info->mem, err.msg), .off = err.off, .unread = true,
	};
}

struct run_info *run_info_of(const struct run *run, bool with_check)
{
	struct run_info *info = mem_alloc(sizeof *info);

	info->fetches = copy(&info->mem, run->fetches);
	info->feeds = copy(&info->mem, run->feeds);
	run_names_read(run, &info->mem, &info->names);
	take_metadata(info, run);
	info->empty = run->is_empty;
	take_unread(info, run);
	take_facts(info, run);
	if (run->depth != RUN_HEAD)
		count(info, run);
	if (with_check && run->depth == RUN_WHOLE)
		check(info, run);
	return info;
}

struct run_info *run_info_read(struct run *run, struct progress *progress, struct err *err)
{
	struct run_info *info = NULL;

	if (run_load(run, progress, err)) {
		info = run_info_of(run, true);
	} else if (err->code == ERR_IO && !file_is_there(run->path) && errno == ENOENT) {
		info = mem_alloc(sizeof *info);
		info->gone = true;
	}
	run_close(run);
	return info;
}

void run_info_free(struct run_info *info)
{
	if (!info)
		return;
	for (size_t i = 0; i < info->n_metadata; i++)
		core_metadata_release(&info->metadata[i]);
	run_names_release(&info->names);
	arena_release(&info->mem);
	free(info);
}

#include "cmds/program/source_files.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/words.h"
#include "dump/base/mem.h"

/* Does the part of a path begin with this name, followed by a slash? */
static bool is_folder(const char *part, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(part, name, len) && part[len] == '/';
}

static bool is_package(const char *part)
{
	return is_folder(part, "tensorflow") || is_folder(part, "keras") ||
	       (!strncmp(part, "tensorflow_", 11) && strchr(part, '/'));
}

bool is_tensorflow_file(const char *path)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		const char *part = slash + 1;

		if (is_folder(part, "tensorflow/python") || is_folder(part, "keras/src") ||
		    (is_folder(part, "site-packages") && is_package(strchr(part, '/') + 1)))
			return true;
	}
	return false;
}

/* "python3.11/", with what is not installed beside it behind. */
static bool is_python(const char *part)
{
	static const char python[] = "python";
	size_t digits;

	if (strncmp(part, python, strlen(python)) != 0)
		return false;
	part += strlen(python);
	digits = strspn(part, "0123456789.");
	part += digits;
	return digits && *part == '/' && !is_folder(part + 1, "site-packages") &&
	       !is_folder(part + 1, "dist-packages");
}

bool is_library_file(const char *path)
{
	static const char frozen[] = "<frozen ";

	if (is_tensorflow_file(path) || !strncmp(path, frozen, strlen(frozen)))
		return true;
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
		if (is_python(slash + 1))
			return true;
	return false;
}

struct source_place *frame_places(const struct program *program, const uint32_t *file_of)
{
	struct source_place *places = mem_alloc((program->frames.len + 1) * sizeof *places);

	for (size_t i = 0; i < program->frames.len; i++) {
		const struct program_frame *f = &program->frames.at[i];
		bool known = f->recorded && f->source != PROGRAM_NONE;

		places[i].file = known ? file_of[f->source] : NO_FILE;
		places[i].line = f->line > 0 && f->line < UINT32_MAX ? (uint32_t)f->line : 0;
	}
	return places;
}

struct n_tensors *traces_of_nodes(const struct program *program)
{
	struct n_tensors *of = mem_alloc((program->nodes.len + 1) * sizeof *of);

	for (size_t i = 0; i < program->traces.len; i++) {
		const struct program_trace *t = &program->traces.at[i];
		struct n_tensors *n = &of[program->keys.at[t->key].node];

		n->all++;
		n->flagged += t->bad == PROGRAM_BAD;
	}
	return of;
}

struct n_tensors outputs_of_step(const struct program *program, uint32_t step)
{
	const struct program_step *s = &program->steps.at[step];
	struct n_tensors n = { .all = program_step_rows(s) };

	for (uint32_t i = 0; i < s->n_entries; i++)
		n.flagged += program->entries.at[s->first_entry + i].bad == PROGRAM_BAD;
	return n;
}

bool frame_is_elsewhere(const struct program *program, const struct program_frame *frame)
{
	const struct program_source *source;

	if (frame->source == PROGRAM_NONE)
		return true;
	source = &program->sources.at[frame->source];
	return source->n_lines && frame->line > source->n_lines;
}

void put_unknown_file(struct str *out, int64_t file_index)
{
	str_fmt(out, "<unknown file #%" PRId64 ">", file_index);
}

bool has_several_hosts(const struct program *program)
{
	for (size_t i = 1; i < program->sources.len; i++)
		if (strcmp(program->sources.at[i].host, program->sources.at[0].host) != 0)
			return true;
	return false;
}

const char *source_host(const struct program *program, uint32_t source)
{
	const struct program_source *own = &program->sources.at[source];

	for (size_t i = 0; i < program->sources.len; i++)
		if (!strcmp(program->sources.at[i].path, own->path) &&
		    strcmp(program->sources.at[i].host, own->host) != 0)
			return own->host;
	return NULL;
}

void put_source_link(struct str *out, const struct program *program, uint32_t source,
                     int64_t line)
{
	const char *host = source_host(program, source);

	str_puts(out, "ps");
	if (host)
		words_put_with(out, " --host", host);
	words_put_with(out, "", program->sources.at[source].path);
	if (line > 0)
		str_fmt(out, " -b %" PRId64, line);
}

#include "dump/summary/rows.h"

#include <inttypes.h>
#include <string.h>

#include "dump/summary/messages.h"

bool message_finished(const struct message *m, const char *path, const struct summary_row *row,
                      struct err *err)
{
	struct str name = {0};

	if (!m->damaged)
		return true;
	summary_put_key_text(&name, &row->key);
	err_fill(err, ERR_FORMAT, path, row->off, "the row of %s is damaged", str_text(&name));
	str_release(&name);
	return false;
}

/* ---- sources, devices, problems */

void summary_put_source(struct str *out, const struct summary_source *source)
{
	field_put_text(out, 1, source->reader);
	field_put_number(out, 2, source->rows);
	field_put_number(out, 3, source->is_root);
}

bool summary_read_source(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_source *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_source){ .reader = "" };
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->reader = text_of(&m); break;
		case 2: out->rows = m.field.value; break;
		case 3: out->is_root = m.field.value; break;
		}
	return message_finished(&m, path, row, err);
}

void summary_put_device(struct str *out, const struct summary_device *device)
{
	field_put_text(out, 1, device->graph);
	field_put_number(out, 2, device->position);
}

bool summary_read_device(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_device *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_device){0};
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->graph = text_of(&m); break;
		case 2: out->position = (uint32_t)m.field.value; break;
		}
	return message_finished(&m, path, row, err);
}

void summary_put_problem(struct str *out, const struct summary_problem *problem)
{
	field_put_number(out, 1, problem->kind);
	field_put_number(out, 2, problem->unread);
	field_put_number(out, 3, problem->whole);
	field_put_number(out, 4, problem->is_dir);
	if (problem->is_dir)
		field_put_text(out, 5, problem->nodes);
}

bool summary_read_problem(const char *path, const struct summary_row *row, struct arena *mem,
                          struct summary_problem *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_problem){ .nodes = "" };
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->kind = (enum problem_kind)choice_of(&m, PROBLEM_LEFT_OUT + 1); break;
		case 2: out->unread = m.field.value; break;
		case 3: out->whole = m.field.value; break;
		case 4: out->is_dir = m.field.value; break;
		case 5: out->nodes = text_of(&m); break;
		}
	return message_finished(&m, path, row, err);
}

/* ---- runs */

enum { FACT_IS_VALUE = 1, FACT_KEY, FACT_TEXT, FACT_IS_TEXT };

static void put_fact(struct str *out, uint32_t number, const struct run_fact *fact)
{
	struct str message = {0};

	field_put_number(&message, FACT_IS_VALUE, fact->kind);
	field_put_text(&message, FACT_KEY, fact->key);
	field_put_text(&message, FACT_TEXT, fact->text);
	field_put_number(&message, FACT_IS_TEXT, fact->is_text);
	field_put_element(out, number, message.text, message.len);
	str_release(&message);
}

static struct run_fact fact_of(struct message *of)
{
	struct message m = { .rest = of->field.bytes, .mem = of->mem };
	struct run_fact fact = { .key = "", .text = "" };

	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case FACT_IS_VALUE:
			fact.kind = m.field.value ? FACT_VALUE : FACT_METADATA;
			break;
		case FACT_KEY: fact.key = text_of(&m); break;
		case FACT_TEXT: fact.text = text_of(&m); break;
		case FACT_IS_TEXT: fact.is_text = m.field.value; break;
		}
	of->damaged |= m.damaged;
	return fact;
}

void summary_put_run(struct str *out, const struct summary_run *run)
{
	field_put_number(out, 1, run->position);
	put_or_unknown(out, 2, run->time_us);
	field_put_text(out, 3, run->suffix);
	put_or_unknown(out, 4, run->counter);
	put_or_unknown(out, 5, run->step);
	field_put_text(out, 6, run->fetches);
	field_put_text(out, 7, run->feeds);
	for (size_t i = 0; i < run->metadata.len; i++)
		field_put_element(out, 8, run->metadata.at[i], strlen(run->metadata.at[i]));
	field_put_number(out, 9, run->n_graph_files);
	field_put_text(out, 10, run->op_type);
	field_put_number(out, 11, run->is_empty);
	field_put_text(out, 12, run->broken);
	for (size_t i = 0; i < run->facts.len; i++)
		put_fact(out, 13, &run->facts.at[i]);
}

bool summary_read_run(const char *path, const struct summary_row *row, struct arena *mem,
                      struct summary_run *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_run){ .time_us = -1, .counter = -1, .step = -1 };
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->position = m.field.value; break;
		case 2: out->time_us = or_unknown(&m); break;
		case 3: out->suffix = text_of(&m); break;
		case 4: out->counter = or_unknown(&m); break;
		case 5: out->step = or_unknown(&m); break;
		case 6: out->fetches = text_of(&m); break;
		case 7: out->feeds = text_of(&m); break;
		case 8: vec_push(&out->metadata, text_of(&m)); break;
		case 9: out->n_graph_files = (uint32_t)m.field.value; break;
		case 10: out->op_type = text_of(&m); break;
		case 11: out->is_empty = m.field.value; break;
		case 12: out->broken = text_of(&m); break;
		case 13: vec_push(&out->facts, fact_of(&m)); break;
		}
	return message_finished(&m, path, row, err);
}

void summary_run_release(struct summary_run *run)
{
	vec_release(&run->metadata);
	vec_release(&run->facts);
}

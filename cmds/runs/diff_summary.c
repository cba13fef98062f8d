/* What is said of two runs beside the table: where they begin to differ, how many tensors do. */
#include "cmds/runs/diff.h"

#include <inttypes.h>

/* Where they begin to differ. */

static void put_input(const struct diff_list *list, uint32_t position, struct str *out)
{
	const struct tensor *t = &list->diff->now->tensors.at[position];

	run_put_name(list->diff->now, t, out);
}

static void put_reason(const struct diff_list *list, const struct divergence *d, struct str *out)
{
	if (list->diff->pairs.at[d->pair].status == DIFF_UNREADABLE) {
		str_puts(out, "not compared: its file or directory can't be read");
		return;
	}
	str_puts(out, d->source ? "source" : "");
	if (d->source && !d->n_inputs)
		return;
	str_puts(out, d->source ? "; " : "");
	str_puts(out, d->n_inputs ? "inputs equal: " : "no dumped inputs");
	for (size_t i = 0; i < d->n_inputs; i++) {
		str_puts(out, i ? ", " : "");
		put_input(list, d->inputs[i], out);
	}
	str_puts(out, d->more ? ", ..." : "");
}

static void put_linked(const struct diff_list *list, const struct diff_pair *pair, struct doc *doc)
{
	struct str name = {0}, command = {0};

	diff_put_name(list, pair, &name);
	list->kind->put_command(list, pair, &command);
	if (command.len)
		doc_link(doc, ROLE_DIFFERS, name.text, "%s", command.text);
	else
		doc_put(doc, ROLE_DIFFERS, "%s", name.text);
	str_release(&name);
	str_release(&command);
}

/* The earliest tensor with NaN or infinities in other places than in the other run; or NULL. */
static const struct diff_pair *first_bad(const struct diff_list *list)
{
	for (size_t i = 0; i < list->diff->pairs.len; i++)
		if (list->diff->pairs.at[i].compared && list->diff->pairs.at[i].compared->n_bad)
			return &list->diff->pairs.at[i];
	return NULL;
}

static void put_first_bad(const struct diff_list *list, struct doc *doc)
{
	const struct diff_pair *pair = first_bad(list);

	if (!pair)
		return;
	doc_put(doc, ROLE_PLAIN, "First bad: ");
	put_linked(list, pair, doc);
	doc_line_put(doc, ROLE_PLAIN, " (%" PRIu64 " element(s) differ by NaN or Inf)",
	             pair->compared->n_bad);
}

/* The first in time order; of arrays, of what both have. NULL: all are the same. */
static const struct diff_pair *first_changed(const struct diff_list *list)
{
	for (size_t i = 0; i < list->diff->pairs.len; i++) {
		const struct diff_pair *pair = &list->diff->pairs.at[i];
		bool alone = pair->now == DIFF_NONE || pair->before == DIFF_NONE;

		if (pair->status != DIFF_SAME && pair->status != DIFF_UNREADABLE
		    && !(alone && list->diff->of_arrays))
			return pair;
	}
	return NULL;
}

static void put_first_changed(const struct diff_list *list, struct doc *doc)
{
	const struct diff_pair *pair = first_changed(list);

	if (!pair)
		return;
	doc_put(doc, ROLE_PLAIN, "First that differs: ");
	put_linked(list, pair, doc);
	doc_newline(doc);
}

static void put_divergence(const struct diff_list *list, struct doc *doc)
{
	const struct divergences *found = &list->divergences;
	const struct divergence *first = found->list.at;
	struct str reason = {0};

	if (!found->known) {
		doc_line_put(doc, ROLE_PLAIN, "First divergence: not known, %s",
		             list->diff->of_arrays ? "neither has a graph"
		                                   : "this run has no graph");
		if (list->diff->of_arrays)
			put_first_changed(list, doc);
		return;
	}
	if (!found->list.len) {
		doc_line_put(doc, ROLE_PLAIN, "First divergence: none%s",
		             list->diff->of_arrays ? " in what both have" : "");
		return;
	}
	put_reason(list, first, &reason);
	doc_put(doc, ROLE_PLAIN, "First divergence: ");
	put_linked(list, &list->diff->pairs.at[first->pair], doc);
	doc_put(doc, ROLE_PLAIN, " (%s)", reason.text);
	if (found->list.len > 1)
		doc_put(doc, ROLE_PLAIN, " and %zu more", found->list.len - 1);
	doc_newline(doc);
	str_release(&reason);
}

void diff_put_first(const struct diff_list *list, struct doc *doc)
{
	put_first_bad(list, doc);
	if (list->kind->of_program)
		put_first_changed(list, doc);
	else
		put_divergence(list, doc);
}

/* Typed. */

static void put_count(struct data *data, const char *key, uint64_t count)
{
	data_key(data, key);
	data_uint(data, count);
}

static void put_divergences(struct diff_list *list, struct data *data)
{
	struct str name = {0};

	data_key(data, "first_divergence");
	data_list(data);
	for (size_t i = 0; i < list->divergences.list.len; i++) {
		const struct divergence *d = &list->divergences.list.at[i];

		data_object(data);
		diff_put_source(list, d->pair, data);
		data_key(data, "source");
		data_bool(data, d->source);
		data_key(data, "inputs");
		data_list(data);
		for (size_t k = 0; k < d->n_inputs; k++) {
			str_reset(&name);
			put_input(list, d->inputs[k], &name);
			data_str(data, name.text);
		}
		data_end(data);
		data_end(data);
	}
	data_end(data);
	str_release(&name);
}

/* One pair as typed data; NULL: null. */
static void put_pair_data(struct diff_list *list, const char *key, const struct diff_pair *pair,
                          bool bad, struct data *data)
{
	data_key(data, key);
	if (!pair) {
		data_null(data);
		return;
	}
	data_object(data);
	diff_put_source(list, (uint32_t)(pair - list->diff->pairs.at), data);
	if (bad)
		put_count(data, "n_bad", pair->compared->n_bad);
	data_end(data);
}

void diff_put_summary(struct diff_list *list, struct data *data)
{
	data_key(data, "summary");
	data_object(data);
	data_key(data, "new");
	data_str(data, list->new_name);
	data_key(data, "old");
	data_str(data, list->old.name);
	put_count(data, "tensors", list->diff->pairs.len);
	for (enum diff_status s = 0; s < N_DIFF_STATUSES; s++)
		put_count(data, list->kind->statuses[s], list->diff->count[s]);
	data_key(data, "atol");
	data_float(data, list->tolerance.atol, 64);
	data_key(data, "rtol");
	data_float(data, list->tolerance.rtol, 64);
	data_key(data, "nan_differs");
	data_bool(data, list->tolerance.nan_differs);
	put_pair_data(list, "first_bad", first_bad(list), true, data);
	if (list->kind->of_program) {
		put_pair_data(list, "first_changed", first_changed(list), false, data);
		put_count(data, "by_health", list->n_by_health);
	} else {
		put_divergences(list, data);
	}
	data_end(data);
}


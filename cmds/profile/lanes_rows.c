#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/profile/lanes_parts.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/base/wide.h"

enum { SHARE = 5 };              /* columns of a lane's share: " 100%" */

static void fill_rows(struct lanes_view *v, uint32_t lane, size_t begin)
{
	const struct lane_strip *strip = lanes_strip(v->lanes, lane);
	struct row *rows = &v->rows[v->first_row[lane]];

	for (size_t i = 0; i < strip->n_slices; i++)
		rows[lanes_slice(v->lanes, lane, i).row].len++;
	for (uint32_t r = 0; r < strip->rows; r++) {
		rows[r].lane = lane;
		rows[r].number = r;
		rows[r].begin = begin;
		begin += rows[r].len;
		rows[r].len = 0;
	}
	for (size_t i = 0; i < strip->n_slices; i++) {
		struct row *row = &rows[lanes_slice(v->lanes, lane, i).row];

		v->slices[row->begin + row->len++] = (uint32_t)i;
	}
}

void lanes_find_rows(struct lanes_view *v)
{
	size_t n = lanes_len(v->lanes), slices = 0;

	v->first_row = mem_alloc((n + 1) * sizeof *v->first_row);
	for (size_t i = 0; i < n; i++) {
		v->first_row[i] = v->n_rows;
		v->n_rows += lanes_strip(v->lanes, i)->rows;
		slices += lanes_strip(v->lanes, i)->n_slices;
	}
	v->rows = mem_alloc((v->n_rows + 1) * sizeof *v->rows);
	v->slices = mem_alloc((slices + 1) * sizeof *v->slices);
	slices = 0;
	for (size_t i = 0; i < n; i++) {
		fill_rows(v, (uint32_t)i, slices);
		slices += lanes_strip(v->lanes, i)->n_slices;
	}
}

void lanes_add_up(struct lanes_view *v)
{
	int64_t sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < v->n_rows; i++)
		n += v->rows[i].len;
	v->busy_ns = mem_alloc((n + 1) * sizeof *v->busy_ns);
	for (size_t i = 0; i < v->n_rows; i++)
		for (size_t k = 0; k < v->rows[i].len; k++) {
			struct lane_slice slice = lanes_slice(v->lanes, v->rows[i].lane,
			                                      v->slices[v->rows[i].begin + k]);

			v->busy_ns[v->rows[i].begin + k] = sum;
			sum += slice.end_ns - slice.start_ns;
		}
	v->busy_ns[n] = sum;
}

struct lane_slice lanes_slice_of(const struct lanes_view *v, const struct row *row, size_t item)
{
	return lanes_slice(v->lanes, row->lane, v->slices[row->begin + item]);
}

size_t lanes_first_from(const struct lanes_view *v, const struct row *row, size_t from, int64_t ns)
{
	size_t low = from, high = row->len;

	/* It is usually near: take growing steps first. */
	for (size_t step = 16; from + step < high; step *= 2) {
		if (lanes_slice_of(v, row, from + step).start_ns >= ns)
			high = from + step;
		else
			low = from + step;
	}
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (lanes_slice_of(v, row, mid).start_ns < ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t lanes_nearest(const struct lanes_view *v, const struct row *row, int64_t ns)
{
	size_t after = lanes_first_from(v, row, 0, ns);
	int64_t since, until;

	if (!after)
		return 0;
	if (after == row->len)
		return after - 1;
	since = ns - lanes_slice_of(v, row, after - 1).end_ns;
	until = lanes_slice_of(v, row, after).start_ns - ns;
	return since <= until ? after - 1 : after;
}

int64_t lanes_taken(const struct lanes_view *v, const struct row *row, size_t item, int64_t from,
                    int64_t to)
{
	size_t next = lanes_first_from(v, row, item, to);
	struct lane_slice slice;
	int64_t sum;

	if (next == item)
		return 0;
	sum = v->busy_ns[row->begin + next] - v->busy_ns[row->begin + item];
	slice = lanes_slice_of(v, row, item);
	if (slice.start_ns < from)
		sum -= from - slice.start_ns;
	slice = lanes_slice_of(v, row, next - 1);
	return slice.end_ns > to ? sum - (slice.end_ns - to) : sum;
}

/* The first slice of a row that ends after a time or begins at it. */
static size_t first_ending(const struct lanes_view *v, const struct row *row, int64_t ns)
{
	size_t item = lanes_first_from(v, row, 0, ns);

	return item && lanes_slice_of(v, row, item - 1).end_ns > ns ? item - 1 : item;
}

const struct row *lanes_nth_from(const struct lanes_view *v, int64_t ns, uint64_t n,
                                 struct lane_slice *out)
{
	size_t *next = mem_alloc((v->n_rows + 1) * sizeof *next);
	const struct row *found = NULL;

	for (size_t i = 0; i < v->n_rows; i++)
		next[i] = first_ending(v, &v->rows[i], ns);
	do {
		found = NULL;
		for (size_t i = 0; i < v->n_rows; i++) {
			struct lane_slice slice;

			if (next[i] == v->rows[i].len)
				continue;
			slice = lanes_slice_of(v, &v->rows[i], next[i]);
			if (!found || slice.start_ns < out->start_ns) {
				found = &v->rows[i];
				*out = slice;
			}
		}
		if (found)
			next[found - v->rows]++;
	} while (found && n--);
	free(next);
	return found;
}

/* Labels. */

void lanes_put_name(const struct lanes_view *v, const struct row *row, int width, struct str *out)
{
	const struct lane_strip *strip = lanes_strip(v->lanes, row->lane);
	size_t device = strcspn(strip->name, " ");
	const char *what = strip->name + device;

	str_put(out, strip->name, device);
	if (width >= LANES_WIDE || !*what)
		str_puts(out, what);
	else if (strip->is_host)
		str_puts(out, " h");
	else
		str_fmt(out, " s%s", what + strcspn(what + 1, " ") + 2);
	if (strip->rows > 1)
		str_fmt(out, "/%u", row->number);
}

/* " 83%" of the step, at a lane's first row; else as many blanks. */
static void put_lane_share(const struct lanes_view *v, const struct row *row, struct str *out)
{
	const struct lane_strip *strip = lanes_strip(v->lanes, row->lane);
	int64_t busy = busy_ns(&strip->busy);
	int percent = (int)((wide_int)busy * 100 / v->span_ns);

	if (row->number)
		str_fill(out, ' ', SHARE);
	else if (busy && !percent)
		str_puts(out, "  <1%");
	else
		str_fmt(out, "%4d%%", percent > 100 ? 100 : percent);
}

void lanes_measure_labels(struct lanes_view *v)
{
	struct str text = {0};

	for (int wide = 0; wide < 2; wide++) {
		v->label_columns[wide] = strlen("step") + strlen(v->look.step) + 1;
		for (size_t i = 0; i < v->n_rows; i++) {
			size_t columns;

			str_reset(&text);
			lanes_put_name(v, &v->rows[i], wide ? LANES_WIDE : 0, &text);
			columns = utf8_columns(text.text, text.len);
			if (columns > v->label_columns[wide])
				v->label_columns[wide] = columns;
		}
	}
	str_release(&text);
}

static bool has_shares(const struct lanes_view *v, int width)
{
	return v->look.pictures && width >= LANES_WIDE;
}

int lanes_label_columns(const struct lanes_view *v, int width)
{
	size_t share = has_shares(v, width) ? SHARE : 0;
	size_t columns = v->label_columns[width >= LANES_WIDE] + share + 1;

	return columns < (size_t)width / 2 ? (int)columns : width / 2;
}

void lanes_put_label(const struct lanes_view *v, const struct row *row, int width, int left,
                     struct str *out)
{
	int share = has_shares(v, width) && left > SHARE + 1 ? SHARE : 0;
	struct str label = {0};

	lanes_put_name(v, row, width, &label);
	put_padded(out, str_text(&label), (size_t)(left - share - (left > 0)));
	if (share)
		put_lane_share(v, row, out);
	str_fill(out, ' ', left > 0);
	str_release(&label);
}

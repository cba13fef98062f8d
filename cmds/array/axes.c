#include "cmds/array/axes.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/python.h"

/* "3,0" */
static bool read_list(const char *word, int64_t *out, size_t max, size_t *n)
{
	for (*n = 0; ; (*n)++) {
		size_t len = strcspn(word, ",");

		if (*n == max || !python_int(word, len, &out[*n]))
			return false;
		word += len;
		if (!*word++)
			break;
	}
	++*n;
	return true;
}

/* -a, or the last two of the remaining axes. */
static bool choose_shown(struct call *call, const char *word, struct axes *axes)
{
	int64_t typed[2];
	size_t n;

	for (uint32_t axis = axes->shape.rank; axis-- > 0 && axes->n_shown < 2; ) {
		if (axes->axis[axis].dropped)
			continue;
		axes->shown[1] = axes->shown[0];
		axes->shown[0] = axis;
		axes->n_shown++;
	}
	if (!word)
		return true;
	if (!read_list(word, typed, 2, &n) || n != 2 || typed[0] == typed[1]) {
		call_error(call, "ERROR: \"%s\" are no two axes: -a ROWS,COLUMNS.", word);
		return false;
	}
	for (size_t i = 0; i < 2; i++) {
		if (typed[i] < 0 || typed[i] >= axes->shape.rank || axes->axis[typed[i]].dropped) {
			call_error(call, "ERROR: There is no axis %" PRId64 " left to show.",
			           typed[i]);
			return false;
		}
		axes->shown[i] = (uint32_t)typed[i];
	}
	return true;
}

bool axes_is_shown(const struct axes *axes, uint32_t axis)
{
	for (uint32_t i = 0; i < axes->n_shown; i++)
		if (axes->shown[i] == axis)
			return true;
	return false;
}

/* -i: fixes the axes that are neither shown nor dropped at an index. */
static bool choose_index(struct call *call, const char *word, const struct view *view,
                         struct axes *axes, uint64_t *start)
{
	int64_t typed[SHAPE_MAX_RANK] = {0};
	size_t n = 0, used = 0;
	uint32_t k = 0;

	if (word && !read_list(word, typed, SHAPE_MAX_RANK, &n)) {
		call_error(call, "ERROR: \"%s\" is no list of indices: -i 3,0.", word);
		return false;
	}
	for (uint32_t axis = 0; k < view->shape.rank; axis++) {
		struct slice_axis *a = &axes->axis[axis];

		if (a->dropped)
			continue;
		if (!axes_is_shown(axes, axis)) {
			int64_t at = typed[used++];

			if (at < 0 || (at >= view->shape.dim[k] && view->count)) {
				call_error(call,
				           "ERROR: Index %" PRId64 " is out of axis %" PRIu32
				           ", which has size "
				           "%" PRId64 ".",
				           at, axis, view->shape.dim[k]);
				return false;
			}
			*start += (uint64_t)at * (uint64_t)view->stride[k];
			a->first += at * a->step;
			a->dropped = true;
		}
		k++;
	}
	if (n > used)
		call_error(call, "ERROR: %zu indices for %zu axes that are not shown.", n, used);
	return n <= used;
}

/* The number in the view of an axis of the array, before choose_index. */
static uint32_t place_of(const struct axes *axes, uint32_t axis)
{
	uint32_t place = 0;

	for (uint32_t i = 0; i < axis; i++)
		place += !axes->axis[i].dropped;
	return place;
}

/* Reduces the view to the shown axes, in their order. */
static bool arrange(struct call *call, const struct axes_options *said, struct view *view,
                    struct axes *axes)
{
	struct view out = { .value = view->value, .start = view->start };
	uint32_t place[2] = {0};

	if (!choose_shown(call, said->axes, axes))
		return false;
	for (uint32_t i = 0; i < axes->n_shown; i++)
		place[i] = place_of(axes, axes->shown[i]);
	if (!choose_index(call, said->index, view, axes, &out.start))
		return false;
	out.shape.rank = axes->n_shown;
	for (uint32_t i = 0; i < axes->n_shown; i++) {
		out.shape.dim[i] = view->shape.dim[place[i]];
		out.stride[i] = view->stride[place[i]];
		axes->count[axes->shown[i]] = out.shape.dim[i];
	}
	out.count = 0;
	if (view->count || !axes->shape.rank)
		shape_count(&out.shape, &out.count);
	*view = out;
	return true;
}

/* The first axis that is fixed at an index; the rank: none is. */
static uint32_t first_standing(const struct axes *axes)
{
	uint32_t axis = 0;

	while (axis < axes->shape.rank && axes_is_shown(axes, axis))
		axis++;
	return axis;
}

static bool choose_step(struct call *call, const struct opt_value *said, struct axes *axes)
{
	axes->step = first_standing(axes);
	if (!said->given)
		return true;
	if (said->number < 0 || said->number >= axes->shape.rank ||
	    axes_is_shown(axes, (uint32_t)said->number)) {
		call_error(call, "ERROR: There is no axis %" PRId64 " to step along.",
		           said->number);
		return false;
	}
	axes->step = (uint32_t)said->number;
	return true;
}

bool axes_choose(struct call *call, const struct axes_options *said, const char *slice,
                 struct view *view, struct axes *out)
{
	*out = (struct axes){ .shape = view->value->shape };
	slice_axes(slice, &out->shape, out->axis);
	return arrange(call, said, view, out) && choose_step(call, said->step, out);
}

struct axes axes_of_two(const struct view *view, const struct slice_axis axis[2])
{
	struct axes axes = { .shape = view->shape, .shown = { 0, 1 }, .step = view->shape.rank };

	for (uint32_t i = 0; i < 2; i++) {
		axes.axis[i] = axis[i];
		axes.count[i] = view->shape.dim[i];
		axes.n_shown += !axis[i].dropped;
	}
	return axes;
}

/* Changes. */

static void show_whole(struct axes *axes, uint32_t axis)
{
	axes->axis[axis] = (struct slice_axis){ .step = 1 };
	axes->count[axis] = axes->shape.dim[axis];
}

/* Steps along the next axis; if that was shown, the former one is shown instead. */
static bool next_axis(struct axes *axes, struct str *why)
{
	uint32_t old = axes->step, next;

	if (old == axes->shape.rank) {
		str_puts(why, "There is no other axis to step along");
		return false;
	}
	next = (old + 1) % axes->shape.rank;
	for (uint32_t i = 0; i < axes->n_shown; i++)
		if (axes->shown[i] == next) {
			axes->shown[i] = old;
			show_whole(axes, old);
			axes->axis[next].dropped = true;
		}
	if (axes->n_shown == 2 && axes->shown[0] > axes->shown[1]) {
		uint32_t rows = axes->shown[0];

		axes->shown[0] = axes->shown[1];
		axes->shown[1] = rows;
	}
	axes->step = next;
	return true;
}

static bool step_along(struct axes *axes, int64_t n, struct str *why)
{
	uint32_t axis = axes->step;
	int64_t last, to;

	if (axis == axes->shape.rank) {
		str_puts(why, "There is no axis to step along");
		return false;
	}
	last = axes->shape.dim[axis] - 1;
	to = axes->axis[axis].first;
	to = n < 0 ? (n < -to ? 0 : to + n) : n > last - to ? last : to + n;
	if (to == axes->axis[axis].first || to < 0) {
		str_fmt(why, "Axis %" PRIu32 " ends here", axis);
		return false;
	}
	axes->axis[axis].first = to;
	return true;
}

static bool swap(struct axes *axes, struct str *why)
{
	uint32_t rows = axes->shown[0];

	if (axes->n_shown < 2) {
		str_puts(why, "There are no rows and columns to swap");
		return false;
	}
	axes->shown[0] = axes->shown[1];
	axes->shown[1] = rows;
	return true;
}

bool axes_change(struct axes *axes, const struct doc_at *at, struct str *why)
{
	switch (at->key) {
	case 'a': return next_axis(axes, why);
	case '(':
	case ')': return step_along(axes, at->n, why);
	case 'X': return swap(axes, why);
	default: return true;
	}
}

static const struct doc_key drawn[] = {
	{ 'a', "the next axis is the one to step along", .way = KEY_OF_GRID },
	{ '(', "a step back along it", .way = KEY_OF_GRID, .n = -1 },
	{ ')', "a step along it", .way = KEY_OF_GRID, .n = 1 },
	{ 'X', "swap rows and columns", .way = KEY_OF_GRID, .turns = true },
	{ '%', "scale from min to max, or from the 1st to the 99th percentile",
	  .way = KEY_OF_PICTURE },
	{ 'l', "logarithmic scale, on, off", .way = KEY_OF_PICTURE },
	{ 'c', "colors: heat, gray, none", .way = KEY_OF_PICTURE },
	{ 's', "the picture is a heat map, a sparkline, a histogram", .way = KEY_OF_PICTURE_ALONE },
	{ ',', .way = KEY_OF_PICTURE_ALONE },
	{ '.', .way = KEY_OF_PICTURE_ALONE },
	{ 'p', .way = KEY_HINT },
};
const struct doc_keys drawn_keys = { "In grids and pictures", DOC_KEYS(drawn) };

/* Texts. */

void axes_put_head(const struct axes *axes, struct doc *doc)
{
	bool several = axes->shape.rank > axes->n_shown + 1;

	doc_put(doc, ROLE_PLAIN, "  axes");
	for (uint32_t axis = 0; axis < axes->shape.rank; axis++) {
		bool marked = several && axis == axes->step;

		doc_put(doc, ROLE_PLAIN, " ");
		if (axes_is_shown(axes, axis))
			doc_put(doc, ROLE_PLAIN, axes->shown[0] == axis ? "rows" : "cols");
		else
			doc_put(doc, marked ? ROLE_STRONG : ROLE_PLAIN, "[%" PRId64 "/%" PRId64 "]",
			        axes->axis[axis].first, axes->shape.dim[axis]);
	}
}

static void put_range(const struct axes *axes, uint32_t axis, struct str *out)
{
	const struct slice_axis *a = &axes->axis[axis];
	int64_t dim = axes->shape.dim[axis], end = a->first + axes->count[axis] * a->step;

	if (a->first || a->step > 1 || end < dim)
		str_fmt(out, "%" PRId64 ":%" PRId64 ":%" PRId64, a->first, end < dim ? end : dim,
		        a->step);
	else
		str_putc(out, ':');
}

void axes_put_slice(const struct axes *axes, struct str *out)
{
	for (uint32_t axis = 0; axis < axes->shape.rank; axis++) {
		str_puts(out, axis ? ", " : "[");
		if (axes->axis[axis].dropped)
			str_fmt(out, "%" PRId64, axes->axis[axis].first);
		else
			put_range(axes, axis, out);
	}
	str_puts(out, axes->shape.rank ? "]" : "");
}

static bool shows_all(const struct axes *axes)
{
	struct str slice = {0};
	bool all;

	axes_put_slice(axes, &slice);
	all = strspn(str_text(&slice), "[]:, ") == slice.len;
	str_release(&slice);
	return all;
}

void axes_to_args(const struct axes *axes, const char *tensor, size_t axes_arg, struct arena *mem,
                  struct args *args)
{
	struct opt_value *opt = &args->opt[axes_arg];
	struct str text = {0};

	str_puts(&text, tensor);
	if (!shows_all(axes))
		axes_put_slice(axes, &text);
	args->pos[0] = text.len ? arena_copy(mem, text.text, text.len) : NULL;
	opt[0] = opt[1] = opt[2] = (struct opt_value){0};
	if (axes->n_shown == 2 && axes->shown[0] > axes->shown[1]) {
		str_reset(&text);
		str_fmt(&text, "%" PRIu32 ",%" PRIu32, axes->shown[0], axes->shown[1]);
		opt[0] = (struct opt_value){ .given = true,
			                     .word = arena_copy(mem, text.text, text.len) };
	}
	if (axes->step != first_standing(axes))
		opt[2] = (struct opt_value){ .given = true, .number = axes->step };
	str_release(&text);
}

/* Slices. */

uint64_t axes_slices(const struct axes *axes)
{
	uint64_t n = 1;

	for (uint32_t axis = 0; axis < axes->shape.rank; axis++)
		if (!axes_is_shown(axes, axis))
			n *= (uint64_t)axes->shape.dim[axis];
	return n;
}

uint64_t axes_slice(const struct axes *axes)
{
	uint64_t n = 0;

	for (uint32_t axis = 0; axis < axes->shape.rank; axis++)
		if (!axes_is_shown(axes, axis))
			n = n * (uint64_t)axes->shape.dim[axis] + (uint64_t)axes->axis[axis].first;
	return n;
}

void axes_go_slice(struct axes *axes, uint64_t slice)
{
	for (uint32_t axis = axes->shape.rank; axis-- > 0; ) {
		uint64_t dim = (uint64_t)axes->shape.dim[axis];

		if (axes_is_shown(axes, axis) || !dim)
			continue;
		axes->axis[axis].first = (int64_t)(slice % dim);
		slice /= dim;
	}
}

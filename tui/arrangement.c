/*
 * A tree of at most three splits in an array: searching it is a loop, walking it never goes deeper
 * than that.
 */
#include "tui/arrangement.h"

static bool is_split(int part)
{
	return part <= SPLIT(0);
}

static void put_panes(const struct arrangement *a, int part, int panes[MAX_PANES], size_t *n)
{
	if (is_split(part)) {
		put_panes(a, a->split[SPLIT(part)].part[0], panes, n);
		put_panes(a, a->split[SPLIT(part)].part[1], panes, n);
	} else {
		panes[(*n)++] = part;
	}
}

size_t arrangement_panes(const struct arrangement *a, int panes[MAX_PANES])
{
	size_t n = 0;

	put_panes(a, a->root, panes, &n);
	return n;
}

int arrangement_free_pane(const struct arrangement *a)
{
	int panes[MAX_PANES];
	size_t n = arrangement_panes(a, panes);

	for (int pane = 0; pane < MAX_PANES; pane++) {
		bool used = false;

		for (size_t i = 0; i < n; i++)
			used |= panes[i] == pane;
		if (!used)
			return pane;
	}
	return NO_PANE;
}

/* Where this part is written down. */
static int *slot_of(struct arrangement *a, int part)
{
	for (int i = 0; i < a->n_splits; i++)
		for (int k = 0; k < 2; k++)
			if (a->split[i].part[k] == part)
				return &a->split[i].part[k];
	return &a->root;
}

void arrangement_set_permille(struct arrangement *a, int split, int permille)
{
	a->split[split].permille = permille < 50 ? 50 : permille > 950 ? 950 : permille;
	a->split[split].most_rows = 0;
}

void arrangement_split(struct arrangement *a, int pane, int neighbour, bool beside, int permille)
{
	int *slot = slot_of(a, pane), k = a->n_splits++;

	a->split[k] = (struct split){ .beside = beside, .part = { pane, neighbour } };
	arrangement_set_permille(a, k, permille);
	*slot = SPLIT(k);
}

void arrangement_close(struct arrangement *a, int pane)
{
	int part, k = arrangement_split_of(a, pane, &part), last = a->n_splits - 1;

	if (k < 0)
		return;
	*slot_of(a, SPLIT(k)) = a->split[k].part[1 - part];
	if (k != last) {
		*slot_of(a, SPLIT(last)) = SPLIT(k);
		a->split[k] = a->split[last];
	}
	a->n_splits--;
}

int arrangement_split_of(const struct arrangement *a, int pane, int *part)
{
	for (int i = 0; i < a->n_splits; i++)
		for (*part = 0; *part < 2; ++*part)
			if (a->split[i].part[*part] == pane)
				return i;
	return -1;
}

void arrangement_turn(struct arrangement *a, int pane)
{
	int part, k = arrangement_split_of(a, pane, &part);

	if (k >= 0)
		a->split[k].beside = !a->split[k].beside;
}

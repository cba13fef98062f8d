#include "cmds/overview/findings.h"

#include <stdlib.h>

const char *const finding_level_words[N_FINDING_LEVELS] = {
#define X(id, word) [LEVEL_##id] = word,
	FINDING_LEVELS(X)
#undef X
};

const char *const finding_words[N_FINDINGS] = {
#define X(id, word, level, cure) [FINDING_##id] = word,
	FINDINGS(X)
#undef X
};

static const struct {
	enum finding_level level;
	const char *cure;
} kinds[N_FINDINGS] = {
#define X(id, word, level, cure) [FINDING_##id] = { LEVEL_##level, cure },
	FINDINGS(X)
#undef X
};

void findings_release(struct findings *findings)
{
	vec_release(&findings->list);
	arena_release(&findings->mem);
}

static int by_level(const void *a, const void *b)
{
	const struct finding *p = a, *q = b;

	if (p->level != q->level)
		return p->level < q->level ? -1 : 1;
	return (p->order > q->order) - (p->order < q->order);
}

void findings_sort(struct findings *findings)
{
	for (int level = 0; level < N_FINDING_LEVELS; level++)
		findings->count[level] = 0;
	for (size_t i = 0; i < findings->list.len; i++)
		findings->count[findings->list.at[i].level]++;
	if (findings->list.len)
		qsort(findings->list.at, findings->list.len, sizeof *findings->list.at, by_level);
}

struct finding *finding_add(struct findings *findings, enum finding_what what, const char *text)
{
	struct finding *f = vec_add(&findings->list);

	f->what = what;
	f->level = kinds[what].level;
	f->cure = kinds[what].cure;
	f->text = text ? arena_fmt(&findings->mem, "%s", text) : "";
	f->order = findings->list.len;
	return f;
}

enum finding_what finding_of_problem(enum problem_kind kind)
{
	static const enum finding_what whats[] = {
		[PROBLEM_UNREADABLE] = FINDING_UNREADABLE,
		[PROBLEM_UNSUPPORTED] = FINDING_VERSION, [PROBLEM_CUT] = FINDING_TRUNCATED,
		[PROBLEM_EMPTY] = FINDING_EMPTY, [PROBLEM_DAMAGED] = FINDING_NOT_AN_EVENT,
		[PROBLEM_STRANGER] = FINDING_STRANGER,
		[PROBLEM_NO_GRAPH] = FINDING_RUN_WITHOUT_GRAPH, [PROBLEM_CLOCK] = FINDING_CLOCK,
		[PROBLEM_MIXED] = FINDING_MIXED_WRITERS,
		[PROBLEM_NOT_IN_GRAPH] = FINDING_UNKNOWN_NODE,
		[PROBLEM_TOO_EARLY] = FINDING_CAUSALITY,
		[PROBLEM_LACKS] = FINDING_MISSING_SHARDS,
		[PROBLEM_LEFT_OUT] = FINDING_LEFT_OUT,
	};

	return whats[kind];
}

#include "cmds/profile/profile_rows.h"

#include <string.h>

#include "cmds/lang/words.h"
#include "cmds/profile/profile_time.h"

static bool is_set(const char *word)
{
	return word && *word;
}

static bool open_pattern(struct call *call, const char *word, struct pattern **out)
{
	*out = is_set(word) ? pattern_new(word, PATTERN_MATCH, false, &call->err) : NULL;
	return *out || !is_set(word);
}

static bool open_interval(struct call *call, const char *word, struct interval *out)
{
	return !is_set(word) || interval_parse(word, INTERVAL_TIME, out, &call->err);
}

bool profile_filter_open(struct call *call, struct profile_filter *f)
{
	return open_interval(call, f->exec_time, &f->exec) &&
	       open_interval(call, f->op_time, &f->ops) &&
	       open_pattern(call, f->device, &f->device_re) &&
	       open_pattern(call, f->node, &f->node_re) && open_pattern(call, f->op, &f->op_re) &&
	       open_pattern(call, f->file, &f->file_re);
}

void profile_filter_close(struct profile_filter *f)
{
	pattern_free(f->device_re);
	pattern_free(f->node_re);
	pattern_free(f->op_re);
	pattern_free(f->file_re);
}

static bool fits(struct call *call, struct pattern *pattern, const char *text)
{
	return !pattern || pattern_fits(pattern, text, strlen(text), &call->err);
}

bool profile_filter_device(struct call *call, struct profile_filter *f, const struct lane *lane)
{
	return fits(call, f->device_re, lane->device);
}

static bool line_fits(const struct profile_filter *f, const struct source_line *source)
{
	if (!source->line)
		return true;
	return !(f->min_lineno > 0 && source->line < f->min_lineno)
	       && !(f->max_lineno > 0 && source->line >= f->max_lineno);
}

bool profile_filter_record(struct call *call, struct profile_filter *f, const struct step *step,
                           const struct name_infos *infos, const struct record *record)
{
	const char *name = record_name(step, record);
	const struct source_line *source = name_info_source(infos, record->name);
	struct record_times times;

	if (*name == '_' && (!strcmp(name, "_SOURCE") || !strcmp(name, "_SINK")))
		return false;
	if (!line_fits(f, source) ||
	    (f->file_re && (!*source->file || !fits(call, f->file_re, source->file))))
		return false;
	if (is_set(f->exec_time) || is_set(f->op_time)) {
		times = step_times(step, record);
		if (is_set(f->exec_time) && !interval_holds(&f->exec, record_exec_us(&times)))
			return false;
		if (is_set(f->op_time) && !interval_holds(&f->ops, record_op_us(&times)))
			return false;
	}
	return fits(call, f->node_re, name) &&
	       fits(call, f->op_re, name_info_op(infos, record->name));
}

void profile_filter_put(const struct profile_filter *f, struct str *out)
{
	if (is_set(f->device))
		words_put_with(out, " --device_name_filter", f->device);
	if (is_set(f->node))
		words_put_with(out, " --node_name_filter", f->node);
	if (is_set(f->op))
		words_put_with(out, " --op_type_filter", f->op);
}

#include "cmds/summary/merge.h"

#include "cmds/summary/output.h"
#include "dump/summary/merge.h"

bool merge_files(const char *const *paths, size_t n, const char *out, struct merge_done *done,
                 struct progress *progress, struct err *err)
{
	struct writer *writer = summary_output(out, err);
	struct merged merged;
	bool ok;

	if (!writer)
		return false;
	ok = summary_merge(paths, n, writer_stream(writer), &merged, progress, err);
	done->rows = merged.rows;
	done->sources = merged.sources;
	done->incomplete = merged.incomplete;
	return writer_close(writer, ok, &done->bytes, err) && ok;
}

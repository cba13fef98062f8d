#include "cmds/profile/tfprof/tfprof_trace.h"

bool trace_open(struct trace_writer *trace, const char *path, struct err *err)
{
	trace->writer = writer_open(path, WRITER_REPLACE, err);
	if (!trace->writer)
		return false;
	data_open(&trace->data, DATA_JSON, writer_stream(trace->writer));
	data_object(&trace->data);
	data_key(&trace->data, "traceEvents");
	data_list(&trace->data);
	return true;
}

bool trace_close(struct trace_writer *trace, bool keep, uint64_t *size_bytes, struct err *err)
{
	data_end(&trace->data);
	data_end(&trace->data);
	keep = data_finish(&trace->data) && keep;
	return writer_close(trace->writer, keep, size_bytes, err);
}

static void put_int(struct data *data, const char *key, int64_t value)
{
	data_key(data, key);
	data_int(data, value);
}

static void put_text(struct data *data, const char *key, const char *value)
{
	data_key(data, key);
	data_str(data, value);
}

void trace_process(struct trace_writer *trace, int64_t pid, const char *name)
{
	struct data *data = &trace->data;

	data_object(data);
	data_key(data, "args");
	data_object(data);
	put_text(data, "name", name);
	data_end(data);
	put_text(data, "name", "process_name");
	put_text(data, "ph", "M");
	put_int(data, "pid", pid);
	data_end(data);
}

void trace_slice(struct trace_writer *trace, int64_t pid, int64_t tid, int64_t ts, int64_t dur,
                 const char *name, bool with_op)
{
	struct data *data = &trace->data;

	data_object(data);
	data_key(data, "args");
	data_object(data);
	put_text(data, "name", name);
	if (with_op)
		put_text(data, "op", name);
	data_end(data);
	put_text(data, "cat", "Op");
	put_int(data, "dur", dur);
	put_text(data, "name", name);
	put_text(data, "ph", "X");
	put_int(data, "pid", pid);
	put_int(data, "tid", tid);
	put_int(data, "ts", ts);
	data_end(data);
}

void trace_flow(struct trace_writer *trace, char end, int64_t id, int64_t pid, int64_t tid,
                int64_t ts, const char *node)
{
	struct data *data = &trace->data;
	char phase[2] = { end, '\0' };
	struct str name = {0};

	str_fmt(&name, "%s_flow", node);
	data_object(data);
	put_text(data, "cat", "DataFlow");
	put_int(data, "id", id);
	put_text(data, "name", name.text);
	put_text(data, "ph", phase);
	put_int(data, "pid", pid);
	put_int(data, "tid", tid);
	put_int(data, "ts", ts);
	data_end(data);
	str_release(&name);
}

void trace_counter(struct trace_writer *trace)
{
	data_object(&trace->data);
	data_key(&trace->data, "args");
	data_object(&trace->data);
}

void trace_counter_end(struct trace_writer *trace, const char *name, int64_t pid, int64_t ts)
{
	struct data *data = &trace->data;

	data_end(data);
	put_text(data, "cat", "Memory");
	put_text(data, "name", name);
	put_text(data, "ph", "C");
	put_int(data, "pid", pid);
	put_int(data, "tid", 0);
	put_int(data, "ts", ts);
	data_end(data);
}

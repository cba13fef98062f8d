#include "cmds/tensor/export.h"

#include <inttypes.h>

#include "cmds/array/save.h"
#include "dump/base/str.h"

enum { ALIGNED = 8, LENGTH_BYTES = 8 };

const char *safetensors_type(const struct dtype_info *type)
{
	static const struct { enum dtype dtype; const char *name; } names[] = {
		{ DTYPE_BOOL, "BOOL" }, { DTYPE_UINT8, "U8" }, { DTYPE_INT8, "I8" },
		{ DTYPE_INT16, "I16" }, { DTYPE_UINT16, "U16" }, { DTYPE_INT32, "I32" },
		{ DTYPE_UINT32, "U32" }, { DTYPE_INT64, "I64" }, { DTYPE_UINT64, "U64" },
		{ DTYPE_FLOAT16, "F16" }, { DTYPE_BFLOAT16, "BF16" }, { DTYPE_FLOAT32, "F32" },
		{ DTYPE_FLOAT64, "F64" }, { DTYPE_COMPLEX64, "C64" },
		{ DTYPE_FLOAT8_E4M3FN, "F8_E4M3" }, { DTYPE_FLOAT8_E5M2, "F8_E5M2" },
		{ DTYPE_FLOAT8_E8M0FNU, "F8_E8M0" },
		{ DTYPE_FLOAT8_E4M3FNUZ, "F8_E4M3FNUZ" },
		{ DTYPE_FLOAT8_E5M2FNUZ, "F8_E5M2FNUZ" },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].dtype == type->dtype)
			return names[i].name;
	return NULL;
}

static void put_key(struct str *out, const char *name)
{
	str_putc(out, '"');
	for (; *name; name++) {
		if ((unsigned char)*name < ' ') {
			str_fmt(out, "\\u%04x", (unsigned)*name);
			continue;
		}
		if (*name == '"' || *name == '\\')
			str_putc(out, '\\');
		str_putc(out, *name);
	}
	str_putc(out, '"');
}

static void put_entry(struct str *out, const char *name, const struct value *value, uint64_t *off)
{
	uint64_t end = *off + value->count * value->type->elem_bytes;

	str_putc(out, out->len > 1 ? ',' : ' ');
	put_key(out, name);
	str_fmt(out, ":{\"dtype\":\"%s\",\"shape\":[", safetensors_type(value->type));
	for (uint32_t i = 0; i < value->shape.rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : "", value->shape.dim[i]);
	str_fmt(out, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", *off, end);
	*off = end;
}

static struct value *open_at(const struct exported *what, size_t i, struct err *err)
{
	return run_value(what->run, &what->run->tensors.at[what->at.at[i]], err);
}

static bool put_header(const struct exported *what, struct str *out, struct err *err)
{
	uint64_t off = 0;

	str_putc(out, '{');
	for (size_t i = 0; i < what->at.len; i++) {
		struct value *value = open_at(what, i, err);

		if (!value)
			return false;
		put_entry(out, what->names.at[i], value, &off);
		value_close(value);
	}
	str_putc(out, '}');
	str_fill(out, ' ', (ALIGNED - out->len % ALIGNED) % ALIGNED);
	return true;
}

static bool write_header(const struct str *header, FILE *out)
{
	unsigned char length[LENGTH_BYTES];

	for (int i = 0; i < LENGTH_BYTES; i++)
		length[i] = (unsigned char)((uint64_t)header->len >> 8 * i);
	return fwrite(length, 1, sizeof length, out) == sizeof length
	       && fwrite(header->text, 1, header->len, out) == header->len;
}

bool export_safetensors(const struct exported *what, FILE *out, struct progress *progress,
                        struct err *err)
{
	struct str header = {0};
	bool ok = put_header(what, &header, err) && write_header(&header, out);

	str_release(&header);
	for (size_t i = 0; ok && i < what->at.len; i++) {
		struct progress part = progress_of_part(progress);
		struct value *value = open_at(what, i, err);
		struct view view;

		if (!value)
			return false;
		view_all(&view, value);
		ok = save_elements(&view, out, NULL, &part, err);
		value_close(value);
		if (ok && !progress_step(progress, i + 1, what->at.len))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	return ok;
}

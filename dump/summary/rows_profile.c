#include "dump/summary/rows.h"

#include "dump/profile/activity.h"
#include "dump/summary/messages.h"

static void put_parts(struct str *out, uint32_t number, const struct breakdown *parts)
{
	struct str packed = {0};

	varint_put(&packed, parts->recorded);
	varint_put(&packed, (uint64_t)parts->total_ns);
	for (int part = 0; part < N_TIME_PARTS; part++)
		varint_put(&packed, (uint64_t)parts->part_ns[part]);
	field_put_bytes(out, number, packed.text, packed.len);
	str_release(&packed);
}

/* No time is negative, and none longer than all of them. */
static void take_parts(struct message *m, struct breakdown *parts)
{
	struct text rest = m->field.bytes;
	uint64_t numbers[2 + N_TIME_PARTS], total;

	for (int i = 0; i < 2 + N_TIME_PARTS; i++)
		m->damaged |= !varint_take(&rest, &numbers[i]);
	if (m->damaged)
		return;
	total = numbers[1];
	m->damaged = total > INT64_MAX || numbers[0] >> N_TIME_PARTS;
	parts->recorded = (unsigned)numbers[0];
	parts->total_ns = (int64_t)total;
	for (int part = 0; part < N_TIME_PARTS; part++) {
		m->damaged |= numbers[2 + part] > total;
		parts->part_ns[part] = (int64_t)numbers[2 + part];
	}
}

void summary_put_step(struct str *out, const struct summary_step *step)
{
	field_put_int(out, 1, step->number);
	field_put_number(out, 2, step->position);
	field_put_int(out, 3, step->start_ns);
	field_put_int(out, 4, step->span_ns);
	field_put_int(out, 5, step->sync_ns);
	field_put_text(out, 6, step->file);
	field_put_number(out, 7, step->only_totals);
	if (step->has_parts)
		put_parts(out, 8, &step->parts);
	field_put_number(out, 9, step->unread);
}

bool summary_read_step(const char *path, const struct summary_row *row, struct arena *mem,
                       struct summary_step *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_step){ .file = "" };
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->number = unzigzag(m.field.value); break;
		case 2: out->position = m.field.value; break;
		case 3: out->start_ns = unzigzag(m.field.value); break;
		case 4: out->span_ns = unzigzag(m.field.value); break;
		case 5: out->sync_ns = unzigzag(m.field.value); break;
		case 6: out->file = text_of(&m); break;
		case 7: out->only_totals = m.field.value; break;
		case 8:
			out->has_parts = true;
			take_parts(&m, &out->parts);
			break;
		case 9: out->unread = m.field.value; break;
		}
	return message_finished(&m, path, row, err);
}

void summary_put_kernel(struct str *out, const struct summary_kernel *kernel)
{
	field_put_text(out, 1, kernel->op);
	field_put_number(out, 2, kernel->calls);
	field_put_int(out, 3, kernel->total_ns);
	put_or_unknown(out, 4, kernel->min_ns);
	put_or_unknown(out, 5, kernel->max_ns);
	field_put_number(out, 6, kernel->bytes);
}

bool summary_read_kernel(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_kernel *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_kernel){ .op = "", .min_ns = -1, .max_ns = -1 };
	m.damaged = row->key.slot > ACTIVITY_COPY;
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->op = text_of(&m); break;
		case 2: out->calls = m.field.value; break;
		case 3: out->total_ns = unzigzag(m.field.value); break;
		case 4: out->min_ns = or_unknown(&m); break;
		case 5: out->max_ns = or_unknown(&m); break;
		case 6: out->bytes = m.field.value; break;
		}
	return message_finished(&m, path, row, err);
}

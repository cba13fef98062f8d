#include "tests/made_step.h"

#include <string.h>

#include "tests/message.h"
#include "tests/small_dump.h"

static void end_lane(struct making *m)
{
	if (m->lane.len)
		put_message(&m->all, 1, &m->lane);
	str_reset(&m->lane);
}

void made_lane(struct making *m, const char *device)
{
	end_lane(m);
	put_bytes(&m->lane, 1, device, strlen(device));
}

void made_record(struct making *m, const char *name, int64_t start, int64_t len, const char *label)
{
	struct str record = {0};

	put_bytes(&record, 1, name, strlen(name));
	put_number(&record, 2, (uint64_t)(start > 0 ? BEGIN_US + start : start));
	put_number(&record, 4, (uint64_t)len);
	put_number(&record, 5, (uint64_t)len);
	put_bytes(&record, 8, label, strlen(label));
	put_message(&m->lane, 2, &record);
	str_release(&record);
}

void made_run(struct making *m, struct str *out)
{
	end_lane(m);
	put_message(out, 1, &m->all);
	str_release(&m->all);
	str_release(&m->lane);
}

void made_save(struct making *m, const char *dir, const char *name)
{
	struct str run = {0};

	made_run(m, &run);
	dump_put(dir, name, run.text, run.len);
	str_release(&run);
}

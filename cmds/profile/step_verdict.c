#include "cmds/profile/step_verdict.h"

#include <string.h>

#include "cmds/doc/figure.h"

#define MUCH 20.0                /* percent */
#define SOME 5.0

static const struct bound {
	enum time_part part;
	double least;            /* percent */
	const char *kind, *text;
} bounds[] = {
	{ PART_INPUT, MUCH, "input-bound", "is spent waiting for input" },
	{ PART_INPUT, SOME, "partly input-bound", "is spent waiting for input" },
	{ PART_OTHER, MUCH, "perhaps input-bound", "is unaccounted for" },
	{ PART_LAUNCH, MUCH, "launch-bound",
	  "is spent launching work while the devices do nothing" },
	{ PART_DEVICE_COPY, MUCH, "copy-bound", "is spent copying while no device computes" },
	{ PART_COLLECTIVES, MUCH, "collective-bound",
	  "is spent exchanging data while no device computes" },
	{ PART_DEVICE_COMPUTE, 0, "compute-bound", "is spent computing on the devices" },
};

static double share_of(const struct breakdown *sum, enum time_part part)
{
	return percent_of(sum->part_ns[part], sum->total_ns);
}

struct step_verdict step_verdict_of(const struct breakdown *sum)
{
	const struct bound *at = bounds;

	if (sum->part_ns[PART_DEVICE_COMPUTE] + sum->part_ns[PART_COLLECTIVES]
	    + sum->part_ns[PART_DEVICE_COPY] <= 0)
		return (struct step_verdict){0};
	while (share_of(sum, at->part) < at->least)
		at++;
	return (struct step_verdict){ at->kind, share_of(sum, at->part) };
}

void put_step_verdict(struct str *out, const struct step_verdict *verdict,
                      const struct breakdown *sum)
{
	const struct bound *at = bounds;
	double host = share_of(sum, PART_HOST_COMPUTE);

	while (strcmp(at->kind, verdict->kind) != 0)
		at++;
	str_fmt(out, "%.1f %% of the step %s", verdict->share, at->text);
	if (at->part == PART_OTHER && !(sum->recorded >> PART_INPUT & 1)) {
		str_puts(out, "; no iterator wait is recorded");
	} else if (at->part == PART_OTHER) {
		str_puts(out, "; waiting for input takes ");
		put_percent(out, share_of(sum, PART_INPUT));
		str_puts(out, " %");
	} else if (at->part == PART_DEVICE_COMPUTE && host >= MUCH) {
		str_fmt(out, "; %.1f %% is work of the host alone", host);
	}
}

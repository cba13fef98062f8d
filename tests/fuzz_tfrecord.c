/*
 * A file of records, walked as a whole and as one that grows: findings follow each other without a
 * gap to the end, and how a file came to be makes no difference.
 */
#include "dump/format/tfrecord.h"

#include "tests/input.h"

static uint64_t mix(uint64_t sum, enum tfrecord_found found, const struct tfrecord *record)
{
	sum = (sum ^ (uint64_t)found) * 0x100000001b3;
	sum = (sum ^ record->off) * 0x100000001b3;
	return (sum ^ record->bytes) * 0x100000001b3;
}

/* Behind the last finding that is final: the sum of all to there, and where it ends. */
struct place {
	uint64_t sum, off;
};

/* Walks on to the end of the file; the sum of all findings. */
static uint64_t walk_on(struct tfrecord_walk *walk, struct place *last)
{
	struct tfrecord record;
	enum tfrecord_found found;
	struct err err = {0};
	uint64_t sum = last->sum, end = last->off;

	while ((found = tfrecord_next(walk, &record, &err)) != TFRECORD_END) {
		MUST(found != TFRECORD_STOPPED);
		MUST((found == TFRECORD_WHOLE) == (err.code == ERR_NONE));
		MUST(record.off == end && record.bytes > 0);
		end = record.off + record.bytes;
		MUST(end <= walk->file->size);
		sum = mix(sum, found, &record);
		if (walk->off > record.off)
			*last = (struct place){ sum, end };
		err = (struct err){0};
	}
	MUST(end == walk->file->size);
	return sum;
}

static uint64_t grow_to(struct tfrecord_walk *walk, const uint8_t *data, size_t size,
                        struct place *last)
{
	file_close(walk->file);
	MUST(file_open(walk->file, input_file(data, size), NULL));
	return walk_on(walk, last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t cuts[] = { 1, 11, 12, 13, 16, 28, 60, 100 };
	struct tfrecord_walk whole = {0}, growing = {0};
	struct place place = {0}, grown = {0};
	struct file file, part;
	uint64_t sum, other = 0;

	MUST(file_open(&part, input_file(data, 0), NULL));
	growing.file = &part;
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts && cuts[i] < size; i++)
		other = grow_to(&growing, data, cuts[i], &grown);
	if (size > 0)
		other = grow_to(&growing, data, size, &grown);
	file_close(&part);

	MUST(file_open(&file, input_file(data, size), NULL));
	whole.file = &file;
	sum = walk_on(&whole, &place);
	MUST(growing.tried > size || sum == other);
	file_close(&file);
	return 0;
}

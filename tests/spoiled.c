#include "tests/spoiled.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/path.h"
#include "dump/format/crc32c.h"
#include "dump/format/tfrecord.h"
#include "tests/program.h"

/* Longer words first. ESC [ 5 n asks the terminal for an answer; no screen of ours does. */
static const struct { const char *word, *bytes; } harm[] = {
	{ "gradients", "\342\201\246\r\nx\177yz" }, { "linear", "\033]0;\007\233" },
	{ "MatMul", "M\033[5n!" },
	{ "Square", "S\342\200\256\302\205" }, { "train", "\302\233=mz" },
	{ "Const", "C\302\235st" }, { "loss", "\342\200\256q" },
	{ "layer", "l\302\233=y" }, { "hidden", "h\033[5nn" }, { "while", "w\0339\010e" },
	{ "Cast", "\342\200\256t" },
	{ "add", "a\033c" }, { "mul", "m\302\220" }, { "pred", "\363\240\200\201" },
	{ "Momentum", "M\033[5ntum" },
	{ "Stream", "S\033[5nm" }, { "stream", "s\033[5nm" }, { "vols", "v\033cs" },
	{ "demo", "d\033co" },
};
enum { N_HARM = sizeof harm / sizeof *harm };

/* In JSON a control byte would make the file another one. */
static void put_bytes_of(struct str *out, const char *bytes, bool json)
{
	for (; *bytes; bytes++)
		str_fmt(out, json && (unsigned char)*bytes < 0x20 ? "\\u%04x" : "%c",
		        (unsigned char)*bytes);
}

static void spoil(struct str *out, const char *text, size_t len, bool json)
{
	for (size_t at = 0; at < len; ) {
		size_t i = 0, n = 0;

		for (; i < N_HARM; i++) {
			n = strlen(harm[i].word);
			if (n <= len - at && !memcmp(text + at, harm[i].word, n))
				break;
		}
		if (i < N_HARM)
			put_bytes_of(out, harm[i].bytes, json);
		else
			str_putc(out, text[at]);
		at += i < N_HARM ? n : 1;
	}
}

void put_spoiled(struct str *out, const char *text)
{
	spoil(out, text, strlen(text), false);
}

/* Records say what checksum their bytes have. */
static void put_checksums(struct str *records)
{
	unsigned char *bytes = (unsigned char *)records->text;

	for (size_t off = 0; off + TFRECORD_FRAME <= records->len;) {
		uint64_t len;
		uint32_t sum;

		ck_assert(tfrecord_head(bytes + off, &len));
		off += TFRECORD_HEAD;
		sum = crc32c_masked(crc32c(0, bytes + off, len));
		off += len;
		for (int i = 0; i < 4; i++)
			bytes[off++] = (unsigned char)(sum >> (8 * i));
	}
}

static void copy_file(const char *from, const char *to)
{
	struct str whole = {0}, spoiled = {0};
	FILE *out;

	ck_assert(read_whole(from, &whole));
	spoil(&spoiled, str_text(&whole), whole.len, text_ends(from, ".json"));
	if (strstr(from, "/tfdbg_events."))
		put_checksums(&spoiled);
	out = fopen(to, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(str_text(&spoiled), 1, spoiled.len, out), spoiled.len);
	fclose(out);
	str_release(&whole);
	str_release(&spoiled);
}

void spoiled_copy(const char *from, const char *to)
{
	DIR *all = opendir(from);
	struct dirent *entry;

	if (!all) {
		copy_file(from, to);
		return;
	}
	ck_assert_int_eq(mkdir(to, 0700), 0);
	while ((entry = readdir(all))) {
		struct str inner = {0}, copy = {0};

		if (entry->d_name[0] == '.' || text_ends(entry->d_name, ".pbtxt"))
			continue;
		str_fmt(&inner, "%s/%s", from, entry->d_name);
		str_fmt(&copy, "%s/", to);
		put_spoiled(&copy, entry->d_name);
		spoiled_copy(inner.text, copy.text);
		str_release(&inner);
		str_release(&copy);
	}
	closedir(all);
}

const char *spoiled_find(const char *bytes, size_t len)
{
	static const char *const never[] = {
		"\033]0;", "\033[5n", "\033c", "\0339", "\302\233", "\302\235", "\302\220",
		"\302\205", "\342\200\256",
		"\342\201\246", "\363\240\200\201", "\177",
	};

	for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
		const char *hit = memmem(bytes, len, never[i], strlen(never[i]));

		if (hit)
			return hit;
	}
	for (size_t i = 0; i < len; i++) /* as a byte of its own; within a character it is good */
		if (bytes[i] == '\233' && (!i || !(bytes[i - 1] & 0x80)))
			return bytes + i;
	return NULL;
}

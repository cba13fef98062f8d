/*
 * A config file, then tfdbg's ("TFDBG" between them; the second counts if ours is missing).
 * Settings keep to their bounds, each mistake is reported in one line, and what was set is there
 * when the file is read again, with nothing else changed.
 */
#include "cmds/session/config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/session/shell.h"
#include "tests/input.h"
#include "tui/layouts.h"

#define BETWEEN "\nTFDBG\n"

static void put_files(const uint8_t *data, size_t size)
{
	struct str dir = {0};
	const uint8_t *piece;
	size_t len;

	str_fmt(&dir, "%s/tensordbg", input_dir());
	MUST(mkdir(dir.text, 0700) == 0);
	str_release(&dir);
	if (input_piece(&data, &size, BETWEEN, &piece, &len) && len)
		input_put("tensordbg/config", piece, len);
	if (input_piece(&data, &size, BETWEEN, &piece, &len))
		input_put(".tfdbg_config", piece, len);
}

static void complain(void)
{
	struct shell *shell = shell_new();
	struct config_complaint complaint = shell_config_complaint(shell);
	struct str text = {0};

	layouts_check(&complaint);
	config_put_complaint(&complaint, &text);
	layouts_put_names(&text);
	MUST(!complaint.n == !complaint.line && (!complaint.n || *complaint.text));
	str_release(&text);
	shell_free(shell);
}

static void compare(const struct config *a, const struct config *b)
{
	for (enum setting s = 0; s < N_SETTINGS; s++)
		MUST(a->value[s] == b->value[s]);
	MUST(!strcmp(a->layout, b->layout));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum setting setting = size % N_SETTINGS, which;
	struct config config, again;
	struct err err = {0};
	struct str value = {0};

	put_files(data, size);
	complain();
	config_init(&config);
	config_put_value(&config, setting, &value);
	again = config;
	MUST(config_set(&again, setting_names[setting], value.text, &which, &err) &&
	     which == setting);
	compare(&config, &again);
	config_init(&again);
	compare(&config, &again);
	str_release(&value);
	return 0;
}

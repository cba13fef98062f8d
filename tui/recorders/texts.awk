# Files NAME.py as texts in C, recorder_NAME: what they include is put in its place. What is only
# included, part_NAME.py, is none of its own.

function put(line) {
	gsub(/\\/, "&&", line)
	gsub(/"/, "\\\"", line)
	print "\t\"" line "\\n\""
}

BEGIN {
	print "#include \"tui/recorder_texts.h\""
}
FNR == 1 {
	if (name) print "\t;"
	dir = name = FILENAME
	sub(/[^\/]*$/, "", dir)
	sub(/.*\//, "", name)
	sub(/\.py$/, "", name)
	if (name ~ /^part_/) {
		name = ""
		nextfile
	}
	print "\nconst char recorder_" name "[] ="
}
/^# include / {
	while ((getline line <(dir $3)) > 0) put(line)
	close(dir $3)
	next
}
{ put($0) }
END {
	if (name) print "\t;"
}

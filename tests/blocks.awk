# Prints the code blocks of pages as Markdown's fences, whether the page is Markdown or mdoc. In mdoc a block is a literal
# display; a comment on the line before it, .\" LANGUAGE, names its language.
function plain(line) {
	gsub(/\\&/, "", line)
	gsub(/\\-/, "-", line)
	gsub(/\\\(aq/, "'", line)
	gsub(/\\\(dq/, "\"", line)
	gsub(/\\\(ga/, "`", line)
	gsub(/\\\(ha/, "^", line)
	gsub(/\\\(ti/, "~", line)
	gsub(/\\[e\\]/, "\\", line)
	return line
}
FNR == 1 { mdoc = FILENAME !~ /\.md$/; inside = 0 }
!mdoc && /^```/ { inside = !inside; print; next }
!mdoc { if (inside) print; next }
/^\.Bd .*-literal/ { inside = 1; print "```" language; next }
inside && /^\.Ed/ { inside = 0; print "```" }
inside && !/^\./ { print plain($0) }
{ language = /^\.\\" [a-z]+$/ ? $2 : "" }

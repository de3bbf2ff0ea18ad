#!/bin/sh
# Runs the server of a JAR once, lets the tools use it, and leaves an archive of the classes that this took beside the
# JAR: with it the JVM starts the same server in less than half the time. An archive fits one JAR and one JVM; with any
# other the JVM starts as it does without one. Usage: record-classes.sh JAVA JAR
set -eu
java=$1
jar=$2
archive="${jar%.jar}.jsa"
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

rm -f "$archive"
"$java" -XX:ArchiveClassesAtExit="$archive" -Xlog:cds=off -Xlog:cds+dynamic=off -jar "$jar" server --port 0 --data "$work/data" >"$work/out" 2>&1 &
server=$!
: >>"$work/out"
tries=0
while ! grep -q "is ready at" "$work/out"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
        cat "$work/out" >&2
        exit 1
    fi
    sleep 0.2
done
address=$(sed -n 's/.*is ready at \([^ ]*\) .*/\1/p' "$work/out")
"$java" -jar "$jar" topics create --bootstrap "$address" recorded >/dev/null
echo value | "$java" -jar "$jar" produce --bootstrap "$address" recorded >/dev/null 2>&1
kill "$server"
wait "$server" || true
test -f "$archive"

#!/bin/sh
# Starts the services in the add-on's options, which Home Assistant keeps in /data/options.json.
set -euf
options=${OPTIONS:-/data/options.json}
inbox=/config/import
mkdir -p "$inbox"

if [ -n "$(ls -A "$inbox")" ]; then
    workout import "$inbox" || echo "not all of $inbox was imported; everything else goes on" >&2
fi

set -- workout serve --on everywhere --listen 0.0.0.0:7654
if jq -e .save "$options" >/dev/null; then set -- "$@" --save; fi
for name in $(jq -r '.names[]?' "$options"); do set -- "$@" --name "$name"; done
# The log is kept, so the key must not be printed. This variable tells workout that it writes to a journal (systemd.exec(5)).
if ! jq -e .show_link "$options" >/dev/null; then
    exec 3>&1
    JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/3)
    export JOURNAL_STREAM
    exec 3>&-
fi
exec "$@"

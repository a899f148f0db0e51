"""Recordings to serve: the project's own, under other identities and names."""

import datetime
import json
import pathlib
import uuid

RECORDINGS = pathlib.Path(__file__).resolve().parents[2] / "Recordings"
# Each would have an effect if a page took it for markup.
HOSTILE = '<img src=x onerror=document.title="taken">"\'&amp;<b>bold</b>\u202e'
# The same for the name of a file, after which a replayed session's athlete is called.
HOSTILE_FILE = '<img src=x onerror=document.title="taken"><b>bold'


def variant(source, folder, number, minutes=None, sensor=None, name=None, skipped=0):
    """A copy with a new identity and some of the minutes, with these names for strap and file."""
    lines = (RECORDINGS / f"{source}.jsonl").read_text().splitlines()
    first = json.loads(lines[0])
    first["id"] = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{source} {number}")).upper()
    begin = datetime.datetime.fromisoformat(first["at"].replace("Z", "+00:00"))
    since = begin + datetime.timedelta(minutes=skipped)
    kept = []
    for line in [json.dumps(first)] + lines[1:]:
        entry = json.loads(line)
        at = datetime.datetime.fromisoformat(entry["at"].replace("Z", "+00:00"))
        if minutes is not None and at - since > datetime.timedelta(minutes=minutes):
            break
        if at < since:
            # The beginning of a session stays, at a later time.
            if at > begin:
                continue
            line = json.dumps({**entry, "at": since.strftime("%Y-%m-%dT%H:%M:%S.000Z")})
        if sensor is not None:
            line = line.replace('"simulated strap"', json.dumps(sensor)).replace('"Simulated strap"', json.dumps(sensor))
        kept.append(line)
    path = pathlib.Path(folder) / f"{name or f'{source}-{number}'}.jsonl"
    path.write_text("\n".join(kept) + "\n")
    return path


def hall(folder, count):
    """Many simultaneous sessions, as in a class."""
    # Shorter recordings make the server start sooner.
    sources = ["easy-run", "intervals", "ride-dropouts"]
    # They start at different minutes, so that several zones are visible.
    return [variant(sources[number % 3], folder, number, minutes=5, skipped=number % 4 * 2) for number in range(count)]

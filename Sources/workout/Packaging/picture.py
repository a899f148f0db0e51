#!/usr/bin/env python3
"""Draws the live view as an animated SVG: picture.py COMMAND FILE. The command replays a recording on a terminal of its own at ten times
the speed. It draws at most ten frames a second, so each second of the session has one frame, and the picture is always the same. Block
characters are drawn as shapes, because fonts differ in them."""

import fcntl
import html
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios

COLUMNS, ROWS = 80, 22
WIDTH, HEIGHT, SIZE, MARGIN = 8.4, 18, 14, 16
# The shown seconds of the session, and how long each is displayed.
MOMENTS, SHOWN = list(range(21, 1161, 120)), 1.5
# The colours of xterm's palette that the live view uses (TextStyle).
COLOURS = {245: "#8a8a8a", 39: "#00afff", 40: "#00d700", 214: "#ffaf00", 203: "#ff5f5f", 220: "#ffd700", 44: "#00d7d7"}
TOKEN = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|([^\x1b\n\r]+)")


class Screen:
    """Interprets FrameDiff's output: positions, erased lines, styles and letters."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.cells = [[(" ", ())] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.style = ()

    def write(self, text):
        for codes, kind, letters in TOKEN.findall(text):
            if letters:
                for letter in letters:
                    if self.row < ROWS and self.column < COLUMNS:
                        self.cells[self.row][self.column] = (letter, self.style)
                    self.column += 1
            elif kind == "H":
                self.row, self.column = (int(code) - 1 for code in codes.split(";"))
            elif kind == "J":
                self.clear()
            elif kind == "K":
                self.cells[self.row] = [(" ", ())] * COLUMNS
            elif kind == "m":
                self.style = () if codes in ("", "0") else tuple(int(code) for code in codes.split(";"))

    def frame(self):
        return tuple(tuple(row) for row in self.cells)


def second(frame):
    """The time of the clock in the heading while the session runs."""
    heading = "".join(letter for letter, _ in frame[0])
    found = re.search(r"running +(\d+):(\d\d):(\d\d) *$", heading)
    return found and int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3])


def frames(command, recording):
    """Second → its first frame."""
    controller, device = pty.openpty()
    fcntl.ioctl(device, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [command, "replay", recording, "--speed", "10"], stdin=device, stdout=device, stderr=device,
            start_new_session=True, env={"HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC"})
        os.close(device)
        screen, rest, found = Screen(), b"", {}
        while max(found, default=0) < MOMENTS[-1]:
            if not select.select([controller], [], [], 60)[0]:
                break
            try:
                rest += os.read(controller, 1 << 16)
            except OSError:
                break
            *whole, rest = rest.split(b"\x1b[?2026l")
            for update in whole:
                screen.write(update.decode("utf-8", "replace"))
                frame = screen.frame()
                if (moment := second(frame)) is not None:
                    found.setdefault(moment, frame)
        process.terminate()
        os.close(controller)
        process.wait()
    return found


def fill(style):
    # 38;5;N is a colour of the palette, 1 is bold, 2 is dim.
    if 38 in style:
        return COLOURS[style[style.index(38) + 2]]
    return "#7d8590" if 2 in style else "#e6edf3"


def drawn(frame):
    lines = []
    for number, row in enumerate(frame):
        top = MARGIN + number * HEIGHT
        column = 0
        while column < COLUMNS:
            letter, style = row[column]
            end = column + 1
            if "\u2581" <= letter <= "\u2588" or letter == "\u2591":
                while end < COLUMNS and row[end] == row[column]:
                    end += 1
                eighths = 8 if letter == "\u2591" else ord(letter) - 0x2580
                high = HEIGHT * eighths / 8
                faint = ' opacity=".25"' if letter == "\u2591" else ""
                lines.append(
                    f'<rect x="{MARGIN + column * WIDTH:.1f}" y="{top + HEIGHT - high:.2f}" width="{(end - column) * WIDTH:.1f}" '
                    f'height="{high:.2f}" fill="{fill(style)}"{faint}/>')
            elif letter != " ":
                # A run ends at two spaces, so that each begins in its own column, whatever the font.
                while end < COLUMNS and row[end][1] == style and not "\u2581" <= row[end][0] <= "\u2591" \
                        and (row[end][0] != " " or end + 1 < COLUMNS and row[end + 1][0] != " "):
                    end += 1
                text = "".join(letter for letter, _ in row[column:end]).rstrip()
                bold = ' font-weight="bold"' if style[:1] == (1,) else ""
                lines.append(
                    f'<text x="{MARGIN + column * WIDTH:.1f}" y="{top + 13}" textLength="{len(text) * WIDTH:.1f}" '
                    f'fill="{fill(style)}"{bold}>{html.escape(text)}</text>')
            column = end
    return "\n".join(lines)


def picture(chosen):
    width, height = 2 * MARGIN + COLUMNS * WIDTH, 2 * MARGIN + ROWS * HEIGHT
    still = len(chosen) // 3
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" '
        f'font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace" font-size="{SIZE}">',
        "<title>workout replay: the live view of a recorded run</title>",
        "<style>",
        f"g {{ visibility: hidden; animation: shown {len(chosen) * SHOWN}s steps(1) infinite; }}",
        f"@keyframes shown {{ 0% {{ visibility: visible; }} {100 / len(chosen):.3f}% {{ visibility: hidden; }} }}",
        f"@media (prefers-reduced-motion) {{ g {{ animation: none; }} g:nth-of-type({still + 1}) {{ visibility: visible; }} }}",
        "</style>",
        f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#0d1117"/>',
    ]
    for number, frame in enumerate(chosen):
        parts.append(f'<g style="animation-delay: {number * SHOWN}s">\n{drawn(frame)}\n</g>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    command, file = sys.argv[1], sys.argv[2]
    recording = str(pathlib.Path(__file__).resolve().parents[3] / "Recordings/intervals.jsonl")
    found = {}
    # A busy machine skips frames.
    for _ in range(3):
        found = frames(command, recording) | found
        missing = [moment for moment in MOMENTS if moment not in found]
        if not missing:
            break
    else:
        sys.exit(f"picture: no frame of second {missing[0]} was drawn: try again while the machine is less busy")
    pathlib.Path(file).write_text(picture([found[moment] for moment in MOMENTS]), encoding="utf-8")
    print(f"picture: {file}, {len(MOMENTS)} frames")


main()

#!/usr/bin/env python3
"""Compares heart-rate variability of `workout analyze` with NeuroKit2's and hrv-analysis's, on real RR recordings.

    analytics.py --workout .build/release/workout RECORDING…

A recording is cut into stretches of two minutes, the window of alpha1, and each is a recording of its own. In a stretch without
artefacts all three have the same intervals, so what differs is the definition or a mistake:

- SDNN, RMSSD, pNN50 are sums: 1e-6 of the value. pNN50 is over the intervals, as NeuroKit2 has it; hrv-analysis divides by one
  less, which is taken out.
- alpha1 is a fit over windows of 4 to 16 beats that do not overlap: 1e-6 of the definition written out with numpy, and of
  NeuroKit2's with overlap=False. Where intervals of a window are all the same, as a strap's resolution makes them in hard exercise,
  NeuroKit2 leaves that window out and Peng's definition does not: 1 % there.
- LF/HF: the recipe that the command states (natural cubic spline at 4 Hz, Welch of 256 points, Hann, half overlap), by scipy: 1e-6.
  NeuroKit2's own recipe differs in spline, window and detrending, and leaves LF/HF alone only roughly: the median over all
  stretches of the one by the other is to be within 0.67 and 1.5.

In stretches with artefacts each cleans in its own way; there the uncorrected figures that `workout replay` prints are compared.
"""
import argparse, json, math, os, statistics, subprocess, sys, tempfile

import hrvanalysis, neurokit2, numpy
from scipy.interpolate import CubicSpline
from scipy.signal import welch

STRETCH = 120_000
EXACT = 1e-6
WITHOUT_SPREAD = 0.01
ROUGH = 1.5


class Checks:
    def __init__(self):
        self.done, self.wrong = 0, []

    def same(self, what, ours, theirs, tolerance):
        self.done += 1
        if ours is None or not math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=1e-9):
            self.wrong.append(f"{what}: {ours}, not {theirs}")


def command(workout, *arguments):
    found = subprocess.run([workout, *arguments], capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit(f"analytics: {' '.join(arguments)}: {found.stderr.strip()}")
    return found.stdout


def intervals(workout, recording):
    """All plausible RR intervals of a recording in milliseconds."""
    lines = command(workout, "convert", recording, "-", "--format", "jsonl").splitlines()
    beats = [one for line in lines for one in json.loads(line).get("rr", [])]
    return [one for one in beats if 200 <= one <= 5000]


def stretches(beats):
    stretch, length = [], 0
    for beat in beats:
        if length + beat > STRETCH:
            yield stretch
            stretch, length = [], 0
        stretch.append(beat)
        length += beat
    # The remainder counts if it is long enough for a spectrum.
    if length > 90_000:
        yield stretch


def recipe(beats):
    """LF/HF by the method that the command states."""
    times = numpy.cumsum(beats) / 1000
    count = int((times[-1] - times[0]) * 4) + 1
    even = CubicSpline(times, beats, bc_type="natural")(times[0] + numpy.arange(count) / 4)
    frequencies, density = welch(even - even.mean(), 4, "hann", 256, 128, detrend="constant")
    low = density[(frequencies >= 0.04) & (frequencies < 0.15)].sum()
    high = density[(frequencies >= 0.15) & (frequencies < 0.4)].sum()
    return low / high


def definition(beats):
    """alpha1 after Peng, and whether each window has a residual."""
    profile = numpy.cumsum(beats - numpy.mean(beats))
    windows, fluctuations, has_spread = range(4, 17), [], True
    for length in windows:
        parts = profile[: len(profile) // length * length].reshape(-1, length)
        places = numpy.arange(length)
        slopes, heights = numpy.polyfit(places, parts.T, 1)
        left = parts - numpy.outer(slopes, places) - heights[:, None]
        fluctuations.append(math.sqrt((left**2).mean()))
        has_spread = has_spread and (left.var(axis=1) > 1e-8).all()
    return numpy.polyfit(numpy.log(windows), numpy.log(fluctuations), 1)[0], has_spread


def compare(workout, name, beats, folder, checks, ratios):
    """Whether the segment has no artefacts."""
    path = os.path.join(folder, "stretch.txt")
    with open(path, "w") as file:
        file.writelines(f"{beat!r}\n" for beat in beats)
    array = numpy.array(beats)
    plain = json.loads(command(workout, "replay", path, "--speed", "max", "--json"))["workout"]["beats"]
    theirs = hrvanalysis.get_time_domain_features(beats)
    checks.same(f"{name} SDNN of all", plain["sdnn"], theirs["sdnn"], EXACT)
    checks.same(f"{name} RMSSD of all", plain["rmssd"], theirs["rmssd"], EXACT)

    ours = json.loads(command(workout, "analyze", path, "--json"))["beats"]
    if ours["artefactsInPercent"] > 0:
        return False
    peaks = neurokit2.intervals_to_peaks(array, sampling_rate=1000)
    time = neurokit2.hrv_time({"RRI": array, "RRI_Time": numpy.cumsum(array) / 1000})
    checks.same(f"{name} SDNN", ours["sdnnInMilliseconds"], float(time["HRV_SDNN"].iloc[0]), EXACT)
    checks.same(f"{name} RMSSD", ours["rmssdInMilliseconds"], float(time["HRV_RMSSD"].iloc[0]), EXACT)
    checks.same(f"{name} pNN50", ours["pnn50InPercent"], float(time["HRV_pNN50"].iloc[0]), EXACT)
    less_one = theirs["pnni_50"] * (len(beats) - 1) / len(beats)
    checks.same(f"{name} pNN50 of hrv-analysis", ours["pnn50InPercent"], less_one, EXACT)
    alpha1, _ = neurokit2.fractal_dfa(array, scale=numpy.arange(4, 17), overlap=False, order=1)
    defined, has_spread = definition(array)
    checks.same(f"{name} alpha1 by definition", ours["alpha1"], defined, EXACT)
    checks.same(f"{name} alpha1", ours["alpha1"], alpha1, EXACT if has_spread else WITHOUT_SPREAD)
    checks.same(f"{name} LF/HF", ours["lowToHighRatio"], recipe(beats), EXACT)
    frequency = neurokit2.hrv_frequency(peaks, sampling_rate=1000)
    ratios.append(ours["lowToHighRatio"] / float(frequency["HRV_LFHF"].iloc[0]))
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workout", required=True)
    parser.add_argument("recordings", nargs="+")
    options = parser.parse_args()
    checks, ratios, clean, all_of_them = Checks(), [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for recording in options.recordings:
            name = os.path.basename(recording)
            found = [
                compare(options.workout, f"{name} {number}", beats, folder, checks, ratios)
                for number, beats in enumerate(stretches(intervals(options.workout, recording)), 1)
            ]
            print(f"{name}: {len(found)} stretches, {sum(found)} without artefacts")
            clean += sum(found)
            all_of_them += len(found)
    for wrong in checks.wrong:
        print(wrong)
    if ratios:
        median = statistics.median(ratios)
        print(f"LF/HF by NeuroKit2's own recipe: median {median:.3f}, {min(ratios):.2f} to {max(ratios):.2f}")
        checks.done += 1
        if not 1 / ROUGH <= median <= ROUGH:
            checks.wrong.append("LF/HF")
    print(f"{checks.done} figures of {all_of_them} stretches ({clean} without artefacts), {len(checks.wrong)} apart")
    sys.exit(1 if checks.wrong or not clean else 0)


main()

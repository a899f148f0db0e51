/// A beat that a sensor detected wrongly, or that did not come from the sinus node.
public struct BeatArtefact: Sendable, Equatable {
    public enum Kind: Sendable, Equatable, CaseIterable {
        /// A beat was not detected: one interval spans two.
        case missed
        /// A beat was detected that did not exist: two intervals make up one.
        case extra
        /// A beat came too early or too late, and the next interval compensates for it.
        case ectopic
        /// An interval is too long, and neither of the above explains it.
        case long
        /// An interval is too short, and neither of the above explains it.
        case short
    }

    /// The index, from 0, of the interval in the uncorrected series, or of the first of two.
    public var interval: Int
    public var kind: Kind

    public init(interval: Int, kind: Kind) {
        self.interval = interval
        self.kind = kind
    }
}

/// Finds and corrects artefacts in a series of beats.
///
/// Source: Lipponen & Tarvainen, J Med Eng Technol 43:173–181, 2019. It compares differences between neighbours, and
/// from the local median, with thresholds that follow the local spread, 5.2 quartile deviations over 91 beats. The
/// pattern of three successive differences shows the kind of artefact.
///
/// It differs from the paper in three ways. An interval that one artefact explains is not part of a second one.
/// Corrections always keep the total time. No threshold is less than `leastThreshold`, because the beats of hard
/// exercise hardly vary, and the resolution of a strap would otherwise cause artefacts.
///
/// The windows are centred. In live use, filter the last minutes again as beats arrive; the latest 45 may change.
public enum BeatFilter {
    /// The least threshold in milliseconds.
    public static let leastThreshold = 10.0
    private static let thresholdFactor = 5.2
    private static let thresholdWindow = 91
    private static let medianWindow = 11
    private static let ectopicSlope = 0.13
    private static let ectopicOffset = 0.17

    /// The series without its artefacts.
    public struct Result: Sendable, Equatable {
        /// The artefacts in order of time.
        public var artefacts: [BeatArtefact]
        /// The intervals in milliseconds. They have the same sum as the uncorrected ones, but their number differs
        /// after missed and extra beats.
        public var intervals: [Double]
    }

    /// Returns the corrected series.
    ///
    /// - Parameter intervals: Intervals in milliseconds without gaps. A series of fewer than four, or with one that is
    ///   not finite, is returned unchanged.
    public static func filter(_ intervals: [Double]) -> Result {
        guard intervals.count > 3, intervals.allSatisfy(\.isFinite) else {
            return Result(artefacts: [], intervals: intervals)
        }
        let medians = SlidingWindow.map(intervals, width: medianWindow) { SlidingWindow.quantile($0, 0.5) }
        let artefacts = classify(intervals, medians)
        return Result(artefacts: artefacts, intervals: correct(intervals, artefacts, medians))
    }

    /// Returns the artefacts of a series, in order of time. No interval belongs to two.
    private static func classify(_ rr: [Double], _ medians: [Double]) -> [BeatArtefact] {
        let fromMedian = zip(rr, medians).map { $0 < $1 ? 2 * ($0 - $1) : $0 - $1 }
        var steps = [0.0]
        for i in 1..<rr.count { steps.append(rr[i] - rr[i - 1]) }
        let stepThresholds = thresholds(steps)
        let medianThresholds = thresholds(fromMedian)
        let dRR = zip(steps, stepThresholds).map { $0 / $1 }
        let mRR = zip(fromMedian, medianThresholds).map { $0 / $1 }

        var isExplained = [Bool](repeating: false, count: rr.count)
        var artefacts: [BeatArtefact] = []
        func explain(_ intervals: ClosedRange<Int>, by kind: BeatArtefact.Kind) {
            artefacts.append(BeatArtefact(interval: intervals.lowerBound, kind: kind))
            for i in intervals { isExplained[i] = true }
        }

        // A displaced beat shortens one interval and lengthens the next, or the other way round: the step between the
        // two has steps of the opposite sign on both sides. These are found first, because each half alone looks like a
        // long or short interval. The greatest comes first, because a random step beside one looks like another.
        let steep = rr.indices.dropFirst().filter { abs(dRR[$0]) > 1 }
        for i in steep.sorted(by: { abs(dRR[$0]) > abs(dRR[$1]) }) {
            guard !isExplained[i - 1], !isExplained[i] else { continue }
            let before = dRR[i - 1]
            let after = i + 1 < rr.count ? dRR[i + 1] : 0
            let isLate = dRR[i] < -1 && min(before, after) > -ectopicSlope * dRR[i] + ectopicOffset
            let isEarly = dRR[i] > 1 && max(before, after) < -ectopicSlope * dRR[i] - ectopicOffset
            if isEarly || isLate { explain((i - 1)...i, by: .ectopic) }
        }

        /// Returns 0 for a step into or out of an explained interval, or beyond the ends, because it proves nothing.
        func step(_ i: Int) -> Double {
            i < 1 || i >= rr.count || isExplained[i - 1] || isExplained[i] ? 0 : dRR[i]
        }
        /// Returns how far the sum of the intervals `i` and `i + 1` is from a single interval. Nil if they must not be
        /// joined.
        func distanceFromOne(_ i: Int) -> Double? {
            guard i >= 0, i + 1 < rr.count, !isExplained[i], !isExplained[i + 1] else { return nil }
            let distance = abs(rr[i] + rr[i + 1] - medians[i])
            return distance < medianThresholds[i] ? distance : nil
        }
        let suspects = rr.indices.filter { abs(dRR[$0]) > 1 || abs(mRR[$0]) > 3 }
        for i in suspects.sorted(by: { abs(mRR[$0]) > abs(mRR[$1]) }) where !isExplained[i] {
            let isLong = step(i) > 1 && min(step(i + 1), step(i + 2)) < -1
            let isShort = step(i) < -1 && max(step(i + 1), step(i + 2)) > 1
            guard isLong || isShort || abs(mRR[i]) > 3 else { continue }
            if fromMedian[i] < 0 {
                let withPrevious = distanceFromOne(i - 1) ?? .infinity
                let withNext = distanceFromOne(i) ?? .infinity
                if min(withPrevious, withNext) < .infinity {
                    explain(withPrevious < withNext ? (i - 1)...i : i...(i + 1), by: .extra)
                } else {
                    explain(i...i, by: .short)
                }
            } else {
                let isTwo = abs(rr[i] / 2 - medians[i]) < medianThresholds[i]
                explain(i...i, by: isTwo ? .missed : .long)
            }
        }
        return artefacts.sorted { $0.interval < $1.interval }
    }

    private static func thresholds(_ values: [Double]) -> [Double] {
        SlidingWindow.map(values.map(abs), width: thresholdWindow) { window in
            let deviation = (SlidingWindow.quantile(window, 0.75) - SlidingWindow.quantile(window, 0.25)) / 2
            return max(leastThreshold, thresholdFactor * deviation)
        }
    }

    /// Missed beats are inserted in the middle, extra ones removed, displaced ones moved to the middle of their
    /// neighbours. A long or short interval is averaged with the neighbour that compensates best; if none does, it
    /// stays.
    private static func correct(_ rr: [Double], _ artefacts: [BeatArtefact], _ medians: [Double]) -> [Double] {
        guard !artefacts.isEmpty else { return rr }
        var corrected = rr.map { [$0] }
        let taken = Set(
            artefacts.flatMap { artefact in
                switch artefact.kind {
                case .extra, .ectopic: [artefact.interval, artefact.interval + 1]
                case .missed, .long, .short: [artefact.interval]
                }
            })
        for artefact in artefacts {
            let i = artefact.interval
            switch artefact.kind {
            case .missed:
                corrected[i] = [rr[i] / 2, rr[i] / 2]
            case .extra:
                corrected[i] = [rr[i] + rr[i + 1]]
                corrected[i + 1] = []
            case .ectopic:
                let half = (rr[i] + rr[i + 1]) / 2
                corrected[i] = [half]
                corrected[i + 1] = [half]
            case .long, .short:
                let neighbours = [i - 1, i + 1].filter { rr.indices.contains($0) && !taken.contains($0) }
                let sums = neighbours.map { (neighbour: $0, half: (rr[i] + corrected[$0].reduce(0, +)) / 2) }
                guard let best = sums.min(by: { abs($0.half - medians[i]) < abs($1.half - medians[i]) }),
                    abs(best.half - medians[i]) < abs(rr[i] - medians[i])
                else { continue }
                corrected[i] = [best.half]
                corrected[best.neighbour] = [best.half]
            }
        }
        return corrected.flatMap { $0 }
    }
}

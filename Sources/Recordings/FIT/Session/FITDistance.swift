/// The distance that a device counts, as metres that were added.
///
/// Devices correct their count now and then, to one that is lower than what they said before. Nothing is added then until
/// the count is beyond the highest that it was, and in the end as much was added as the device counts in all. That is
/// different where the count begins anew: with another part of a workout, or after a loss of power. The device's own total
/// of the part tells which it was. Where there is none, a fall to less than half of 50 m or more is a new beginning,
/// unless the count soon jumps back up: then it was only a wrong number.
struct FITDistance {
    /// The records of a part of the workout, and what the device counts for it in all, where it says so.
    struct Part {
        var records: Range<Int>
        var totalInCentimeters: UInt32?
    }

    /// Replaces the count in every record by what was added up to it. `before`: the count when the workout began.
    static func settle(_ records: inout [FITRecord], parts: [Part], before: UInt32) {
        var distance = FITDistance(count: before)
        for part in parts { distance.settle(&records, part) }
    }

    private static let leastBeforeReset: UInt32 = 50_00
    /// A wrong number is right again after so many records.
    private static let longestFault = 600

    /// The device's count at the end of the part before.
    private var count: UInt32
    /// What was added so far, in cm.
    private var added: UInt64 = 0

    private init(count: UInt32) { self.count = count }

    /// One way to understand the counts of a part: what they count on from, and where they begin anew.
    private struct Reading {
        var base: UInt32
        var resets: [Int] = []

        func pieces(of counts: [UInt32]) -> [(indices: Range<Int>, base: UInt32)] {
            let starts = [0] + resets
            return zip(starts, resets + [counts.count]).enumerated().map {
                ($0.element.0..<$0.element.1, $0.offset == 0 ? base : 0)
            }
        }

        func total(of counts: [UInt32]) -> Int64 {
            pieces(of: counts).reduce(0) { $0 + max(0, Int64(counts[$1.indices.upperBound - 1]) - Int64($1.base)) }
        }
    }

    private mutating func settle(_ records: inout [FITRecord], _ part: Part) {
        let told = part.records.filter { records[$0].distance != FITRecord.none }
        let counts = told.map { records[$0].distance }
        guard let last = counts.last else { return }
        for (indices, base) in reading(of: counts, part.totalInCentimeters).pieces(of: counts) {
            let final = counts[indices.upperBound - 1]
            var highest = base
            for index in indices {
                highest = max(highest, min(counts[index], final))
                records[told[index]].distance = UInt32(
                    clamping: min(added + UInt64(highest - base), UInt64(FITRecord.none) - 1))
            }
            added += UInt64(highest - base)
        }
        count = last
    }

    private func reading(of counts: [UInt32], _ total: UInt32?) -> Reading {
        let goesOn = counts[0] >= count
        guard let total else {
            return Reading(
                base: goesOn ? count : 0, resets: Self.resets(in: counts, leastBefore: Self.leastBeforeReset))
        }
        let resets = Self.resets(in: counts, leastBefore: 0)
        var readings = [Reading(base: goesOn ? count : 0), Reading(base: goesOn ? 0 : count)]
        if !resets.isEmpty { readings += readings.map { Reading(base: $0.base, resets: resets) } }
        // Of several that are as close, the simplest.
        func distance(_ reading: Reading) -> Int64 { abs(reading.total(of: counts) - Int64(total)) }
        return readings.dropFirst().reduce(readings[0]) { distance($1) < distance($0) ? $1 : $0 }
    }

    /// Where the count falls to less than half, and goes on from there.
    private static func resets(in counts: [UInt32], leastBefore: UInt32) -> [Int] {
        var resets: [Int] = []
        var highest: UInt32 = 0
        /// Where the count last jumped up, and what it was before.
        var jump: (index: Int, before: UInt32)?
        var index = 0
        while index < counts.count {
            if counts[index] < highest / 2, highest >= leastBefore {
                if let jump, jump.before >= leastBeforeReset, counts[index] >= jump.before,
                    index - jump.index < longestFault
                {
                    highest = jump.before
                } else if let back = jumpBack(in: counts, after: index, by: highest / 2) {
                    index = back
                } else {
                    resets.append(index)
                    highest = 0
                }
            }
            if index > 0, counts[index] > highest, counts[index] - highest > counts[index] / 2 {
                jump = (index, highest)
            }
            highest = max(highest, counts[index])
            index += 1
        }
        return resets
    }

    /// Where the count is soon as high again as it was.
    private static func jumpBack(in counts: [UInt32], after index: Int, by height: UInt32) -> Int? {
        var later = index + 1
        while later < min(counts.count, index + longestFault) {
            if Int64(counts[later]) - Int64(counts[later - 1]) > Int64(height) { return later }
            later += 1
        }
        return nil
    }
}

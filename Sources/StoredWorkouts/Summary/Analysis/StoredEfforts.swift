import Analytics
import Foundation

/// The efforts of stored workouts. Each is computed once and kept in the store until samples of its time change.
package struct StoredEfforts: Sendable {
    package private(set) var byWorkout: [UUID: WorkoutEfforts] = [:]

    /// - Parameter computed: Efforts of some of the workouts that were computed from the recordings that were just stored.
    /// - Throws: The store's error if samples cannot be read. If efforts cannot be saved, they are computed again next time.
    package init(
        of workouts: [HKWorkout], in database: any HealthDatabase, computed: [UUID: WorkoutEfforts] = [:]
    ) throws {
        let kept = Kept(try database.setting(Self.setting))
        // Read before the samples, so that changes made meanwhile are noticed next time.
        let mark = try database.changedTimes(HKSeriesType.workoutRoute(), after: .max).mark
        let changes = kept.byWorkout.isEmpty ? nil : try Self.changes(in: database, after: kept.mark)
        var missing: [HKWorkout] = []
        for workout in workouts {
            if let efforts = kept.byWorkout[workout.uuid],
                changes?.overlap(workout.startDate...workout.endDate) == false
            {
                byWorkout[workout.uuid] = efforts
            } else {
                missing.append(workout)
            }
        }
        guard !missing.isEmpty else { return }
        let found = try missing.concurrentMap { try computed[$0.uuid] ?? WorkoutEfforts($0, in: database) }
        for (workout, efforts) in zip(missing, found) { byWorkout[workout.uuid] = efforts }
        // Keep the efforts of other workouts.
        let own = byWorkout
        var others = changes == nil ? [:] : kept.byWorkout.filter { own[$0.key] == nil }
        let stored = try database.stored(Set(others.keys))
        others = others.filter { stored.contains($0.key) }
        let data = Kept(mark: others.isEmpty ? mark : min(mark, kept.mark), own.merging(others) { $1 }).data
        try? database.updateSetting(Self.setting) { _ in data }
    }

    package static let setting = "efforts"

    /// The times of changed samples that efforts depend on. Nil if unknown.
    private static func changes(in database: any HealthDatabase, after mark: Int64) throws -> Times? {
        var all: [ClosedRange<Date>] = []
        for type in WorkoutEfforts.types.union([HKSeriesType.workoutRoute()]) {
            guard let ranges = try database.changedTimes(type, after: mark).ranges else { return nil }
            all += ranges
        }
        return Times(all)
    }

    /// Ranges of time in order, without overlaps.
    private struct Times {
        private var ranges: [ClosedRange<Date>] = []

        init(_ all: [ClosedRange<Date>]) {
            for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                if let last = ranges.last, range.lowerBound <= last.upperBound {
                    ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
                } else {
                    ranges.append(range)
                }
            }
        }

        func overlap(_ time: ClosedRange<Date>) -> Bool {
            let first = ranges.partitioningIndex { $0.upperBound >= time.lowerBound }
            return first < ranges.count && ranges[first].lowerBound <= time.upperBound
        }
    }
}

extension StoredEfforts {
    /// The content of the setting: numbers in the order of their declaration, little-endian.
    private struct Kept {
        /// The efforts of another version are computed again. It changes with the bytes and with the meaning of figures.
        static let version: UInt8 = 4

        /// All changes up to this number are included.
        var mark: Int64 = 0
        var byWorkout: [UUID: WorkoutEfforts] = [:]

        init(mark: Int64, _ byWorkout: [UUID: WorkoutEfforts]) {
            self.mark = mark
            self.byWorkout = byWorkout
        }

        /// Empty for bytes of another version, and for incomplete ones.
        init(_ data: Data?) {
            guard let data, data.first == Self.version else { return }
            var reader = Reader(bytes: Array(data.dropFirst()))
            var found: [UUID: WorkoutEfforts] = [:]
            guard let mark: Int64 = reader.next(), let count: UInt32 = reader.next() else { return }
            for _ in 0..<count {
                guard let first: UInt64 = reader.next(), let second: UInt64 = reader.next(),
                    let efforts = reader.efforts()
                else { return }
                found[UUID(first, second)] = efforts
            }
            self.mark = mark
            byWorkout = found
        }

        var data: Data {
            var bytes: [UInt8] = [Self.version]
            func append<Value: FixedWidthInteger>(_ value: Value) {
                withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
            }
            append(mark)
            append(UInt32(byWorkout.count))
            for (id, workout) in byWorkout {
                let (first, second) = id.halves
                append(first)
                append(second)
                append((workout.climb?.ascent ?? .nan).bitPattern)
                append((workout.climb?.descent ?? .nan).bitPattern)
                append(UInt32(workout.efforts.count))
                for effort in workout.efforts {
                    append(UInt32(HKWorkoutActivityType(caseName: effort.key.activity)?.rawValue ?? 3000))
                    append(effort.key.measure.rawValue)
                    append(effort.key.length.bitPattern)
                    append(effort.value.bitPattern)
                    append((effort.startInSeconds ?? .nan).bitPattern)
                }
            }
            return Data(bytes)
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        private var place = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
            let size = MemoryLayout<Value>.size
            guard bytes.count - place >= size else { return nil }
            defer { place += size }
            return Value(
                littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Value.self) })
        }

        /// Nil at the end of the bytes. The inner optional is nil for an unknown number.
        private mutating func number() -> Double?? {
            next(UInt64.self).map { bits -> Double? in
                let value = Double(bitPattern: bits)
                return value.isNaN ? nil : value
            }
        }

        mutating func efforts() -> WorkoutEfforts? {
            guard let ascent = number(), let descent = number(), let count: UInt32 = next() else { return nil }
            var workout = WorkoutEfforts()
            if let ascent, let descent { workout.climb = AltitudeCourse.Climb(ascent: ascent, descent: descent) }
            for _ in 0..<count {
                guard let raw: UInt32 = next(), let activity = HKWorkoutActivityType(rawValue: UInt(raw)),
                    let number: UInt8 = next(), let measure = BestEffort.Measure(rawValue: number),
                    case let length?? = self.number(), case let value?? = self.number(), let start = self.number()
                else { return nil }
                workout.efforts.append(
                    BestEffort(.init(activity.caseName, measure, length), value, startInSeconds: start))
            }
            return workout
        }
    }
}

extension UUID {
    fileprivate var halves: (UInt64, UInt64) {
        withUnsafeBytes(of: uuid) {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    fileprivate init(_ first: UInt64, _ second: UInt64) {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.storeBytes(of: first, as: UInt64.self)
            $0.storeBytes(of: second, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: bytes)
    }
}

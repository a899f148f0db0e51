import SessionLog
import Synchronization

// Samples have UUIDs, and random ones cannot be compressed: they take 16 bytes each instead of one or two. So the UUIDs
// that this module creates count upwards within a process. Their first bytes are random, so that those of two processes
// differ. Samples created one after another differ in the last two bytes only, and a run stores just those.

extension UUID {
    /// Returns a new UUID: version 8 of RFC 9562, 74 random bits for the process and a counter of 48 bits.
    package static func next() -> UUID { next(1) }

    /// Returns the first of `count` consecutive UUIDs that differ only in their ``ordinal``. At most 65,536.
    package static func next(_ count: Int) -> UUID {
        let needed = UInt64(count)
        while true {
            let first = counter.wrappingAdd(needed, ordering: .relaxed).oldValue
            if first >> 16 == (first + needed - 1) >> 16 { return UUID(process: process, counter: first) }
        }
    }

    /// Returns the UUID of a workout's sample that has none of its own. It depends only on the workout's log, so that a
    /// workout stored on two machines has the same samples on both.
    package static func ofSample(_ number: UInt64, in workout: UUID) -> UUID {
        let (head, tail) = workout.halves
        return UUID(process: (head, UInt16(truncatingIfNeeded: tail)), counter: number)
    }

    /// Returns the UUID of a series that was recorded with a workout, such as its route. It depends only on the workout,
    /// too. Those of two workouts begin differently, unlike UUIDs that count upwards, so the store finds each at once.
    package static func ofSeries(_ number: UInt64, in workout: UUID) -> UUID {
        let (head, tail) = workout.halves
        return UUID(process: (~head, UInt16(truncatingIfNeeded: tail)), counter: number)
    }

    /// Returns whether it is one of those from ``ofSample(_:in:)``.
    package func isSample(of workout: UUID) -> Bool {
        let (mine, its) = (halves, UUID.ofSample(0, in: workout).halves)
        return mine.0 == its.0 && mine.1 >> 48 == its.1 >> 48
    }

    private static let counter = Atomic<UInt64>(0)
    private static let process = (UInt64.random(in: .min ... .max), UInt16.random(in: .min ... .max))

    /// - Parameter counter: A counter of 48 bits.
    private init(process: (UInt64, UInt16), counter: UInt64) {
        self.init(version8: process.0, UInt64(process.1) << 48 | counter & 0xFFFF_FFFF_FFFF)
    }

    /// The last two bytes.
    @inlinable package var ordinal: UInt16 { UInt16(truncatingIfNeeded: halves.1) }

    /// The UUID with the ordinal 0, which the samples of a run have in common.
    package var base: UUID { with(ordinal: 0) }

    /// Returns whether the UUIDs differ in their ordinals at most.
    @inlinable package func sharesBase(with other: UUID) -> Bool {
        let (mine, theirs) = (halves, other.halves)
        return mine.0 == theirs.0 && mine.1 >> 16 == theirs.1 >> 16
    }

    /// The first eight bytes and the last eight.
    @inlinable package var halves: (UInt64, UInt64) {
        withUnsafeBytes(of: uuid) {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    package func with(ordinal: UInt16) -> UUID {
        var bytes = uuid
        bytes.14 = UInt8(ordinal >> 8)
        bytes.15 = UInt8(truncatingIfNeeded: ordinal)
        return UUID(uuid: bytes)
    }

    package static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    package var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    /// Returns nil unless there are 16 bytes.
    package init?(data: Data) {
        guard let id = data.withUnsafeBytes({ UUID(bytes: $0) }) else { return nil }
        self = id
    }

    /// A number for looking up UUIDs of other origin. Different UUIDs rarely share it.
    package var fingerprint: Int64 {
        withUnsafeBytes(of: uuid) {
            $0.loadUnaligned(fromByteOffset: 0, as: Int64.self) ^ $0.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        }
    }
}

#if Bluetooth
import Foundation

/// Distinguishes a sensor's notifications from the copies that bluetoothd makes of them.
///
/// bluetoothd signals each notification once per subscribed program, and every program receives all copies. Nothing
/// reports the number of programs, and it changes. Times do not help: a busy machine spreads the copies over 140 ms,
/// while a sensor may send twice in a moment. Only the order is reliable (BlueZ, src/gatt-client.c: all copies are sent
/// together). So after the first of some values, a query is sent to bluetoothd. Copies come before its answer, and any
/// value after the answer is another notification, even if it is equal. The length of a run of equal values before the
/// answer is then a multiple of the number of subscriptions. If several multiples are possible, a second subscription
/// of our own decides: it adds one copy to each notification, and no notifications.
///
/// Nothing is lost meanwhile: undecided values are held in order.
struct NotificationCopies {
    struct Value: Equatable {
        var bytes: [UInt8]
        var date: Date
    }

    enum Request: Equatable {
        /// Send bluetoothd a query, and call `answered()` at the place of its answer.
        case ask
        /// Add a second subscription. Call `probeBegan(_:)` once it is active, or `probeFailed(_:)`.
        case probe(Int)
        /// End the second subscription, and call `probeEnded(_:)` once it is no longer active.
        case endProbe(Int)
    }

    struct Outcome: Equatable {
        var values: [Value] = []
        var requests: [Request] = []
    }

    /// The values between a query and its answer.
    private struct Group {
        var values: [Value]
        /// The number of values, from the first on, that were delivered.
        var delivered: Int
        /// Whether the second subscription was already active when the group began.
        var isMeasured = false
        /// Whether our own subscription was already active when the group began.
        var isOurs = true

        /// The lengths of the runs of equal values.
        var runs: [Int] {
            var runs: [Int] = []
            for (place, value) in values.enumerated() {
                if place > 0, values[place - 1].bytes == value.bytes {
                    runs[runs.count - 1] += 1
                } else {
                    runs.append(1)
                }
            }
            return runs
        }

        /// The greatest common divisor of the runs, which the number of subscriptions divides.
        var unit: Int { runs.reduce(0) { Self.greatestCommonDivisor($0, $1) } }

        private static func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
            other == 0 ? one : greatestCommonDivisor(other, one % other)
        }

        /// Returns the first copy of each notification that was not delivered.
        /// - Parameter copies: Returns the number of copies of each notification in a run of equal values.
        func notifications(copies: (Int) -> [Int]) -> [Value] {
            var result: [Value] = []
            var place = 0
            for run in runs {
                var first = place
                for count in copies(run) where first < place + run {
                    if first >= delivered { result.append(values[first]) }
                    first += max(1, count)
                }
                place += run
            }
            return result
        }

        /// Returns the same if each notification has this many copies.
        func notifications(sessions: Int) -> [Value] {
            notifications { Array(repeating: max(1, sessions), count: ($0 - 1) / max(1, sessions) + 1) }
        }
    }

    private enum Probe: Equatable {
        case none, opening, measuring, closing
    }

    /// Equal values further apart than this are not copies of each other, even without a query in between.
    private let window: TimeInterval
    /// The number of subscriptions in bluetoothd, with ours. Nil if it is unknown.
    private var sessions: Int?
    /// The number of equal notifications that the sensor sends at once, as measured.
    private var usual = 1
    /// Whether to send a query after each value. If false, only after two equal values in quick succession.
    private var asks: Bool
    /// Whether our subscription is active. Before that, values for other subscribers arrive nevertheless.
    private(set) var holds: Bool
    private var last: Value?
    private var group: Group?
    private var held: [Group] = []
    private var probe = Probe.none
    private var number = 0

    /// - Parameter isShared: Whether others had subscribed before.
    init(isShared: Bool, within window: Duration) {
        sessions = isShared ? nil : 1
        asks = isShared
        holds = !isShared
        self.window = window / .seconds(1)
    }

    mutating func add(_ bytes: [UInt8], _ date: Date) -> Outcome {
        let value = Value(bytes: bytes, date: date)
        if group != nil {
            group?.values.append(value)
            return Outcome()
        }
        defer { last = value }
        if !asks, let last, last.bytes == bytes, date.timeIntervalSince(last.date) <= window {
            asks = true
            group = Group(values: [last, value], delivered: 1)
            return Outcome(requests: [.ask])
        }
        guard asks else { return Outcome(values: [value]) }
        let isHeld = !held.isEmpty
        group = Group(values: [value], delivered: isHeld ? 0 : 1, isMeasured: probe == .measuring, isOurs: holds)
        return Outcome(values: isHeld ? [] : [value], requests: [.ask])
    }

    /// Whether there are values that were not delivered.
    var isHolding: Bool { !held.isEmpty || group.map { $0.values.count > $0.delivered } ?? false }

    /// Handles the answer of bluetoothd: values from now on are new.
    mutating func answered() -> Outcome {
        guard let group else { return Outcome() }
        self.group = nil
        switch probe {
        case .none: return judge(group)
        case .opening:
            held.append(group)
            return Outcome()
        case .measuring:
            held.append(group)
            return group.isMeasured ? settle(by: group.unit) : Outcome()
        case .closing:
            return Outcome(values: group.notifications { copies(of: $0, comes: false) })
        }
    }

    private mutating func judge(_ group: Group) -> Outcome {
        let unit = group.unit
        guard group.isOurs else { return Outcome(values: group.notifications(sessions: unit)) }
        if let sessions, unit % sessions == 0, unit > sessions, unit != sessions * usual {
            number += 1
            probe = .opening
            held = [group]
            return Outcome(requests: [.probe(number)])
        }
        // Another program has subscribed or unsubscribed.
        if unit % (sessions ?? unit) != 0 || sessions == nil { sessions = unit }
        let sessions = sessions ?? 1
        if unit == sessions { usual = 1 }
        return Outcome(values: group.notifications(sessions: sessions))
    }

    /// Returns the numbers of copies while our second subscription begins or ends, with or without it. On a busy
    /// machine an answer may take until the sensor's next value, which is then in the same group. One notification with
    /// the second subscription and one without give an odd run.
    private func copies(of run: Int, comes: Bool) -> [Int] {
        let sessions = sessions ?? 1
        let isWith = run != sessions * usual && run % (sessions + 1) == 0
        let count = run / (sessions + 1) + 1
        guard sessions > 1, !isWith, run % sessions != 0, sessions * count <= run else {
            let copies = isWith ? sessions + 1 : sessions
            return Array(repeating: copies, count: (run - 1) / copies + 1)
        }
        let with = Array(repeating: sessions + 1, count: run - sessions * count)
        let without = Array(repeating: sessions, count: count - with.count)
        return comes ? without + with : with + without
    }

    /// - Parameter measured: The unit of a group that came with our second subscription.
    private mutating func settle(by measured: Int) -> Outcome {
        let unit = held[0].unit
        let between = held.dropFirst().dropLast().map(\.unit)
        let fitting = (1...unit).filter { count in
            unit % count == 0 && measured % (count + 1) == 0
                && between.allSatisfy { $0 % count == 0 || $0 % (count + 1) == 0 }
        }
        // Prefer a sensor that continues as before, then the previous number of subscriptions, then the largest
        // possible one.
        sessions =
            fitting.last { unit / $0 == measured / ($0 + 1) } ?? fitting.first { $0 == sessions } ?? fitting.last
            ?? unit
        usual = max(1, measured / ((sessions ?? 1) + 1))
        return release()
    }

    private mutating func release() -> Outcome {
        let sessions = sessions ?? 1
        var values = held.prefix(1).flatMap { group in group.notifications(sessions: sessions) }
        values += held.dropFirst().flatMap { group in group.notifications { copies(of: $0, comes: true) } }
        held = []
        probe = .closing
        return Outcome(values: values, requests: [.endProbe(number)])
    }

    /// Our subscription is active for all values from now on.
    mutating func began() { holds = true }

    /// Returns whether this second subscription is still needed.
    func isProbing(_ number: Int) -> Bool { number == self.number && (probe == .opening || probe == .measuring) }

    /// The second subscription is active for all values from now on.
    mutating func probeBegan(_ number: Int) {
        if number == self.number, probe == .opening { probe = .measuring }
    }

    /// There is no second subscription: surplus values are taken as copies for a new subscriber.
    mutating func probeFailed(_ number: Int) -> Outcome {
        guard number == self.number, probe == .opening, let unit = held.first?.unit else { return Outcome() }
        sessions = unit
        return release()
    }

    /// The sensor is silent, so nothing can be measured: the values are taken as sent by it.
    mutating func probeIsLate(_ number: Int) -> Outcome {
        guard number == self.number, !held.isEmpty else { return Outcome() }
        return release()
    }

    mutating func probeEnded(_ number: Int) {
        if number == self.number, probe == .closing { probe = .none }
    }

    /// Returns the values that are held when the link ends.
    mutating func end() -> [Value] {
        let sessions = sessions ?? 1
        let rest = held + [group].compactMap(\.self)
        held = []
        group = nil
        return rest.flatMap { $0.notifications(sessions: sessions) }
    }
}
#endif

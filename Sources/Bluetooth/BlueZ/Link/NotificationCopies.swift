#if Bluetooth
import Foundation

/// Tells a sensor's notifications from the copies that bluetoothd makes of them.
///
/// bluetoothd signals one notification once for each program that has subscribed, and everybody hears all of it; nobody
/// says how many there are, and they come and go. Times tell nothing: a busy machine spreads the copies over 140 ms,
/// while a sensor may send twice in a moment. What can be relied on is order (BlueZ, src/gatt-client.c: all copies are
/// sent in one go). So after the first of some values bluetoothd is asked something: copies come before its answer,
/// and what comes after the answer is another notification, however equal. The length of a run of equal values before
/// the answer is then a multiple of the number of subscriptions. Where it could be several multiples, one more
/// subscription of our own shows which: copies become more by one, notifications of the sensor do not.
///
/// Nothing is lost meanwhile: what is not decided yet is held, in order, until it is.
struct NotificationCopies {
    struct Value: Equatable {
        var bytes: [UInt8]
        var date: Date
    }

    enum Request: Equatable {
        /// Ask bluetoothd something; `answered()` at the place of its answer.
        case ask
        /// One more subscription; `probeBegan(_:)` once it holds, or `probeFailed(_:)`.
        case probe(Int)
        /// End it; `probeEnded(_:)` once it no longer holds.
        case endProbe(Int)
    }

    struct Outcome: Equatable {
        var values: [Value] = []
        var requests: [Request] = []
    }

    /// What came between a question and its answer.
    private struct Group {
        var values: [Value]
        /// How many of them, from the first, have been given out.
        var told: Int
        /// Whether our second subscription held already when it began.
        var isMeasured = false
        /// Whether our own subscription held already when it began.
        var isOurs = true

        /// The lengths of its runs of equal values.
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

        /// The number of subscriptions divides it.
        var unit: Int { runs.reduce(0) { Self.greatestCommonDivisor($0, $1) } }

        private static func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
            other == 0 ? one : greatestCommonDivisor(other, one % other)
        }

        /// The first copy of each notification that has not been given out.
        /// - Parameter copies: How many copies a run of equal values has of each of its notifications.
        func notifications(copies: (Int) -> [Int]) -> [Value] {
            var result: [Value] = []
            var place = 0
            for run in runs {
                var first = place
                for count in copies(run) where first < place + run {
                    if first >= told { result.append(values[first]) }
                    first += max(1, count)
                }
                place += run
            }
            return result
        }

        /// The same where each notification has as many.
        func notifications(sessions: Int) -> [Value] {
            notifications { Array(repeating: max(1, sessions), count: ($0 - 1) / max(1, sessions) + 1) }
        }
    }

    private enum Probe: Equatable {
        case none, opening, measuring, closing
    }

    /// Equal values that are further apart are no copies of each other, even where nobody was asked in between.
    private let window: TimeInterval
    /// How many subscriptions bluetoothd has, ours among them; nil: not known yet.
    private var sessions: Int?
    /// How many equal notifications at once the sensor was measured to send.
    private var usual = 1
    /// Whether bluetoothd is asked after each value. Else only once two equal ones have come in close succession.
    private var asks: Bool
    /// Whether our subscription holds. Before, what others have subscribed to is heard all the same.
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
            group = Group(values: [last, value], told: 1)
            return Outcome(requests: [.ask])
        }
        guard asks else { return Outcome(values: [value]) }
        let isHeld = !held.isEmpty
        group = Group(values: [value], told: isHeld ? 0 : 1, isMeasured: probe == .measuring, isOurs: holds)
        return Outcome(values: isHeld ? [] : [value], requests: [.ask])
    }

    /// Whether values wait that have come already.
    var isHolding: Bool { !held.isEmpty || group.map { $0.values.count > $0.told } ?? false }

    /// bluetoothd has answered; what comes now is new.
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
        // Somebody has come, or gone.
        if unit % (sessions ?? unit) != 0 || sessions == nil { sessions = unit }
        let sessions = sessions ?? 1
        if unit == sessions { usual = 1 }
        return Outcome(values: group.notifications(sessions: sessions))
    }

    /// While our second subscription comes or goes: with it or without. On a busy machine a question may take as long as
    /// the sensor's next value, which is then in the same group; one with and one without leave an odd run.
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
        // A sensor that goes on as it was; else what was so before; else as many subscribers as can be.
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

    /// Our subscription holds for all values that are told from now on.
    mutating func began() { holds = true }

    /// Whether this second subscription is still wanted.
    func isProbing(_ number: Int) -> Bool { number == self.number && (probe == .opening || probe == .measuring) }

    /// The second subscription holds for all values that are told from now on.
    mutating func probeBegan(_ number: Int) {
        if number == self.number, probe == .opening { probe = .measuring }
    }

    /// No second subscription was to be had: more values than subscriptions are taken for a new subscriber's.
    mutating func probeFailed(_ number: Int) -> Outcome {
        guard number == self.number, probe == .opening, let unit = held.first?.unit else { return Outcome() }
        sessions = unit
        return release()
    }

    /// The sensor is silent, and nothing can be measured: what has come so often is taken for what it sent.
    mutating func probeIsLate(_ number: Int) -> Outcome {
        guard number == self.number, !held.isEmpty else { return Outcome() }
        return release()
    }

    mutating func probeEnded(_ number: Int) {
        if number == self.number, probe == .closing { probe = .none }
    }

    /// What is still held when the link ends.
    mutating func end() -> [Value] {
        let sessions = sessions ?? 1
        let rest = held + [group].compactMap(\.self)
        held = []
        group = nil
        return rest.flatMap { $0.notifications(sessions: sessions) }
    }
}
#endif

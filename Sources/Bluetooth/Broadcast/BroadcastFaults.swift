import GATT

/// Makes the faults of a plan. Pure: time is a parameter.
struct BroadcastFaults: Sendable {
    /// What a fault does besides changing values.
    enum Action: Sendable, Equatable {
        case disconnect
        case demandPairing(Bool)
        case rename(String)
        case send(BroadcastState.Notification)
    }

    private var timed: ArraySlice<BroadcastFaultPlan.Timed>
    private let random: [BroadcastFault]
    private let every: Duration
    private var generator: Generator
    private var nextRandom: Duration?
    private var mutedUntil = Duration.zero
    private var withoutContactUntil = Duration.zero
    private var pairingUntil: Duration?

    init(_ plan: BroadcastFaultPlan) {
        timed = plan.timed[...]
        random = plan.random
        every = plan.every
        generator = Generator(state: plan.seed)
        if !random.isEmpty { nextRandom = generator.pause(every) }
    }

    /// When ``due(at:)`` has the next fault.
    var deadline: Duration? { [timed.first?.at, nextRandom, pairingUntil].compactMap(\.self).min() }

    /// The faults that are due, in their order, with what to do for each. No fault for the end of one.
    mutating func due(at now: Duration) -> [(fault: BroadcastFault?, action: Action?)] {
        var over: [(fault: BroadcastFault?, action: Action?)] = []
        if let pairingUntil, pairingUntil <= now {
            self.pairingUntil = nil
            over = [(nil, .demandPairing(false))]
        }
        var happening: [(at: Duration, fault: BroadcastFault)] = []
        while let next = timed.first, next.at <= now {
            happening.append((next.at, next.fault))
            timed.removeFirst()
        }
        while let next = nextRandom, next <= now {
            let fault = random[Int(generator.next() % UInt64(random.count))]
            happening.append((next, fault))
            nextRandom = next + generator.pause(every)
        }
        return over + happening.sorted { $0.at < $1.at }.map { ($0.fault, begin($0.fault, at: now)) }
    }

    private mutating func begin(_ fault: BroadcastFault, at now: Duration) -> Action? {
        func heartRate(_ bytes: [UInt8]) -> Action { .send(.init(.heartRateMeasurement, bytes)) }
        switch fault {
        case .disconnect: return .disconnect
        case .mute(let span):
            mutedUntil = max(mutedUntil, now + span)
            return nil
        case .lostContact(let span):
            withoutContactUntil = max(withoutContactUntil, now + span)
            return nil
        case .refusePairing(let span):
            pairingUntil = span.map { now + $0 }
            return .demandPairing(true)
        case .impossible:
            return heartRate(HeartRateMeasurement(heartRate: 511, rrIntervals: [.max]).bytes)
        case .bytes(let bytes): return heartRate(bytes)
        case .battery(let percent): return .send(.init(.batteryLevel, BatteryLevel(percent: percent).bytes))
        case .rename(let name): return .rename(name)
        }
    }

    /// The notifications as the present faults leave them.
    func apply(
        to notifications: [BroadcastState.Notification], at now: Duration
    ) -> [BroadcastState.Notification] {
        if now < mutedUntil { return [] }
        guard now < withoutContactUntil else { return notifications }
        return notifications.map { notification in
            guard notification.characteristic == .heartRateMeasurement else { return notification }
            let empty = HeartRateMeasurement(heartRate: 0, sensorContact: .notDetected)
            return .init(.heartRateMeasurement, empty.bytes)
        }
    }

    /// The same numbers on every run (Steele, Lea and Flood's SplitMix64).
    private struct Generator: Sendable {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }

        /// Half to one and a half times `every`.
        mutating func pause(_ every: Duration) -> Duration {
            every * (0.5 + Double(next() >> 11) / Double(1 << 53))
        }
    }
}

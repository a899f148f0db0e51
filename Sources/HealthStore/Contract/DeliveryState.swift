/// The state of the background deliveries of one type to one app, and the next step. Pure: no I/O, no clock.
///
/// A delivery starts an app that is not running. The app answers when its observer query calls the completion handler.
/// According to Apple's documentation, an unanswered delivery is tried again at growing intervals, and after the third the
/// app is no longer started for the type. The intervals are this library's choice.
package struct DeliveryState: Sendable, Equatable {
    /// The frequency that the app asked for; see ``frequency(for:)``.
    package var frequency: HKUpdateFrequency
    /// The change up to which the app has answered, as a sequence number of the store.
    package var answered: Int64
    package var lastStart: Date?
    /// The number of starts since the last answer.
    package var unanswered: Int

    /// After this many unanswered starts, deliveries of the type end until the app answers or enables them again.
    package static let maximumUnanswered = 3
    /// The pause between the first unanswered start and the next, if the frequency allows it. Then it doubles.
    package static let firstRetryInSeconds: TimeInterval = 60

    package init(
        frequency: HKUpdateFrequency, answered: Int64, lastStart: Date? = nil, unanswered: Int = 0
    ) {
        self.frequency = frequency
        self.answered = answered
        self.lastStart = lastStart
        self.unanswered = unanswered
    }

    package enum Step: Sendable, Equatable {
        /// The app knows all changes.
        case nothing
        /// The app is due later.
        case wait(until: Date)
        case start
        /// The app did not answer three times.
        case givenUp
    }

    /// - Parameter latest: The latest change of the type.
    package func next(latest: Int64, for type: HKSampleType, now: Date) -> Step {
        guard latest > answered else { return .nothing }
        guard unanswered < Self.maximumUnanswered else { return .givenUp }
        // A clock that was set back must not delay deliveries.
        guard let lastStart, lastStart <= now else { return .start }
        let due = lastStart + distance(for: type)
        return due <= now ? .start : .wait(until: due)
    }

    private func distance(for type: HKSampleType) -> TimeInterval {
        let period = frequency(for: type).periodInSeconds
        guard unanswered > 0 else { return period }
        return max(period, Self.firstRetryInSeconds) * Double(1 << (unanswered - 1))
    }

    // MARK: Events

    package mutating func started(at now: Date) {
        lastStart = now
        unanswered += 1
    }

    /// The app has handled all changes up to `change`.
    package mutating func answered(upTo change: Int64) {
        answered = max(answered, change)
        unanswered = 0
    }

    /// The app asked again, possibly for another frequency.
    package mutating func enabled(_ frequency: HKUpdateFrequency) {
        self.frequency = frequency
        unanswered = 0
    }

    // MARK: Frequencies

    /// The requested frequency, or the limit of the type if that is longer.
    package func frequency(for type: HKSampleType) -> HKUpdateFrequency {
        guard Self.hourlyAtBest.contains(type.identifier), frequency == .immediate else { return frequency }
        return .hourly
    }

    /// The limit of step counts is documented. Users measured the others on iOS 9.2.
    private static let hourlyAtBest: Set<String> = [
        HKQuantityTypeIdentifier.stepCount.rawValue, HKQuantityTypeIdentifier.activeEnergyBurned.rawValue,
        HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue,
    ]
}

extension HKUpdateFrequency {
    /// The shortest time between two deliveries of a type.
    package var periodInSeconds: TimeInterval {
        switch self {
        case .immediate: 0
        case .hourly: 3_600
        case .daily: 86_400
        case .weekly: 604_800
        @unknown default: 3_600
        }
    }

    package var name: String {
        switch self {
        case .immediate: "immediate"
        case .hourly: "hourly"
        case .daily: "daily"
        case .weekly: "weekly"
        @unknown default: "\(rawValue)"
        }
    }
}

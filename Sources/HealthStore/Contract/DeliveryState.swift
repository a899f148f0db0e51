/// How the background deliveries of one type to one app stand, and what to do next: no I/O, no clock.
///
/// A delivery is the start of an app that is not running. The app answers when its observer query calls the completion
/// handler. Apple's documentation says that an unanswered delivery is tried again at growing distances, and that after the
/// third the app is no longer started for the type; the distances are ours.
package struct DeliveryState: Sendable, Equatable {
    /// As the app asked; see ``frequency(for:)``.
    package var frequency: HKUpdateFrequency
    /// The change (a sequence number of the store) up to which the app has answered.
    package var answered: Int64
    package var lastStart: Date?
    /// Starts since the last answer.
    package var unanswered: Int

    /// So many unanswered starts end the deliveries of the type, until the app answers after all or enables them again.
    package static let maximumUnanswered = 3
    /// From the first unanswered start to the next, where the frequency allows it; then twice as long.
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
        /// Nothing has changed that the app does not know.
        case nothing
        /// The app is to be started, but not yet.
        case wait(until: Date)
        case start
        /// It did not answer three times.
        case givenUp
    }

    /// - Parameter latest: The latest change of the type.
    package func next(latest: Int64, for type: HKSampleType, now: Date) -> Step {
        guard latest > answered else { return .nothing }
        guard unanswered < Self.maximumUnanswered else { return .givenUp }
        // A clock that was set back must not hold deliveries up.
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

    /// The app has dealt with all changes up to `change`.
    package mutating func answered(upTo change: Int64) {
        answered = max(answered, change)
        unanswered = 0
    }

    /// The app asked again, perhaps for another frequency.
    package mutating func enabled(_ frequency: HKUpdateFrequency) {
        self.frequency = frequency
        unanswered = 0
    }

    // MARK: Frequencies

    /// The frequency asked for, or the cap of the type where that is longer.
    package func frequency(for type: HKSampleType) -> HKUpdateFrequency {
        guard Self.hourlyAtBest.contains(type.identifier), frequency == .immediate else { return frequency }
        return .hourly
    }

    /// Step counts are documented; the others were measured by users under iOS 9.2.
    private static let hourlyAtBest: Set<String> = [
        HKQuantityTypeIdentifier.stepCount.rawValue, HKQuantityTypeIdentifier.activeEnergyBurned.rawValue,
        HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue,
    ]
}

extension HKUpdateFrequency {
    /// The least time between two deliveries of a type.
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

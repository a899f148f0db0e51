extension SampleFilter {
    /// Whether a match depends on what contains an object, which may change without the object.
    package var asksForMembership: Bool {
        switch self {
        case .workout, .withoutCorrelation: true
        case .and(let parts), .or(let parts): parts.contains(where: \.asksForMembership)
        case .not(let part): part.asksForMembership
        default: false
        }
    }

    /// Whether a sample matches. This defines each filter; the store's SQL gives the same results.
    ///
    /// As in `NSPredicate`, a comparison with a missing value (a metadata key, a total) is false, except for
    /// `notEqual`, which is always the opposite of `equal`. Only the store knows the workouts and correlations of a
    /// sample, so here it has none.
    package func matches(_ sample: HKSample) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .and(let parts): parts.allSatisfy { $0.matches(sample) }
        case .or(let parts): parts.contains { $0.matches(sample) }
        case .not(let part): !part.matches(sample)

        case .ids(let ids): ids.contains(sample.uuid)
        case .sources(let identifiers): identifiers.contains(sample.sourceRevision.source.bundleIdentifier)
        case .sourceText(let field, let text, let pattern):
            text.matches(sample.sourceRevision.source.text(field), pattern)
        case .sourceRevisions(let patterns): patterns.contains { $0.matches(sample.sourceRevision) }
        case .devices(let devices): sample.device.map(devices.contains) ?? false
        case .deviceProperty(let key, let allowed):
            if let property = sample.device?.property(key) { allowed.contains(property) } else { allowed.isEmpty }
        case .hasMetadata(let key): sample.metadata?[key] != nil
        case .metadata(let key, let comparison, let value): value.compares(comparison, to: sample.metadata?[key])
        case .workout: false
        case .withoutCorrelation: true

        case .startDate(let comparison, let date): comparison.holds(sample.startDate, date)
        case .endDate(let comparison, let date): comparison.holds(sample.endDate, date)
        case .quantity(let comparison, let quantity):
            comparison.holds((sample as? HKQuantitySample)?.quantity, quantity)
        case .seriesCount(let comparison, let count): sample.seriesCount.map { comparison.holds($0, count) } ?? false
        case .categoryValue(let comparison, let value):
            (sample as? HKCategorySample).map { comparison.holds($0.value, value) } ?? false

        case .custom(let custom): custom.predicate.evaluate(with: sample)

        case .workoutActivityType, .workoutDuration, .workoutTotal, .workoutStatistic, .workoutActivity:
            (sample as? HKWorkout).map(matches(workout:)) ?? false
        case .activityType, .activityDuration, .activityStartDate, .activityEndDate, .activityStatistic:
            false
        }
    }

    private func matches(workout: HKWorkout) -> Bool {
        switch self {
        case .workoutActivityType(let comparison, let type):
            comparison.holds(workout.workoutActivityType.rawValue, type)
        case .workoutDuration(let comparison, let seconds): comparison.holds(workout.duration, seconds)
        case .workoutTotal(let total, let comparison, let quantity):
            comparison.holds(workout.total(total), quantity)
        case .workoutStatistic(let type, let statistic, let comparison, let quantity):
            comparison.holds(workout.statistics(for: type)?.quantity(statistic), quantity)
        case .workoutActivity(let inner): workout.workoutActivities.contains(where: inner.matches)
        default: false
        }
    }

    /// Whether an activity of a workout matches, for the filters inside ``workoutActivity(_:)``.
    package func matches(_ activity: HKWorkoutActivity) -> Bool {
        switch self {
        case .all: true
        case .and(let parts): parts.allSatisfy { $0.matches(activity) }
        case .or(let parts): parts.contains { $0.matches(activity) }
        case .not(let part): !part.matches(activity)
        case .ids(let ids): ids.contains(activity.uuid)
        case .hasMetadata(let key): activity.metadata?[key] != nil
        case .metadata(let key, let comparison, let value): value.compares(comparison, to: activity.metadata?[key])
        case .activityType(let comparison, let type):
            comparison.holds(activity.workoutConfiguration.activityType.rawValue, type)
        case .activityDuration(let comparison, let seconds): comparison.holds(activity.duration, seconds)
        case .activityStartDate(let comparison, let date): comparison.holds(activity.startDate, date)
        // A running activity has no end yet.
        case .activityEndDate(let comparison, let date): comparison.holds(activity.endDate ?? .distantFuture, date)
        case .activityStatistic(let type, let statistic, let comparison, let quantity):
            comparison.holds(activity.statistics(for: type)?.quantity(statistic), quantity)
        case .custom(let custom): custom.predicate.evaluate(with: activity)
        case .none, .sources, .sourceText, .sourceRevisions, .devices, .deviceProperty, .workout, .withoutCorrelation,
            .startDate, .endDate, .quantity, .seriesCount, .categoryValue, .workoutActivityType, .workoutDuration,
            .workoutTotal, .workoutStatistic, .workoutActivity:
            false
        }
    }

    /// Whether a medication matches. Only ``custom(_:)`` applies to medications.
    package func matches(_ medication: HKUserAnnotatedMedication) -> Bool {
        switch self {
        case .all: true
        case .and(let parts): parts.allSatisfy { $0.matches(medication) }
        case .or(let parts): parts.contains { $0.matches(medication) }
        case .not(let part): !part.matches(medication)
        case .custom(let custom): custom.predicate.evaluate(with: medication)
        default: false
        }
    }
}

extension SampleFilter.Comparison {
    /// Compares physically. Quantities of different dimensions are only unequal.
    package func holds(_ left: HKQuantity?, _ right: HKQuantity) -> Bool {
        guard let left, left.is(compatibleWith: right.unit) else { return self == .notEqual }
        return holds(left.compare(right).rawValue, 0)
    }
}

extension SampleFilter.Value {
    /// Whether a comparison with a metadata value holds. Values of different kinds are only unequal.
    package func compares(_ comparison: SampleFilter.Comparison, to value: Any?) -> Bool {
        switch (value, self) {
        case (let left as HKQuantity, .quantity(let right)): comparison.holds(left, right)
        case (let left as Date, .date(let right)): comparison.holds(left, right)
        case (let left as String, .string(let right)): comparison.holds(left, right)
        case (let left as NSNumber, .number(let right)): comparison.holds(left.doubleValue, right)
        default: comparison == .notEqual
        }
    }
}

extension SampleFilter.Text {
    /// Compares like `NSPredicate` without options: case and accents matter, `like` supports `*` and `?`, and `matches`
    /// takes a regular expression for the whole text.
    package func matches(_ text: String, _ pattern: String) -> Bool {
        switch self {
        case .equal: text == pattern
        case .beginsWith: text.hasPrefix(pattern)
        case .endsWith: text.hasSuffix(pattern)
        case .contains: pattern.isEmpty || text.contains(pattern)
        case .like: Self.covers(text, Self.expression(like: pattern))
        case .matches: Self.covers(text, pattern)
        }
    }

    private static func covers(_ text: String, _ pattern: String) -> Bool {
        guard
            let expression = try? NSRegularExpression(
                pattern: "\\A(?:\(pattern))\\z", options: .dotMatchesLineSeparators)
        else { return false }
        return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    private static func expression(like pattern: String) -> String {
        pattern.map { character in
            switch character {
            case "*": ".*"
            case "?": "."
            default: NSRegularExpression.escapedPattern(for: String(character))
            }
        }.joined()
    }
}

extension SampleFilter.SourceRevisionPattern {
    package func matches(_ revision: HKSourceRevision) -> Bool {
        let system = revision.operatingSystemVersion
        return bundleIdentifier == revision.source.bundleIdentifier
            && (matchesAnyVersion || version == revision.version)
            && (matchesAnyProductType || productType == revision.productType)
            && (operatingSystem.map {
                $0 == "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
            } ?? true)
    }
}

extension HKSource {
    package func text(_ field: SampleFilter.SourceField) -> String {
        switch field {
        case .name: name
        case .bundleIdentifier: bundleIdentifier
        }
    }
}

extension HKDevice {
    /// Returns a property by its ``HKDevicePropertyKeyName`` or similar. Also nil for an unknown name.
    package func property(_ key: String) -> String? {
        switch key {
        case HKDevicePropertyKeyName: name
        case HKDevicePropertyKeyManufacturer: manufacturer
        case HKDevicePropertyKeyModel: model
        case HKDevicePropertyKeyHardwareVersion: hardwareVersion
        case HKDevicePropertyKeyFirmwareVersion: firmwareVersion
        case HKDevicePropertyKeySoftwareVersion: softwareVersion
        case HKDevicePropertyKeyLocalIdentifier: localIdentifier
        case HKDevicePropertyKeyUDIDeviceIdentifier: udiDeviceIdentifier
        default: nil
        }
    }
}

extension HKSample {
    /// The number of values of a series or a quantity sample.
    fileprivate var seriesCount: Int? { (self as? HKSeriesSample)?.count ?? (self as? HKQuantitySample)?.count }
}

extension HKWorkout {
    fileprivate func total(_ total: SampleFilter.WorkoutTotal) -> HKQuantity? {
        switch total {
        case .energyBurned: totalEnergyBurned
        case .distance: totalDistance
        case .swimmingStrokeCount: totalSwimmingStrokeCount
        case .flightsClimbed: totalFlightsClimbed
        }
    }
}

extension HKStatistics {
    fileprivate func quantity(_ statistic: SampleFilter.Statistic) -> HKQuantity? {
        switch statistic {
        case .sum: sumQuantity()
        case .minimum: minimumQuantity()
        case .maximum: maximumQuantity()
        case .average: averageQuantity()
        }
    }
}

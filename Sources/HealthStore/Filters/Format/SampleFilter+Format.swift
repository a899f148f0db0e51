import Units

/// A filter in the syntax of `NSPredicate(format:)`. Values without a syntax, such as devices and quantities, are
/// written as their descriptions.
extension SampleFilter: CustomStringConvertible {
    package var description: String {
        switch self {
        case .all: "TRUEPREDICATE"
        case .none: "FALSEPREDICATE"
        case .and(let parts): parts.map(\.descriptionAsPart).joined(separator: " AND ")
        case .or(let parts): parts.map(\.descriptionAsPart).joined(separator: " OR ")
        case .not(let part): "NOT (\(part))"
        case .custom(let custom): custom.predicate.description
        case .workoutActivity(let inner): "ANY workoutActivity (\(inner))"
        default: comparisonDescription
        }
    }

    private var descriptionAsPart: String {
        switch self {
        case .and, .or: "(\(self))"
        default: description
        }
    }

    private var comparisonDescription: String {
        switch self {
        case .ids(let ids): Self.membership("UUID", ids.map(\.uuidString))
        case .sources(let identifiers): Self.membership("source.bundleIdentifier", identifiers.map(\.quoted))
        case .sourceText(let field, let text, let pattern):
            "source.\(field.rawValue) \(text.symbol) \(pattern.quoted)"
        case .sourceRevisions(let patterns): Self.membership("sourceRevision", patterns.map(\.description))
        case .devices(let devices): Self.membership("device", devices.map { "\"\($0)\"" })
        case .deviceProperty(let key, let allowed):
            allowed.isEmpty
                ? "device.\(PredicateKey.deviceKeyPath(key)) == nil"
                : Self.membership("device.\(PredicateKey.deviceKeyPath(key))", allowed.map(\.quoted))
        case .hasMetadata(let key): "metadata.\(key) != nil"
        case .metadata(let key, let comparison, let value): "metadata.\(key) \(comparison) \(value)"
        case .workout(let id): "workout == \(id)"
        case .withoutCorrelation: "correlation == nil"
        case .startDate(let comparison, let date): "startDate \(comparison) \(date.inPredicate)"
        case .endDate(let comparison, let date): "endDate \(comparison) \(date.inPredicate)"
        case .quantity(let comparison, let quantity): "quantity \(comparison) \(quantity)"
        case .seriesCount(let comparison, let count): "count \(comparison) \(count)"
        case .categoryValue(let comparison, let value): "value \(comparison) \(value)"
        case .workoutActivityType(let comparison, let type): "workoutType \(comparison) \(type)"
        case .workoutDuration(let comparison, let seconds): "duration \(comparison) \(seconds.shortestText)"
        case .workoutTotal(let total, let comparison, let quantity): "\(total.keyPath) \(comparison) \(quantity)"
        case .workoutStatistic(let type, let statistic, let comparison, let quantity):
            "\(statistic.rawValue)Quantity.\(type.identifier) \(comparison) \(quantity)"
        case .activityType(let comparison, let type): "activityType \(comparison) \(type)"
        case .activityDuration(let comparison, let seconds): "activityDuration \(comparison) \(seconds.shortestText)"
        case .activityStartDate(let comparison, let date): "activityStartDate \(comparison) \(date.inPredicate)"
        case .activityEndDate(let comparison, let date): "activityEndDate \(comparison) \(date.inPredicate)"
        case .activityStatistic(let type, let statistic, let comparison, let quantity):
            "activity\(statistic.rawValue.capitalized)Quantity.\(type.identifier) \(comparison) \(quantity)"
        case .all, .none, .and, .or, .not, .custom, .workoutActivity: ""
        }
    }

    private static func membership(_ key: String, _ values: [String]) -> String {
        values.count == 1 ? "\(key) == \(values[0])" : "\(key) IN {\(values.sorted().joined(separator: ", "))}"
    }
}

extension SampleFilter.Comparison: CustomStringConvertible {
    package var description: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .equal: "=="
        case .notEqual: "!="
        case .greaterOrEqual: ">="
        case .greater: ">"
        }
    }
}

extension SampleFilter.Value: CustomStringConvertible {
    package var description: String {
        switch self {
        case .string(let text): text.quoted
        case .number(let number): number.shortestText
        case .date(let date): date.inPredicate
        case .quantity(let quantity): quantity.description
        }
    }
}

extension SampleFilter.SourceRevisionPattern: CustomStringConvertible {
    package var description: String {
        let parts = [
            bundleIdentifier, matchesAnyVersion ? "any version" : version ?? "no version",
            matchesAnyProductType ? "any product" : productType ?? "no product", operatingSystem ?? "any system",
        ]
        return "(\(parts.joined(separator: ", ")))"
    }
}

extension SampleFilter.Text {
    package var symbol: String {
        switch self {
        case .equal: "=="
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .contains: "CONTAINS"
        case .like: "LIKE"
        case .matches: "MATCHES"
        }
    }
}

extension SampleFilter.WorkoutTotal {
    package var keyPath: String {
        switch self {
        case .energyBurned: HKPredicateKeyPathWorkoutTotalEnergyBurned
        case .distance: HKPredicateKeyPathWorkoutTotalDistance
        case .swimmingStrokeCount: HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount
        case .flightsClimbed: HKPredicateKeyPathWorkoutTotalFlightsClimbed
        }
    }
}

extension Date {
    /// Dates as `NSPredicate` writes them: seconds since 2001.
    fileprivate var inPredicate: String { "CAST(\(timeIntervalSinceReferenceDate.shortestText), \"NSDate\")" }
}

extension String {
    fileprivate var quoted: String {
        "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

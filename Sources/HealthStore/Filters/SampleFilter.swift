/// The condition of a query as a value. Every predicate is converted to one.
///
/// The store evaluates a filter with SQL and the summaries of runs as far as possible, and the rest on samples in
/// memory (``matches(_:)``). Both give the same result.
package indirect enum SampleFilter: Sendable, Equatable {
    case all
    case none
    case and([SampleFilter])
    case or([SampleFilter])
    case not(SampleFilter)

    // Objects
    case ids(Set<UUID>)
    /// Bundle identifiers.
    case sources(Set<String>)
    case sourceText(SourceField, Text, String)
    case sourceRevisions(Set<SourceRevisionPattern>)
    case devices(Set<HKDevice>)
    /// An empty set matches objects without the property.
    case deviceProperty(String, Set<String>)
    case hasMetadata(String)
    case metadata(String, Comparison, Value)
    /// Samples of this workout.
    case workout(UUID)
    case withoutCorrelation

    // Samples
    case startDate(Comparison, Date)
    case endDate(Comparison, Date)
    /// In any unit, compared physically.
    case quantity(Comparison, HKQuantity)
    case seriesCount(Comparison, Int)
    case categoryValue(Comparison, Int)

    // Workouts
    case workoutActivityType(Comparison, UInt)
    case workoutDuration(Comparison, TimeInterval)
    case workoutTotal(WorkoutTotal, Comparison, HKQuantity)
    case workoutStatistic(HKQuantityType, Statistic, Comparison, HKQuantity)
    /// A workout with a matching activity. The inner filter is about activities.
    case workoutActivity(SampleFilter)
    case activityType(Comparison, UInt)
    case activityDuration(Comparison, TimeInterval)
    case activityStartDate(Comparison, Date)
    case activityEndDate(Comparison, Date)
    case activityStatistic(HKQuantityType, Statistic, Comparison, HKQuantity)

    /// A condition in the app's own code (`NSPredicate(block:)`), evaluated on samples in memory.
    case custom(CustomPredicate)

    package enum Comparison: String, Sendable, CaseIterable {
        case less, lessOrEqual, equal, notEqual, greaterOrEqual, greater
    }

    package enum Value: Sendable, Equatable, Hashable {
        case string(String)
        case number(Double)
        case date(Date)
        case quantity(HKQuantity)
    }

    package enum Statistic: String, Sendable { case sum, minimum, maximum, average }
    package enum WorkoutTotal: String, Sendable { case energyBurned, distance, swimmingStrokeCount, flightsClimbed }
    package enum SourceField: String, Sendable { case name, bundleIdentifier }
    package enum Text: String, Sendable { case equal, beginsWith, endsWith, contains, like, matches }

    /// A source revision. Nil matches anything.
    package struct SourceRevisionPattern: Sendable, Hashable {
        package var bundleIdentifier: String
        package var version: String?
        package var matchesAnyVersion: Bool
        package var productType: String?
        package var matchesAnyProductType: Bool
        /// `major.minor.patch`; nil for any.
        package var operatingSystem: String?

        package init(
            bundleIdentifier: String, version: String? = nil, matchesAnyVersion: Bool = true,
            productType: String? = nil, matchesAnyProductType: Bool = true, operatingSystem: String? = nil
        ) {
            self.bundleIdentifier = bundleIdentifier
            self.version = version
            self.matchesAnyVersion = matchesAnyVersion
            self.productType = productType
            self.matchesAnyProductType = matchesAnyProductType
            self.operatingSystem = operatingSystem
        }
    }

    /// An opaque predicate.
    // Sendable holds: the query evaluates the predicate for one sample at a time and does nothing else with it.
    package struct CustomPredicate: @unchecked Sendable, Equatable {
        package let predicate: NSPredicate

        package init(_ predicate: NSPredicate) {
            self.predicate = predicate
        }

        package static func == (a: Self, b: Self) -> Bool { a.predicate === b.predicate }
    }
}

/// The matching samples of one type.
package struct SampleSelection: Sendable, Equatable {
    package var type: HKSampleType
    package var filter: SampleFilter
    /// Set to a bundle identifier if reading was denied, so that the reader sees only this app's samples.
    package var onlySource: String?

    package init(_ type: HKSampleType, _ filter: SampleFilter = .all, onlySource: String? = nil) {
        self.type = type
        self.filter = filter
        self.onlySource = onlySource
    }
}

/// A sort key of samples.
package struct SampleSort: Sendable, Equatable {
    package enum Key: String, Sendable, CaseIterable {
        case startDate, endDate, uuid, quantity, categoryValue, workoutDuration, workoutTotalDistance
        case workoutTotalEnergyBurned, workoutTotalSwimmingStrokeCount, workoutTotalFlightsClimbed
    }

    package var key: Key
    package var ascending: Bool

    package init(_ key: Key, ascending: Bool = true) {
        self.key = key
        self.ascending = ascending
    }
}

extension SampleFilter.Value {
    /// Nil for a value that metadata cannot contain.
    package init?(_ value: Any) {
        switch value {
        case let quantity as HKQuantity: self = .quantity(quantity)
        case let date as Date: self = .date(date)
        case let text as String: self = .string(text)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let enumeration as any RawRepresentable: self.init(enumeration.rawValue)
        default: return nil
        }
    }
}

extension SampleFilter.SourceRevisionPattern {
    package init(_ revision: HKSourceRevision) {
        let system = revision.operatingSystemVersion
        let numbers = [system.majorVersion, system.minorVersion, system.patchVersion]
        let any = HKSourceRevisionAnyOperatingSystem
        self.init(
            bundleIdentifier: revision.source.bundleIdentifier, version: revision.version,
            matchesAnyVersion: revision.version == HKSourceRevisionAnyVersion, productType: revision.productType,
            matchesAnyProductType: revision.productType == HKSourceRevisionAnyProductType,
            operatingSystem: numbers == [any.majorVersion, any.minorVersion, any.patchVersion]
                ? nil : numbers.map(String.init).joined(separator: "."))
    }
}

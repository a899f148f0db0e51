extension PredicateKey {
    /// A comparison of this key with a constant, nil for no value.
    func predicate(
        _ relation: PredicateRelation, _ options: PredicateRelation.Options, _ value: Any?
    ) throws(PredicateFormatError) -> NSPredicate {
        if self == .dateComponents { return try summaries(relation, value) }
        return try filter(relation, options, value).predicate
    }

    private func filter(
        _ relation: PredicateRelation, _ options: PredicateRelation.Options, _ value: Any?
    ) throws(PredicateFormatError) -> SampleFilter {
        if case .workoutActivity(let inner) = self {
            return .workoutActivity(try inner.filter(relation, options, value))
        }
        switch relation {
        case .compares(let comparison):
            if !options.isEmpty, let pattern = value as? String, comparison == .equal || comparison == .notEqual {
                let same = try text(.equal, pattern, options)
                return comparison == .equal ? same : same.negated
            }
            // A missing value is unequal to everything.
            return comparison == .notEqual && mayBeAbsent
                ? try filter(.equal, value).negated : try filter(comparison, value)
        case .text(let text):
            guard let pattern = value as? String else { throw misfit(value) }
            return try self.text(text, pattern, options)
        case .isIn:
            return try membership(Self.list(value).orThrow(misfit(value)))
        case .isBetween:
            let bounds = try Self.list(value).orThrow(misfit(value))
            guard bounds.count == 2 else { throw PredicateFormatError.unusable("BETWEEN needs two values") }
            return .and([try filter(.greaterOrEqual, bounds[0]), try filter(.lessOrEqual, bounds[1])])
        }
    }

    private var mayBeAbsent: Bool {
        switch self {
        case .startDate, .endDate, .quantity, .count, .categoryValue, .workoutType, .workoutDuration, .activityType,
            .activityDuration, .activityStartDate, .activityEndDate:
            false
        default: true
        }
    }

    private static func list(_ value: Any?) -> [Any]? {
        switch value {
        case let list as [Any]: list
        case let set as Set<AnyHashable>: Array(set)
        case let set as NSSet: set.allObjects
        default: nil
        }
    }

    private func membership(_ values: [Any]) throws(PredicateFormatError) -> SampleFilter {
        var filters: [SampleFilter] = []
        for value in values { filters.append(try filter(.equal, value)) }
        return SampleFilter.union(filters) ?? .any(of: filters)
    }

    private func misfit(_ value: Any?) -> PredicateFormatError {
        PredicateFormatError.unusable("\(self) cannot be compared in this way with \(value.map { "\($0)" } ?? "nil")")
    }

    // MARK: Sizes

    private func filter(
        _ comparison: SampleFilter.Comparison, _ value: Any?
    ) throws(PredicateFormatError) -> SampleFilter {
        switch self {
        case .startDate: return .startDate(comparison, try date(value))
        case .endDate: return .endDate(comparison, try date(value))
        case .quantity: return .quantity(comparison, try quantity(value))
        case .count: return .seriesCount(comparison, try whole(value))
        case .categoryValue: return .categoryValue(comparison, try whole(value))
        case .discrete(let figure): return try figure.filter(comparison, value).orThrow(misfit(value))
        case .property(let property): return try property.filter(comparison, value).orThrow(misfit(value))
        case .metadata(let key):
            guard let value else { return try absence(comparison, .not(.hasMetadata(key))) }
            return .metadata(key, comparison, try SampleFilter.Value(value).orThrow(misfit(value)))
        case .workoutType: return .workoutActivityType(comparison, try activity(value))
        case .workoutDuration: return .workoutDuration(comparison, try number(value))
        case .workoutTotal(let total): return .workoutTotal(total, comparison, try quantity(value))
        case .workoutStatistic(let type, let statistic):
            return .workoutStatistic(type, statistic, comparison, try quantity(value, of: type))
        case .activityType: return .activityType(comparison, try activity(value))
        case .activityDuration: return .activityDuration(comparison, try number(value))
        case .activityStartDate: return .activityStartDate(comparison, try date(value))
        case .activityEndDate: return .activityEndDate(comparison, try date(value))
        case .activityStatistic(let type, let statistic):
            return .activityStatistic(type, statistic, comparison, try quantity(value, of: type))
        case .uuid, .source, .sourceText, .sourceRevision, .device, .deviceProperty, .correlation, .workout:
            guard comparison == .equal else { throw misfit(value) }
            return try identity(value)
        case .workoutActivity, .dateComponents:
            throw misfit(value)
        }
    }

    /// Compares values without an order.
    private func identity(_ value: Any?) throws(PredicateFormatError) -> SampleFilter {
        switch (self, value) {
        case (.uuid, _):
            return .ids([try id(value)])
        case (.workout, _):
            if let workout = value as? HKWorkout { return .workout(workout.uuid) }
            return .workout(try id(value))
        case (.correlation, nil):
            return .withoutCorrelation
        case (.source, let source as HKSource):
            return .sources([source.bundleIdentifier])
        case (.sourceText(.bundleIdentifier), let identifier as String):
            return .sources([identifier])
        case (.sourceText(.name), let name as String):
            return .sourceText(.name, .equal, name)
        case (.sourceRevision, let revision as HKSourceRevision):
            return .sourceRevisions([SampleFilter.SourceRevisionPattern(revision)])
        case (.device, let device as HKDevice):
            return .devices([device])
        case (.deviceProperty(let key), nil):
            return .deviceProperty(key, [])
        case (.deviceProperty(let key), let text as String):
            return .deviceProperty(key, [text])
        default:
            throw misfit(value)
        }
    }

    private func absence(
        _ comparison: SampleFilter.Comparison, _ filter: SampleFilter
    ) throws(PredicateFormatError) -> SampleFilter {
        guard comparison == .equal else { throw misfit(nil) }
        return filter
    }

    // MARK: Constants

    private func date(_ value: Any?) throws(PredicateFormatError) -> Date {
        try (value as? Date).orThrow(misfit(value))
    }

    private func quantity(_ value: Any?, of type: HKQuantityType? = nil) throws(PredicateFormatError) -> HKQuantity {
        guard let quantity = value as? HKQuantity, type?.is(compatibleWith: quantity.unit) ?? true else {
            throw misfit(value)
        }
        return quantity
    }

    private func number(_ value: Any?) throws(PredicateFormatError) -> Double {
        try (value as? NSNumber).orThrow(misfit(value)).doubleValue
    }

    private func whole(_ value: Any?) throws(PredicateFormatError) -> Int {
        if let enumeration = value as? any RawRepresentable, let raw = enumeration.rawValue as? Int { return raw }
        return try Int(exactly: number(value)).orThrow(misfit(value))
    }

    private func activity(_ value: Any?) throws(PredicateFormatError) -> UInt {
        if let type = value as? HKWorkoutActivityType { return type.rawValue }
        return try UInt(exactly: number(value)).orThrow(misfit(value))
    }

    private func id(_ value: Any?) throws(PredicateFormatError) -> UUID {
        try (value as? UUID ?? (value as? String).flatMap(UUID.init)).orThrow(misfit(value))
    }

    // MARK: Texts

    private func text(
        _ text: SampleFilter.Text, _ pattern: String, _ options: PredicateRelation.Options
    ) throws(PredicateFormatError) -> SampleFilter {
        switch self {
        case .sourceText, .deviceProperty, .metadata: break
        case .property(let property) where property.isText: break
        default: throw misfit(pattern)
        }
        if text == .matches, (try? NSRegularExpression(pattern: pattern)) == nil {
            throw PredicateFormatError.unusable("\"\(pattern)\" is not a regular expression")
        }
        return matching(text, pattern, options)
    }

    /// A comparison of texts: a filter's case if there is one, else code.
    package func matching(
        _ text: SampleFilter.Text, _ pattern: String, _ options: PredicateRelation.Options
    ) -> SampleFilter {
        if case .sourceText(let field) = self, options.isEmpty { return .sourceText(field, text, pattern) }
        let letters =
            (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
        let suffix = options.isEmpty ? "" : "[\(letters)]"
        let test = TestPredicate("\(self) \(text.symbol)\(suffix) \"\(pattern)\"") { object in
            guard let value = self.text(of: object) else { return false }
            return text.matches(value, pattern, options)
        }
        return .custom(SampleFilter.CustomPredicate(test))
    }

    private func text(of object: Any) -> String? {
        switch (self, object) {
        case (.sourceText(let field), let sample as HKObject): sample.sourceRevision.source.text(field)
        case (.deviceProperty(let key), let sample as HKObject): sample.device?.property(key)
        case (.metadata(let key), let sample as HKObject): sample.metadata?[key] as? String
        case (.metadata(let key), let activity as HKWorkoutActivity): activity.metadata?[key] as? String
        case (.property(let property), _): property.value(of: object) as? String
        default: nil
        }
    }

    // MARK: Activity summaries

    private func summaries(_ relation: PredicateRelation, _ value: Any?) throws(PredicateFormatError) -> NSPredicate {
        func day(_ value: Any?) throws(PredicateFormatError) -> DateComponents {
            guard let day = value as? DateComponents ?? (value as? NSDateComponents).map({ $0 as DateComponents }),
                day.calendar != nil, CivilDay(day) != nil
            else { throw PredicateFormatError.unusable("dateComponents can be compared with days of a calendar only") }
            return day
        }
        switch relation {
        case .compares(let comparison):
            return ActivitySummaryPredicate(comparison, try day(value))
        case .isBetween:
            guard let bounds = value as? [Any], bounds.count == 2 else { throw misfit(value) }
            return NSCompoundPredicate(andPredicateWithSubpredicates: [
                ActivitySummaryPredicate(.greaterOrEqual, try day(bounds[0])),
                ActivitySummaryPredicate(.lessOrEqual, try day(bounds[1])),
            ])
        case .isIn, .text:
            throw misfit(value)
        }
    }
}

extension PredicateKey: CustomStringConvertible {
    package var description: String {
        switch self {
        case .metadata(let key): "metadata.\(key)"
        case .sourceText(let field): "source.\(field.rawValue)"
        case .deviceProperty(let key): "device.\(Self.deviceKeyPath(key))"
        case .discrete(let figure): figure.rawValue
        case .property(let property): property.rawValue
        case .workoutStatistic(let type, let statistic): "\(statistic.rawValue)Quantity.\(type.identifier)"
        case .activityStatistic(let type, let statistic):
            "activity\(statistic.rawValue.capitalized)Quantity.\(type.identifier)"
        case .workoutActivity(let inner): "\(HKPredicateKeyPathWorkoutActivity).\(inner)"
        default: Self.plain.first { $0.value == self }?.key ?? "it"
        }
    }
}

extension PredicateKey.DiscreteFigure {
    /// Nil if the value does not fit. Evaluated on samples, because filters have no such case.
    fileprivate func filter(_ comparison: SampleFilter.Comparison, _ value: Any?) -> SampleFilter? {
        let test: (HKDiscreteQuantitySample) -> Bool
        switch (self, value) {
        case (.minimum, let quantity as HKQuantity): test = { comparison.holds($0.minimumQuantity, quantity) }
        case (.maximum, let quantity as HKQuantity): test = { comparison.holds($0.maximumQuantity, quantity) }
        case (.mostRecent, let quantity as HKQuantity): test = { comparison.holds($0.mostRecentQuantity, quantity) }
        case (.mostRecentStart, let date as Date):
            test = { comparison.holds($0.mostRecentQuantityDateInterval.start, date) }
        case (.mostRecentEnd, let date as Date):
            test = { comparison.holds($0.mostRecentQuantityDateInterval.end, date) }
        case (.mostRecentDuration, let seconds as NSNumber):
            test = { comparison.holds($0.mostRecentQuantityDateInterval.duration, seconds.doubleValue) }
        default: return nil
        }
        let predicate = TestPredicate("\(rawValue) \(comparison) \(value.map { "\($0)" } ?? "nil")") { object in
            (object as? HKDiscreteQuantitySample).map(test) ?? false
        }
        return .custom(SampleFilter.CustomPredicate(predicate))
    }
}

extension SampleFilter.Text {
    fileprivate func matches(_ text: String, _ pattern: String, _ options: PredicateRelation.Options) -> Bool {
        var folding: String.CompareOptions = []
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        if options.contains(.caseInsensitive) {
            // Folding the case of a regular expression would turn \S into \s.
            if self == .matches { return matches(text, "(?i)" + pattern, options.subtracting(.caseInsensitive)) }
            folding.insert(.caseInsensitive)
        }
        guard !folding.isEmpty else { return matches(text, pattern) }
        return matches(
            text.folding(options: folding, locale: nil), pattern.folding(options: folding, locale: nil))
    }
}

extension SampleFilter {
    fileprivate var negated: SampleFilter {
        if case .not(let inner) = self { inner } else { .not(self) }
    }

    /// Combines several values of one kind to a set, for filters with sets.
    fileprivate static func union(_ filters: [SampleFilter]) -> SampleFilter? {
        guard let first = filters.first else { return nil }
        return filters.dropFirst().reduce(first) { (union: SampleFilter?, filter) -> SampleFilter? in
            switch (union, filter) {
            case (.ids(let a), .ids(let b)): .ids(a.union(b))
            case (.sources(let a), .sources(let b)): .sources(a.union(b))
            case (.devices(let a), .devices(let b)): .devices(a.union(b))
            case (.sourceRevisions(let a), .sourceRevisions(let b)): .sourceRevisions(a.union(b))
            case (.deviceProperty(let key, let a), .deviceProperty(let other, let b))
            where key == other && !a.isEmpty && !b.isEmpty:
                .deviceProperty(key, a.union(b))
            default: nil
            }
        }
    }
}

extension Optional {
    fileprivate func orThrow(_ error: PredicateFormatError) throws(PredicateFormatError) -> Wrapped {
        guard let self else { throw error }
        return self
    }
}

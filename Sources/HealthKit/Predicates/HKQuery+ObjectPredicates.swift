extension HKQuery {
    /// The object with this UUID.
    public class func predicateForObject(with UUID: UUID) -> NSPredicate {
        SampleFilter.ids([UUID]).predicate
    }

    /// The objects with these UUIDs. An empty set matches none.
    public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
        SampleFilter.ids(UUIDs).predicate
    }

    /// Objects that an app saved.
    public class func predicateForObjects(from source: HKSource) -> NSPredicate {
        predicateForObjects(from: [source])
    }

    /// Objects that one of these apps saved.
    public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
        SampleFilter.sources(Set(sources.map(\.bundleIdentifier))).predicate
    }

    /// Objects of these source revisions. ``HKSourceRevisionAnyVersion`` and similar constants match anything.
    public class func predicateForObjects(from sourceRevisions: Set<HKSourceRevision>) -> NSPredicate {
        SampleFilter.sourceRevisions(Set(sourceRevisions.map(SampleFilter.SourceRevisionPattern.init))).predicate
    }

    /// Objects of devices that are equal in every property, including missing ones.
    public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
        SampleFilter.devices(devices).predicate
    }

    /// Objects whose device has one of these values of a property.
    /// - Parameters:
    ///   - key: ``HKDevicePropertyKeyName`` or another property key. Anything else stops the program.
    ///   - allowedValues: The values. An empty set matches objects without the property.
    public class func predicateForObjects(
        withDeviceProperty key: String, allowedValues: Set<String>
    ) -> NSPredicate {
        guard PredicateKey.deviceProperties.values.contains(key) else {
            preconditionFailure("\(key) is not a device property: use HKDevicePropertyKeyName or another one")
        }
        return SampleFilter.deviceProperty(key, allowedValues).predicate
    }

    /// Samples of a workout, including its routes.
    public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
        SampleFilter.workout(workout.uuid).predicate
    }

    /// Objects with this metadata key, whatever the value.
    public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
        SampleFilter.hasMetadata(key).predicate
    }

    /// Objects with one of these values of a metadata key. A value other than a String, number, Date or HKQuantity stops the program.
    public class func predicateForObjects(withMetadataKey key: String, allowedValues: [Any]) -> NSPredicate {
        SampleFilter.any(of: allowedValues.map { .metadata(key, .equal, metadataValue($0, key)) }).predicate
    }

    /// Objects whose metadata value matches the comparison. An object without the key only matches `notEqualTo`. The program stops
    /// if the operator doesn't fit the value, or the value is not a String, number, Date or HKQuantity.
    public class func predicateForObjects(
        withMetadataKey key: String, operatorType: PredicateOperator, value: Any
    ) -> NSPredicate {
        if let comparison = SampleFilter.Comparison(operatorType) {
            let value = metadataValue(value, key)
            return SampleFilter.comparing(comparison) { .metadata(key, $0, value) }.predicate
        }
        switch (operatorType, value) {
        case (.in, let values as [Any]):
            return predicateForObjects(withMetadataKey: key, allowedValues: values)
        case (.between, let values as [Any]) where values.count == 2:
            return SampleFilter.and([
                .metadata(key, .greaterOrEqual, metadataValue(values[0], key)),
                .metadata(key, .lessOrEqual, metadataValue(values[1], key)),
            ]).predicate
        case (_, let pattern as String):
            if let text = SampleFilter.Text(operatorType) {
                return PredicateKey.metadata(key).matching(text, pattern, []).predicate
            }
        default:
            break
        }
        preconditionFailure("metadata \(key) cannot be compared with \(value) by operator \(operatorType.rawValue)")
    }

    /// Samples that are not part of a correlation.
    public class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
        SampleFilter.withoutCorrelation.predicate
    }

    private static func metadataValue(_ value: Any, _ key: String) -> SampleFilter.Value {
        guard let value = SampleFilter.Value(value) else {
            preconditionFailure(
                "metadata \(key) cannot be \(value): a String, a number, a Date or an HKQuantity can be compared")
        }
        return value
    }
}

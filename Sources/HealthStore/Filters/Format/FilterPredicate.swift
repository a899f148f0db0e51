/// A transparent predicate: it has a ``SampleFilter``.
///
/// It evaluates to true for matching samples, activities of workouts and medications, and to false for everything else.
/// Only the store knows the workouts and correlations of a sample, so conditions on these are false.
package final class FilterPredicate: NSPredicate, NSSecureCoding {
    package let filter: SampleFilter

    package init(_ filter: SampleFilter) {
        self.filter = filter
        super.init(value: true)
    }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        switch object {
        case let sample as HKSample: filter.matches(sample)
        case let activity as HKWorkoutActivity: filter.matches(activity)
        case let medication as HKUserAnnotatedMedication: filter.matches(medication)
        default: false
        }
    }

    package override var predicateFormat: String { filter.description }

    package override var description: String { filter.description }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FilterPredicate else { return false }
        return other === self || other.filter == filter
    }

    // Filters contain values without a hash. Equal texts have the same hash.
    package override var hash: Int { filter.description.hashValue }

    package override func copy() -> Any { self }

    package override func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    private static let formatKey = "format"

    /// Fails for parts that the text of a predicate does not state in full: source revisions, devices, quantities,
    /// code.
    package func encode(with coder: NSCoder) {
        let text = filter.description
        guard let read = try? PredicateParser.predicate(text, []) as? FilterPredicate, read.filter == filter else {
            coder.failWithError(
                CocoaError(
                    .coderInvalidValue,
                    userInfo: [NSLocalizedDescriptionKey: "The predicate \(text) cannot be archived."]
                ))
            return
        }
        coder.encode(text as NSString, forKey: Self.formatKey)
    }

    package convenience init?(coder: NSCoder) {
        guard let text = coder.decodeString(forKey: Self.formatKey),
            let read = try? PredicateParser.predicate(text, []) as? FilterPredicate
        else { return nil }
        self.init(read.filter)
    }

    package static var supportsSecureCoding: Bool { true }
}

extension SampleFilter {
    /// The filter as a predicate. `TRUEPREDICATE` and `FALSEPREDICATE` are Foundation's own.
    package var predicate: NSPredicate { FilterPredicate(self) }
}

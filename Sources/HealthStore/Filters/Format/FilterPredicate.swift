/// A predicate that can be looked into: it carries the ``SampleFilter`` that it stands for.
///
/// It also evaluates: true for samples, activities of workouts and medications that match; false for everything else. Whether a
/// sample belongs to a workout or to a correlation is known to the store alone, so of a sample in hand neither is true.
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

    // Filters hold values that have no hash; equal texts are the same hash.
    package override var hash: Int { filter.description.hashValue }

    package override func copy() -> Any { self }

    package override func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    private static let formatKey = "format"

    /// Fails for what the text of a predicate does not say in full: source revisions, devices, quantities, own code.
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
    /// As a predicate; `TRUEPREDICATE` and the like stay what Foundation has for them.
    package var predicate: NSPredicate { FilterPredicate(self) }
}

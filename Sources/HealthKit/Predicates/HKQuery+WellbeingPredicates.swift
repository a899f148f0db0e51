// Predicates for objects that are rare in a store. They are evaluated sample by sample.

extension HKQuery {
    /// States of mind whose valence (−1 … +1) matches the comparison.
    public class func predicateForStatesOfMind(
        withValence valence: Double, operatorType: PredicateOperator
    ) -> NSPredicate {
        let comparison = SampleFilter.Comparison(comparing: operatorType, "a valence")
        return test("valence \(comparison) \(valence)") { (state: HKStateOfMind) in
            comparison.holds(state.valence, valence)
        }
    }

    /// States of mind of this kind: of a moment, or of a whole day.
    public class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
        test("kind == \(kind.rawValue)") { (state: HKStateOfMind) in state.kind == kind }
    }

    /// States of mind with this label.
    public class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
        test("ANY labels == \(label.rawValue)") { (state: HKStateOfMind) in state.labels.contains(label) }
    }

    /// States of mind with this association.
    public class func predicateForStatesOfMind(with association: HKStateOfMind.Association) -> NSPredicate {
        test("ANY associations == \(association.rawValue)") { (state: HKStateOfMind) in
            state.associations.contains(association)
        }
    }

    /// Returns a predicate that is false for samples of another class.
    static func test<Sample: HKSample>(_ text: String, _ holds: @escaping (Sample) -> Bool) -> NSPredicate {
        let test = TestPredicate(text) { ($0 as? Sample).map(holds) ?? false }
        return SampleFilter.custom(SampleFilter.CustomPredicate(test)).predicate
    }
}

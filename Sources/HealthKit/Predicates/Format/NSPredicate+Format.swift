// Foundation on Linux has no `NSPredicate(format:)`. This one is about HealthKit's objects.

/// Lets an initialiser of `NSPredicate` return one of its subclasses: only an initialiser in a protocol extension may
/// give `self` another value.
package protocol PredicateCluster {}

extension PredicateCluster {
    fileprivate init(member make: () -> Self) {
        self = make()
    }
}

extension NSPredicate: PredicateCluster {
    /// A predicate over HealthKit's objects, in the words of Apple's Predicate Programming Guide: key paths (the
    /// `HKPredicateKeyPath…` constants, `metadata.KEY`, `source.name`, `source.bundleIdentifier`, `device.name` and the
    /// like) compared with constants and arguments (`%@`, `%K`, `%d`, `%f`) by `==`, `!=`, `<`, `<=`, `>`, `>=`,
    /// `BETWEEN`, `IN`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE` and `MATCHES`, the last five with `[cd]`, and joined
    /// by `AND`, `OR` and `NOT`. What is absent is unequal to everything: `metadata.HKWasUserEntered != YES` is true of a
    /// sample without that key.
    ///
    /// Stops the program when the format cannot be parsed, as Foundation on Apple's systems does.
    public convenience init(format: String, _ args: Any?...) {
        self.init(format: format, arguments: args)
    }

    /// The same with the arguments in an array.
    public convenience init(format: String, argumentArray: [Any]?) {
        self.init(format: format, arguments: argumentArray ?? [])
    }

    private convenience init(format: String, arguments: [Any?]) {
        self.init(member: {
            do {
                let predicate = try PredicateParser.predicate(format, arguments)
                guard let member = predicate as? Self else {
                    preconditionFailure("\"\(format)\" is no \(Self.self)")
                }
                return member
            } catch {
                preconditionFailure("Unable to parse the format string \"\(format)\": \(error)")
            }
        })
    }
}

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
    /// Stops the program when the format cannot be parsed, as Foundation on Apple's systems does. One that can be, but
    /// names a key that HealthKit's objects do not have or compares one with a value of another kind, is a predicate with
    /// which every query fails; the error (``HKError/Code/errorInvalidArgument``) says the key. Evaluating it stops the
    /// program, as key-value coding raises for an undefined key.
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
                let predicate = try Self.read(format, arguments)
                guard let member = predicate as? Self else {
                    preconditionFailure("\"\(format)\" is no \(Self.self)")
                }
                return member
            } catch {
                preconditionFailure("Unable to parse the format string \"\(format)\": \(error)")
            }
        })
    }

    private static func read(_ format: String, _ arguments: [Any?]) throws(PredicateFormatError) -> NSPredicate {
        do {
            return try PredicateParser.predicate(format, arguments)
        } catch  where error.isReadable {
            return RefusedPredicate(format, error)
        }
    }
}

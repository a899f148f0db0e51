// Foundation on Linux has no `NSPredicate(format:)`. This one supports HealthKit's objects.

/// Lets an initializer of `NSPredicate` return a subclass, because only an initializer in a protocol extension may
/// assign to `self`.
package protocol PredicateCluster {}

extension PredicateCluster {
    fileprivate init(member make: () -> Self) {
        self = make()
    }
}

extension NSPredicate: PredicateCluster {
    /// Creates a predicate for HealthKit's objects, in the syntax of Apple's Predicate Programming Guide: key paths
    /// (the `HKPredicateKeyPath…` constants, `metadata.KEY`, `source.name`, `source.bundleIdentifier`, `device.name`
    /// and others) compared with constants and arguments (`%@`, `%K`, `%d`, `%f`) by `==`, `!=`, `<`, `<=`, `>`, `>=`,
    /// `BETWEEN`, `IN`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE` and `MATCHES`, the last five with `[cd]`, and
    /// joined by `AND`, `OR` and `NOT`. A missing value is unequal to everything: `metadata.HKWasUserEntered != YES` is
    /// true for a sample without that key.
    ///
    /// Stops the program if the format cannot be parsed, as Foundation on Apple's systems does. If it names a key that
    /// HealthKit's objects do not have, or compares one with a value of another kind, every query with it fails with
    /// ``HKError/Code/errorInvalidArgument``, which names the key. Evaluating it stops the program, as key-value coding
    /// does for an undefined key.
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
                    preconditionFailure("\"\(format)\" is not a \(Self.self)")
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

/// A predicate that runs code, with the words that describe it.
package final class TestPredicate: NSPredicate {
    private let text: String
    private let test: (Any) -> Bool

    package init(_ text: String, _ test: @escaping (Any) -> Bool) {
        self.text = text
        self.test = test
        super.init(value: true)
    }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        object.map(test) ?? false
    }

    package override var predicateFormat: String { text }

    package override var description: String { text }

    package override func isEqual(_ object: Any?) -> Bool { object as? TestPredicate === self }

    package override var hash: Int { ObjectIdentifier(self).hashValue }

    package override func copy() -> Any { self }

    package override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A cache of results for kinds of readings, so that each is computed once. A workout has about ten kinds.
///
/// It is used for every reading, also in other modules, so it is inlinable and compiled there for their type of value.
@usableFromInline
package struct KindCache<Value> {
    /// The limit keeps the cache small even if a caller makes a kind for each reading.
    private static var limit: Int { 32 }

    @usableFromInline var known: [Known] = []

    @usableFromInline
    struct Known {
        @usableFromInline var kind: ReadingKind
        @usableFromInline var object: ObjectIdentifier
        @usableFromInline var value: Value
    }

    package init() {}

    /// Nil if nothing was stored, or too many others were stored since.
    @inlinable
    package subscript(kind: ReadingKind) -> Value? {
        for place in 0..<known.count where known[place].kind === kind { return known[place].value }
        return known.first { $0.kind == kind }?.value
    }

    /// Nil if nothing was stored for this very object. An equal kind may still have a value.
    @inlinable
    package subscript(object: ObjectIdentifier) -> Value? {
        for place in 0..<known.count where known[place].object == object { return known[place].value }
        return nil
    }

    package mutating func note(_ value: Value, of kind: ReadingKind) {
        if known.count == Self.limit { known.removeFirst() }
        known.append(Known(kind: kind, object: ObjectIdentifier(kind), value: value))
    }

    package mutating func forget() { known.removeAll() }
}

extension KindCache.Known: Sendable where Value: Sendable {}
extension KindCache: Sendable where Value: Sendable {}

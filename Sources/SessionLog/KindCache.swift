/// What was found out about kinds of readings, so that it is found out once for each: a workout has some ten.
///
/// Asked for each reading, from other modules too: what it does is to be compiled there, for their type of value.
@usableFromInline
package struct KindCache<Value> {
    /// Whoever makes a kind for each reading does not make this grow.
    private static var limit: Int { 32 }

    @usableFromInline var known: [Known] = []

    @usableFromInline
    struct Known {
        @usableFromInline var kind: ReadingKind
        @usableFromInline var object: ObjectIdentifier
        @usableFromInline var value: Value
    }

    package init() {}

    /// Nil where nothing was noted, or so many others were since.
    @inlinable
    package subscript(kind: ReadingKind) -> Value? {
        for place in 0..<known.count where known[place].kind === kind { return known[place].value }
        return known.first { $0.kind == kind }?.value
    }

    /// Nil where nothing was noted of this very object; another one may be of the same kind.
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

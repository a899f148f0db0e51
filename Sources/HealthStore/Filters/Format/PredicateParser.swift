/// Parses format strings of predicates for HealthKit's objects: the grammar of Apple's Predicate Programming Guide,
/// with a key path on one side of each comparison and a constant on the other. It never stops the program. The
/// initializer of `NSPredicate` does.
package struct PredicateParser {
    private var tokens: ArraySlice<PredicateToken>
    private var depth = 0

    /// Deeper parentheses would exhaust the stack.
    private static let depthLimit = 100

    package static func predicate(_ format: String, _ arguments: [Any?]) throws(PredicateFormatError) -> NSPredicate {
        var parser = PredicateParser(tokens: try PredicateToken.tokens(of: format, arguments)[...])
        let predicate = try parser.disjunction()
        guard case .end = parser.next else { throw parser.unexpected("the end") }
        return predicate
    }

    private init(tokens: ArraySlice<PredicateToken>) {
        self.tokens = tokens
    }

    // MARK: Tokens

    private var next: PredicateToken { tokens.first ?? .end }

    private mutating func take() -> PredicateToken { tokens.popFirst() ?? .end }

    private mutating func take(keyword: String) -> Bool {
        guard next.keyword == keyword else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func take(symbol: String) -> Bool {
        guard next.isSymbol(symbol) else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func expect(symbol: String) throws(PredicateFormatError) {
        guard take(symbol: symbol) else { throw unexpected("\"\(symbol)\"") }
    }

    private func unexpected(_ wanted: String) -> PredicateFormatError {
        PredicateFormatError("\(wanted) is expected, not \(next)")
    }

    // MARK: AND, OR, NOT

    private mutating func disjunction() throws(PredicateFormatError) -> NSPredicate {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw PredicateFormatError("it is nested too deeply") }
        var parts = [try conjunction()]
        while take(keyword: "OR") || take(symbol: "||") { parts.append(try conjunction()) }
        return Self.joined(parts, SampleFilter.or, NSCompoundPredicate.init(orPredicateWithSubpredicates:))
    }

    private mutating func conjunction() throws(PredicateFormatError) -> NSPredicate {
        var parts = [try negation()]
        while take(keyword: "AND") || take(symbol: "&&") { parts.append(try negation()) }
        return Self.joined(parts, SampleFilter.and, NSCompoundPredicate.init(andPredicateWithSubpredicates:))
    }

    private mutating func negation() throws(PredicateFormatError) -> NSPredicate {
        var isNegative = false
        while take(keyword: "NOT") || take(symbol: "!") { isNegative.toggle() }
        let part = try primary()
        guard isNegative else { return part }
        return Self.joined(
            [part], { .not($0[0]) }, { NSCompoundPredicate(notPredicateWithSubpredicate: $0[0]) }, always: true)
    }

    private mutating func primary() throws(PredicateFormatError) -> NSPredicate {
        if take(symbol: "(") {
            let inner = try disjunction()
            try expect(symbol: ")")
            return inner
        }
        if take(keyword: "TRUEPREDICATE") { return SampleFilter.all.predicate }
        if take(keyword: "FALSEPREDICATE") { return SampleFilter.none.predicate }
        // An argument may be a whole predicate.
        if case .value(let predicate as NSPredicate) = next {
            tokens.removeFirst()
            return predicate
        }
        return try comparison()
    }

    /// One filter if all parts are filters, else a compound predicate of Foundation.
    private static func joined(
        _ parts: [NSPredicate], _ filter: ([SampleFilter]) -> SampleFilter, _ compound: ([NSPredicate]) -> NSPredicate,
        always: Bool = false
    ) -> NSPredicate {
        if parts.count == 1, !always { return parts[0] }
        let filters = parts.compactMap { ($0 as? FilterPredicate)?.filter }
        return filters.count == parts.count ? filter(filters).predicate : compound(parts)
    }

    // MARK: Comparisons

    private mutating func comparison() throws(PredicateFormatError) -> NSPredicate {
        let isAny = take(keyword: "ANY") || take(keyword: "SOME")
        if isAny, case .word("workoutActivity") = next, tokens.dropFirst().first?.isSymbol("(") ?? false {
            tokens.removeFirst(2)
            let inner = try disjunction()
            try expect(symbol: ")")
            return SampleFilter.workoutActivity(SampleFilter(any: inner)).predicate
        }
        if let key = try keyPath() {
            let (relation, options) = try relation()
            if let other = try keyPath() {
                throw .unusable("\(key) is compared with \(other), another key path: compare it with a value")
            }
            return try key.predicate(relation, options, try constant())
        }
        let value = try constant()
        let (relation, options) = try relation()
        guard let mirrored = relation.mirrored else {
            throw .unusable("the key path must be on the left of \(relation)")
        }
        guard let key = try keyPath() else { throw unexpected("a key path") }
        return try key.predicate(mirrored, options, value)
    }

    /// Nil for a constant.
    private mutating func keyPath() throws(PredicateFormatError) -> PredicateKey? {
        switch next {
        case .key: break
        case .word where !Self.constants.contains(next.keyword ?? ""): break
        default: return nil
        }
        var parts: [String] = []
        repeat {
            switch take() {
            case .word(let name), .key(let name): parts += name.split(separator: ".").map(String.init)
            case let other: throw PredicateFormatError("a name is expected, not \(other)")
            }
        } while take(symbol: ".")
        if parts.first?.uppercased() == "SELF" { parts.removeFirst() }
        return try PredicateKey(path: parts)
    }

    private static let constants: Set<String> = ["YES", "NO", "TRUE", "FALSE", "NULL", "NIL", "CAST"]

    private mutating func relation() throws(PredicateFormatError) -> (PredicateRelation, PredicateRelation.Options) {
        guard let relation = PredicateRelation(next) else { throw unexpected("an operator") }
        tokens.removeFirst()
        var options: PredicateRelation.Options = []
        if take(symbol: "[") {
            guard case .word(let letters) = take() else { throw unexpected("c or d") }
            for letter in letters.lowercased() {
                switch letter {
                case "c": options.insert(.caseInsensitive)
                case "d": options.insert(.diacriticInsensitive)
                default: throw PredicateFormatError("[\(letters)] is unknown: only c and d are known")
                }
            }
            try expect(symbol: "]")
        }
        return (relation, options)
    }

    private mutating func constant() throws(PredicateFormatError) -> Any? {
        let token = take()
        switch token {
        case .value(let value):
            return value
        case .symbol("{"):
            var values: [Any] = []
            while !take(symbol: "}") {
                if !values.isEmpty { try expect(symbol: ",") }
                if let value = try constant() { values.append(value) }
            }
            return values
        case .word:
            switch token.keyword {
            case "YES", "TRUE": return true
            case "NO", "FALSE": return false
            case "NULL", "NIL": return nil
            case "CAST": return try cast()
            default: break
            }
        default: break
        }
        throw PredicateFormatError("a value is expected, not \(token)")
    }

    /// `CAST(700000000, "NSDate")`: seconds since 2001, as `NSPredicate` writes dates.
    private mutating func cast() throws(PredicateFormatError) -> Date {
        try expect(symbol: "(")
        guard case .value(let value) = take(), let seconds = (value as? NSNumber)?.doubleValue else {
            throw PredicateFormatError("CAST takes only numbers")
        }
        try expect(symbol: ",")
        guard case .value(let type as String) = take(), type == "NSDate" else {
            throw PredicateFormatError("CAST knows only \"NSDate\"")
        }
        try expect(symbol: ")")
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

/// The operator of a comparison.
package enum PredicateRelation: Equatable, CustomStringConvertible {
    case compares(SampleFilter.Comparison)
    case text(SampleFilter.Text)
    case isIn
    case isBetween

    package struct Options: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }
        static let caseInsensitive = Options(rawValue: 1)
        static let diacriticInsensitive = Options(rawValue: 2)
    }

    init?(_ token: PredicateToken) {
        let symbols: [String: SampleFilter.Comparison] = [
            "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
            "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
        ]
        if case .symbol(let symbol) = token, let comparison = symbols[symbol] {
            self = .compares(comparison)
            return
        }
        switch token.keyword {
        case "BEGINSWITH": self = .text(.beginsWith)
        case "ENDSWITH": self = .text(.endsWith)
        case "CONTAINS": self = .text(.contains)
        case "LIKE": self = .text(.like)
        case "MATCHES": self = .text(.matches)
        case "IN": self = .isIn
        case "BETWEEN": self = .isBetween
        default: return nil
        }
    }

    /// The operator with exchanged sides. Nil if that has no meaning.
    var mirrored: PredicateRelation? {
        guard case .compares(let comparison) = self else { return nil }
        return switch comparison {
        case .less: .compares(.greater)
        case .lessOrEqual: .compares(.greaterOrEqual)
        case .greaterOrEqual: .compares(.lessOrEqual)
        case .greater: .compares(.less)
        case .equal, .notEqual: self
        }
    }

    package var description: String {
        switch self {
        case .compares(let comparison): comparison.description
        case .text(let text): text.symbol
        case .isIn: "IN"
        case .isBetween: "BETWEEN"
        }
    }
}

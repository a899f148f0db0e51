/// A token of a format string. Arguments are inserted as they occur.
enum PredicateToken {
    case word(String)
    /// A name inserted for `%K`.
    case key(String)
    case symbol(String)
    /// A constant: a literal or an argument. Nil for no value.
    case value(Any?)
    case end

    /// The word in capitals, because keywords ignore case.
    var keyword: String? {
        if case .word(let word) = self { word.uppercased() } else { nil }
    }

    func isSymbol(_ symbol: String) -> Bool {
        if case .symbol(symbol) = self { true } else { false }
    }

    static func tokens(of format: String, _ arguments: [Any?]) throws(PredicateFormatError) -> [PredicateToken] {
        var reader = PredicateTokenReader(format, arguments)
        return try reader.readAll()
    }
}

extension PredicateToken: CustomStringConvertible {
    var description: String {
        switch self {
        case .word(let word), .key(let word): word
        case .symbol(let symbol): symbol
        case .value(let value): value.map { "\($0)" } ?? "nil"
        case .end: "the end"
        }
    }
}

private struct PredicateTokenReader {
    private let characters: [Character]
    private var position = 0
    private var arguments: ArraySlice<Any?>

    /// The longest first, so that `<=` is not read as `<`.
    private static let symbols = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",",
        ".",
    ]

    init(_ format: String, _ arguments: [Any?]) {
        characters = Array(format)
        self.arguments = arguments[...]
    }

    mutating func readAll() throws(PredicateFormatError) -> [PredicateToken] {
        var tokens: [PredicateToken] = []
        while let token = try next() { tokens.append(token) }
        guard arguments.isEmpty else {
            throw PredicateFormatError("\(arguments.count) of the arguments have no placeholder")
        }
        return tokens + [.end]
    }

    private mutating func next() throws(PredicateFormatError) -> PredicateToken? {
        while position < characters.count, characters[position].isWhitespace { position += 1 }
        guard position < characters.count else { return nil }
        let character = characters[position]
        if character == "%" { return try argument() }
        if character == "\"" || character == "'" { return .value(try text(until: character)) }
        if let id = uuid() { return .value(id) }
        if isDigit(at: position) || ((character == "-" || character == "+") && isDigit(at: position + 1)) {
            return try number()
        }
        // `#` lets a reserved word be a name.
        if character == "#", isNameStart(at: position + 1) {
            position += 1
            return .key(name())
        }
        if isNameStart(at: position) { return .word(name()) }
        for symbol in Self.symbols where has(symbol) {
            position += symbol.count
            return .symbol(symbol)
        }
        throw PredicateFormatError("\"\(character)\" is not allowed there")
    }

    private func has(_ symbol: String) -> Bool {
        characters[position...].starts(with: symbol)
    }

    private func isDigit(at index: Int) -> Bool {
        index < characters.count && characters[index].isASCII && characters[index].isNumber
    }

    private func isNameStart(at index: Int) -> Bool {
        index < characters.count && (characters[index].isLetter || characters[index] == "_")
    }

    private mutating func name() -> String {
        let start = position
        while position < characters.count, isNameStart(at: position) || characters[position].isNumber { position += 1 }
        return String(characters[start..<position])
    }

    /// A UUID may have no quotes, as in the text of a predicate for an object.
    private mutating func uuid() -> UUID? {
        let end = position + 36
        guard end <= characters.count, let id = UUID(uuidString: String(characters[position..<end])) else { return nil }
        position = end
        return id
    }

    private mutating func number() throws(PredicateFormatError) -> PredicateToken {
        let start = position
        position += 1
        while position < characters.count {
            let character = characters[position]
            let isSign = (character == "-" || character == "+") && "eE".contains(characters[position - 1])
            let isPart = isDigit(at: position) || (character == "." && isDigit(at: position + 1))
            let isExponent = (character == "e" || character == "E") && !characters[start..<position].contains(character)
            guard isSign || isPart || isExponent else { break }
            position += 1
        }
        let text = String(characters[start..<position])
        if let whole = Int(text) { return .value(whole) }
        guard let number = Double(text) else { throw PredicateFormatError("\"\(text)\" is not a number") }
        return .value(number)
    }

    private mutating func text(until quote: Character) throws(PredicateFormatError) -> String {
        var text = ""
        position += 1
        while position < characters.count {
            let character = characters[position]
            position += 1
            if character == quote { return text }
            guard character == "\\", position < characters.count else {
                text.append(character)
                continue
            }
            switch characters[position] {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case let escaped: text.append(escaped)
            }
            position += 1
        }
        throw PredicateFormatError("a text has no closing \(quote)")
    }

    /// The C conversions of Apple's predicates: `%@`, `%K` and numbers of any length.
    private mutating func argument() throws(PredicateFormatError) -> PredicateToken {
        position += 1
        var conversion = ""
        while position < characters.count, "hlqztj".contains(characters[position]) {
            conversion.append(characters[position])
            position += 1
        }
        guard position < characters.count else { throw PredicateFormatError("% is at the end") }
        conversion.append(characters[position])
        position += 1
        guard let kind = conversion.last, "@KdDiuUxXofFgGeE".contains(kind), kind.isLetter || conversion == "@" else {
            throw PredicateFormatError("%\(conversion) is not a placeholder for an argument")
        }
        guard let argument = arguments.popFirst() else {
            throw PredicateFormatError("there is no argument for %\(conversion)")
        }
        switch kind {
        case "@":
            return .value(argument is NSNull ? nil : argument)
        case "K":
            guard let key = argument as? String else {
                throw PredicateFormatError("the argument for %K is not a String")
            }
            return .key(key)
        default:
            guard let number = argument as? NSNumber else {
                throw PredicateFormatError("the argument for %\(conversion) is not a number")
            }
            return .value(number)
        }
    }
}

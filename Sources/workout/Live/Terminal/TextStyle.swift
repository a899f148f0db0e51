/// The look of a piece of text.
struct TextStyle: Sendable, Equatable {
    enum Colour: Sendable, Equatable, CaseIterable {
        case grey, blue, green, orange, red, yellow, cyan
    }

    var colour: Colour?
    var bold = false
    var dim = false

    static let plain = TextStyle()
    static let bold = TextStyle(bold: true)
    static let dim = TextStyle(dim: true)

    static func colour(_ colour: Colour, bold: Bool = false) -> TextStyle {
        TextStyle(colour: colour, bold: bold)
    }

    /// Returns the colour of a zone, from grey for the lowest of `count` zones to red for the highest.
    static func zone(_ zone: Int, of count: Int) -> TextStyle {
        let colours: [Colour] = [.grey, .blue, .green, .orange, .red]
        guard count > 1, zone >= 1 else { return .colour(.grey) }
        let place = Double(min(zone, count) - 1) / Double(count - 1) * Double(colours.count - 1)
        return .colour(colours[Int(place.rounded())])
    }

    /// Returns the parameters of SGR (ECMA-48, 8.3.117), or nil for plain text.
    func codes(_ capability: TerminalCapability.Colour) -> String? {
        guard capability != .none else { return nil }
        var codes: [String] = []
        if bold { codes.append("1") }
        if dim { codes.append("2") }
        if let colour { codes.append(capability == .palette ? "38;5;\(colour.palette)" : "\(colour.basic)") }
        return codes.isEmpty ? nil : codes.joined(separator: ";")
    }
}

extension TextStyle.Colour {
    /// The foreground colour in xterm's palette.
    fileprivate var palette: Int {
        switch self {
        case .grey: 245
        case .blue: 39
        case .green: 40
        case .orange: 214
        case .red: 203
        case .yellow: 220
        case .cyan: 44
        }
    }

    /// The nearest foreground colour that every colour terminal has.
    fileprivate var basic: Int {
        switch self {
        case .grey: 37
        case .blue: 34
        case .green: 32
        case .orange, .yellow: 33
        case .red: 31
        case .cyan: 36
        }
    }
}

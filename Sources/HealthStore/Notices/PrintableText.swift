/// Text from elsewhere (sensors, files, apps, machines), made safe for a line of a terminal.
///
/// Scalars are harmful if they move the cursor, change a mode or the reading order, or end a line: the general
/// categories Cc (control), Cf (format: bidirectional marks, joiners, tags), Zl and Zp (line and paragraph separators) of
/// the Unicode Standard, section 4.5.
package enum PrintableText {
    /// One line without harmful scalars: separators become a space, the others are left out.
    package static func of(_ text: String) -> String {
        if isHarmless(text) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where "\n\r\t\u{0B}\u{0C}\u{85}".unicodeScalars.contains(scalar), .lineSeparator,
                .paragraphSeparator:
                result.append(" ")
            case .control, .format, .surrogate: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// A JSON text (RFC 8259) of the same value. Outside its strings only white space can be harmful. Inside
    /// them each harmful scalar is written as its escape.
    package static func ofJSON(_ json: String) -> String {
        if isHarmless(json) { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            guard isHarmful(scalar) else {
                result.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            }
        }
        return String(result)
    }

    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    private static func isHarmless(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } || !text.unicodeScalars.contains(where: isHarmful)
    }
}

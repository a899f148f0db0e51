import HealthKit

/// The number of columns that text takes on a terminal.
///
/// A terminal adds up the widths of scalars, not of grapheme clusters, and so does this: an estimate that is never too
/// small. The East Asian Wide and Fullwidth blocks (Unicode Standard Annex 11) and scalars with emoji presentation (UTS
/// 51) are wide. Characters of ambiguous width, block elements among them, count as one column, as they do outside
/// legacy East Asian locales.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .surrogate: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wideBlocks.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF,
        0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    /// Removes harmful characters, and those whose width differs between terminals.
    static func printable(_ text: String) -> String {
        let text = PrintableText.of(text)
        // Variation selectors switch between one and two columns on some terminals only.
        guard text.unicodeScalars.contains(where: \.properties.isVariationSelector) else { return text }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text.unicodeScalars.lazy.filter { !$0.properties.isVariationSelector })
        return String(result)
    }
}

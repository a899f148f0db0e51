/// A number in digits that can be read from across the room.
enum BigDigits {
    enum Size: Sendable, Equatable, CaseIterable {
        /// 3 columns × 3 rows per digit, of half blocks.
        case small
        /// 6 columns × 5 rows per digit.
        case medium
        /// 12 columns × 10 rows per digit.
        case large

        var rows: Int {
            switch self {
            case .small: 3
            case .medium: 5
            case .large: 10
            }
        }

        fileprivate var pixel: (columns: Int, rows: Int) {
            switch self {
            case .small: (1, 1)
            case .medium: (2, 1)
            case .large: (4, 2)
            }
        }
    }

    /// Returns the rows, all equally wide. Characters other than digits and `-` are left out.
    ///
    /// Without Unicode, `small` cannot use half blocks and has five rows.
    static func rows(_ text: String, size: Size, unicode: Bool = true) -> [String] {
        let pixels = (0..<5).map { row in
            text.compactMap { glyphs[$0]?[row] }.joined(separator: ".")
        }
        guard size != .small || !unicode else { return halved(pixels) }
        return pixels.flatMap { row in
            let line = row.map { String(repeating: $0 == "#" ? (unicode ? "█" : "#") : " ", count: size.pixel.columns) }
            return Array(repeating: line.joined(), count: size.pixel.rows)
        }
    }

    /// Combines two rows of pixels into one row of characters.
    private static func halved(_ pixels: [String]) -> [String] {
        let padded = pixels + [String(repeating: ".", count: pixels.first?.count ?? 0)]
        return stride(from: 0, to: padded.count, by: 2).map { row in
            String(
                zip(padded[row], padded[row + 1]).map { upper, lower -> Character in
                    switch (upper == "#", lower == "#") {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                })
        }
    }

    private static let glyphs: [Character: [String]] = [
        "0": ["###", "#.#", "#.#", "#.#", "###"],
        "1": [".#.", "##.", ".#.", ".#.", "###"],
        "2": ["###", "..#", "###", "#..", "###"],
        "3": ["###", "..#", "###", "..#", "###"],
        "4": ["#.#", "#.#", "###", "..#", "..#"],
        "5": ["###", "#..", "###", "..#", "###"],
        "6": ["###", "#..", "###", "#.#", "###"],
        "7": ["###", "..#", "..#", "..#", "..#"],
        "8": ["###", "#.#", "###", "#.#", "###"],
        "9": ["###", "#.#", "###", "..#", "###"],
        "-": ["...", "...", "###", "...", "..."],
    ]
}

import CQREncode

/// A QR code (ISO/IEC 18004) for a terminal, made by libqrencode.
struct QRCode {
    /// Rows of modules; true is a dark one.
    let modules: [[Bool]]

    /// Light modules around it, without which readers do not find it: four by the standard; two do for cameras.
    private static let quietZone = 2

    /// Nil for a text that is too long for one.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        // The lowest bit of a byte says what the module is.
        modules = (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
    }

    /// Two rows of modules are one line of half blocks. Light is what is drawn: most terminals are dark; where there are
    /// colours, they are said.
    func lines(_ capability: TerminalCapability) -> [String] {
        let width = modules.count + 2 * Self.quietZone
        func isLight(_ row: Int, _ column: Int) -> Bool {
            let (row, column) = (row - Self.quietZone, column - Self.quietZone)
            guard modules.indices.contains(row), modules.indices.contains(column) else { return true }
            return !modules[row][column]
        }
        return stride(from: 0, to: width, by: 2).map { row in
            let blocks = (0..<width).map { column -> String in
                switch (isLight(row, column), row + 1 < width && isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            let line = blocks.joined()
            // White on black, whatever the terminal's own colours are.
            return capability.colour == .none ? line : "\u{1B}[97;40m\(line)\u{1B}[0m"
        }
    }
}

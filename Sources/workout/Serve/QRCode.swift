import Foundation

/// A QR code (ISO/IEC 18004) for a terminal, made by the program qrencode, where it is installed.
struct QRCode {
    /// Rows of modules; true is a dark one.
    let modules: [[Bool]]

    /// Light modules around it, without which readers do not find it: four by the standard; two do for cameras.
    private static let quietZone = 2

    /// Nil where qrencode is not installed, and for a text that is too long for a code.
    init?(_ text: String, path: String = ProcessInfo.processInfo.environment["PATH"] ?? "") {
        guard let program = InstalledProgram.first(of: ["qrencode"], path: path) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        // Two characters a module, and nothing around.
        process.arguments = ["-t", "ASCII", "-m", "0", "-l", "L", "-o", "-"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // Not as an argument, which everybody on the machine could read.
        guard (try? process.run()) != nil, (try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))) != nil
        else { return nil }
        try? input.fileHandleForWriting.close()
        let drawn = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let rows = drawn.split(separator: "\n").map { line in
            let characters = Array(line.utf8)
            return stride(from: 0, to: characters.count, by: 2).map { characters[$0] == UInt8(ascii: "#") }
        }
        guard process.terminationStatus == 0, let width = rows.first?.count, rows.count == width,
            rows.allSatisfy({ $0.count == width })
        else { return nil }
        modules = rows
    }

    /// What to say where there is none.
    static let absence = "Install qrencode to also see the link as a QR code."

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

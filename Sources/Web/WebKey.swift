package import Foundation
package import Mirroring

/// The key that browsers need: sixteen letters and digits with eighty random bits.
package struct WebKey: Sendable, Equatable {
    /// Letters and digits that can't be confused (Crockford's base 32).
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let length = 16

    /// In groups of four: `k3x9-…`.
    package let text: String

    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(letters: (0..<Self.length).map { _ in Self.letters.randomElement(using: &generator) ?? "0" })
    }

    /// Reads a typed key, in upper or lower case, with or without separators.
    package init?(_ typed: String) {
        let letters = typed.lowercased().filter { $0 != "-" && !$0.isWhitespace }.map { letter -> Character in
            switch letter {
            case "o": "0"
            case "i", "l": "1"
            default: letter
            }
        }
        guard letters.count == Self.length, letters.allSatisfy(Self.letters.contains) else { return nil }
        self.init(letters: letters)
    }

    private init(letters: [Character]) {
        text = stride(from: 0, to: Self.length, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }

    /// Compares in constant time.
    package func isSame(as typed: String) -> Bool {
        guard let other = WebKey(typed) else { return false }
        return zip(text.utf8, other.text.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension WebKey {
    static let fileName = "web.key"

    /// Reads the key from a folder, or creates it at first use.
    ///
    /// - Parameter isRenewed: Creates a new key; the old one stops working.
    package static func kept(in folder: URL, isRenewed: Bool = false) throws(MirrorError) -> WebKey {
        try PrivateFile.makeFolder(folder)
        let file = folder.appendingPathComponent(fileName)
        return try PrivateFile.exclusively(folder.appendingPathComponent("web.lock")) { () throws(MirrorError) in
            if !isRenewed, let bytes = try PrivateFile.read(file) {
                guard let key = WebKey(String(decoding: bytes, as: UTF8.self)) else {
                    throw .file(path: file.path, reason: "it contains no key; remove it, and a new one is created")
                }
                return key
            }
            let key = WebKey()
            try PrivateFile.write(Data((key.text + "\n").utf8), to: file)
            return key
        }
    }
}

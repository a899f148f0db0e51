package import Foundation
package import Mirroring

/// What a browser has to show: sixteen letters and digits, which hold eighty bits of chance.
package struct WebKey: Sendable, Equatable {
    /// None that is taken for another one (Crockford's base 32).
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let length = 16

    /// In groups of four: `k3x9-…`.
    package let text: String

    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(letters: (0..<Self.length).map { _ in Self.letters.randomElement(using: &generator) ?? "0" })
    }

    /// As a person types it: in capitals or not, with or without what stands between the groups.
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

    /// Takes as long for a wrong one as for a right one.
    package func isSame(as typed: String) -> Bool {
        guard let other = WebKey(typed) else { return false }
        return zip(text.utf8, other.text.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension WebKey {
    static let fileName = "web.key"

    /// Reads this user's key in this folder, or makes one at first use, so that browsers that have it need not be told again.
    ///
    /// - Parameter isRenewed: Makes a new one: who had the old one is out.
    package static func kept(in folder: URL, isRenewed: Bool = false) throws(MirrorError) -> WebKey {
        try PrivateFile.makeFolder(folder)
        let file = folder.appendingPathComponent(fileName)
        return try PrivateFile.exclusively(folder.appendingPathComponent("web.lock")) { () throws(MirrorError) in
            if !isRenewed, let bytes = try PrivateFile.read(file) {
                guard let key = WebKey(String(decoding: bytes, as: UTF8.self)) else {
                    throw .file(path: file.path, reason: "no key is in it; remove it, and another one is made")
                }
                return key
            }
            let key = WebKey()
            try PrivateFile.write(Data((key.text + "\n").utf8), to: file)
            return key
        }
    }
}

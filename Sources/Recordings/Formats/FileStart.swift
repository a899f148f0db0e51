/// The first bytes of a file, up to `size` of them, which show its format.
public struct FileStart: Sendable {
    /// The most bytes.
    public static let size = 4096

    /// The bytes: ``size`` of them, or all of a shorter file.
    public let bytes: [UInt8]

    /// - Parameter bytes: The unpacked bytes from the start of the file.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns whether these bytes are at the offset.
    public func holds(_ magic: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: magic) }

    /// The bytes after a byte order mark and white space.
    public var text: ArraySlice<UInt8> {
        bytes.dropFirst(holds([0xEF, 0xBB, 0xBF]) ? 3 : 0).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// The name of the root element of an XML file without its prefix, or that of its document type if it comes first.
    /// Nil if the file is not XML, or if neither is among these bytes.
    public var xmlRoot: String? {
        var rest = text
        while rest.first == UInt8(ascii: "<") {
            let tag = rest.dropFirst()
            if tag.starts(with: Array("!--".utf8)) {
                guard let end = Self.end(of: rest, after: "-->") else { return nil }
                rest = end
            } else if tag.first == UInt8(ascii: "?") {
                guard let end = Self.end(of: rest, after: "?>") else { return nil }
                rest = end
            } else {
                let type = Array("!DOCTYPE".utf8)
                let name = tag.starts(with: type) ? tag.dropFirst(type.count).drop { $0 <= 0x20 } : tag
                let whole = name.prefix {
                    $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "[")
                }
                let local = whole.lastIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
                return local.isEmpty ? nil : String(decoding: local, as: UTF8.self)
            }
            rest = rest.drop { $0 <= 0x20 }
        }
        return nil
    }

    private static func end(of bytes: ArraySlice<UInt8>, after mark: String) -> ArraySlice<UInt8>? {
        let mark = Array(mark.utf8)
        var rest = bytes
        while let next = rest.firstIndex(of: mark[0]) {
            rest = rest[next...]
            if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

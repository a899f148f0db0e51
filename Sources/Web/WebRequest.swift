/// A complete request of a browser or a program.
package struct WebRequest: Sendable {
    /// `GET`, `HEAD`, `POST` …
    package var method: String
    /// The path without percent encoding, such as `/sessions/8F3A`; nil if it is not text.
    package var path: String?
    package var query: [(name: String, value: String)]
    /// The header fields. Names are not case-sensitive.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The address of this machine on which the request arrived.
    package var localAddress: String?

    /// - Parameter target: The request target: a path, and a query after a question mark (RFC 9112, section 3.2.1).
    package init(
        method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        localAddress: String? = nil
    ) {
        self.method = method
        self.headers = headers
        self.body = body
        self.localAddress = localAddress
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts[0], plusIsSpace: false)
        query = (parts.count > 1 ? parts[1] : "").split(separator: "&").compactMap { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], plusIsSpace: true) else { return nil }
            return (name, sides.count > 1 ? Self.decoded(sides[1], plusIsSpace: true) ?? "" : "")
        }
    }

    /// The components of the path.
    package var parts: [String]? { path?.split(separator: "/").map(String.init) }

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The value of a cookie (RFC 6265, section 4.2).
    package func cookie(_ name: String) -> String? {
        for header in headers where header.name.lowercased() == "cookie" {
            for pair in header.value.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1)
                if sides.count == 2, sides[0].trimmed == name { return sides[1].trimmed }
            }
        }
        return nil
    }

    /// Decodes percent-encoded UTF-8 (RFC 3986, section 2.1). Nil if the bytes are not text.
    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                rest = rest.dropFirst(2)
                bytes.append(value)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

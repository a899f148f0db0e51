import Foundation
package import SessionLog

/// Finds the tags in a stream of XML. Its memory does not grow with the stream.
///
/// libxml2 is not used, because Apple's exports are gigabytes large and not always XML. A conforming parser must give
/// up at the DTD of iOS 16.0 and at U+000B in a value, makes a string of every attribute whether needed or not, and
/// reads about 100 MB/s on its own. An export uses only little of XML (tags, attributes, references, comments, a
/// document type to skip). So this scanner leaps from quote to quote with `memchr`, converts known names to numbers,
/// and leaves values as bytes.
///
/// Every input gives tokens and warnings, and an end. A tag that is not well-formed is left out with a warning, and
/// reading continues at the next `<`. A value without its closing quote costs only its tag, because the next quote,
/// which seems to end the value, is not followed by a space. No tag may be longer than the buffer or have more than
/// `attributeLimit` attributes. Comments, processing instructions and the document type have no such limit, because
/// they are skipped. The scanner does not check that tags nest; the reader does.
package struct XMLScanner: ~Copyable {
    package enum Token: Equatable {
        /// `<name …>`: `element` and the attributes are set.
        case start
        /// `<name …/>`
        case empty
        /// `</name>`
        case end
        /// Text that is not only white space, if the scanner keeps text.
        case text
        case finished
    }

    @usableFromInline struct Attribute {
        /// The number of the name in the vocabulary.
        var name: UInt8
        var nameStart: Int32, nameEnd: Int32
        @usableFromInline var valueStart: Int32, valueEnd: Int32
    }

    /// Longer tags are not read. Long values in real exports have a few thousand bytes.
    package static let tagLimit = 1 << 19
    static let attributeLimit = 64

    /// The number of the element's name.
    package private(set) var element = XMLVocabulary.none
    /// The offset of the token from the start of the stream.
    package private(set) var tokenByte = 0
    package private(set) var attributeCount = 0
    /// The number after `HealthKit Export Version:` in the document type.
    package var exportVersion: Int?
    package var warnings = RecordingWarnings<String>()

    private let stream: any ByteStream
    private let elements: XMLVocabulary
    private let attributeNames: XMLVocabulary
    private let keepsText: Bool
    /// Whether only the part of an element's name after the colon counts.
    private let ignoresPrefixes: Bool

    @usableFromInline let buffer: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    @usableFromInline let attributes: UnsafeMutablePointer<Attribute>
    /// The place among the tag's attributes for each number of an attribute name, if its bit in `present` is set.
    @usableFromInline let places: UnsafeMutablePointer<UInt8>
    @usableFromInline private(set) var present: UInt64 = 0
    private var nameRange = 0..<0
    @usableFromInline private(set) var textRange = 0..<0
    /// Whether the text is in a CDATA section, which has no references.
    private var isLiteral = false

    /// Bytes of the stream before those in the buffer.
    package var base = 0
    var cursor = 0
    var end = 0
    private var isExhausted = false

    /// Creates a scanner. There may be at most 64 attribute names.
    package init(
        _ stream: any ByteStream, elements: [String], attributes names: [String], keepsText: Bool = false,
        ignoresPrefixes: Bool = false, capacity: Int = tagLimit
    ) {
        precondition(names.count <= 64)
        self.stream = stream
        self.elements = XMLVocabulary(elements)
        attributeNames = XMLVocabulary(names)
        self.keepsText = keepsText
        self.ignoresPrefixes = ignoresPrefixes
        self.capacity = capacity
        // One extra byte: a zero after the contents of the buffer ends every run of name bytes.
        buffer = .allocate(capacity: capacity + 1)
        buffer[0] = 0
        attributes = .allocate(capacity: Self.attributeLimit)
        attributes.initialize(
            repeating: Attribute(name: 0, nameStart: 0, nameEnd: 0, valueStart: 0, valueEnd: 0),
            count: Self.attributeLimit)
        places = .allocate(capacity: 64)
        places.initialize(repeating: 0, count: 64)
    }

    deinit {
        buffer.deallocate()
        attributes.deallocate()
        places.deallocate()
    }

    /// The number of bytes of the stream that were used.
    package var bytesRead: Int { base + cursor }

    // These results are valid until the next token.

    /// Returns the raw bytes between the quotes of an attribute. Nil if the tag has no attribute of this name.
    @inlinable package func value(_ name: Int) -> UnsafeBufferPointer<UInt8>? {
        present & (1 << UInt64(name)) == 0 ? nil : value(at: Int(places[name]))
    }

    /// Returns the bytes of the attribute's value at a place in the tag.
    @inlinable package func value(at place: Int) -> UnsafeBufferPointer<UInt8> {
        let attribute = attributes[place]
        return UnsafeBufferPointer(
            start: buffer + Int(attribute.valueStart), count: Int(attribute.valueEnd - attribute.valueStart))
    }

    package func attributeName(at place: Int) -> String {
        let attribute = attributes[place]
        return String(
            decoding: UnsafeBufferPointer(
                start: buffer + Int(attribute.nameStart), count: Int(attribute.nameEnd - attribute.nameStart)),
            as: UTF8.self)
    }

    package var elementName: String {
        String(
            decoding: UnsafeBufferPointer(start: buffer + nameRange.lowerBound, count: nameRange.count), as: UTF8.self)
    }

    @inlinable package var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: buffer + textRange.lowerBound, count: textRange.count)
    }

    /// The text for display, with its line ends.
    package var lines: String {
        isLiteral
            ? String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
            : XMLText.string(text, keepingLines: true)
    }

    // MARK: Tokens

    package mutating func next() throws(ByteStreamFault) -> Token {
        while true {
            while cursor < end, buffer[cursor] <= 0x20 { cursor += 1 }
            if cursor == end {
                if try refill() { continue }
                tokenByte = base + cursor
                return .finished
            }
            tokenByte = base + cursor
            guard buffer[cursor] == UInt8(ascii: "<") else {
                if try takeText() { return .text }
                continue
            }
            switch scanTag() {
            case .token(let token):
                return token
            case .declaration:
                if keepsText, let content = try characterData() {
                    (textRange, isLiteral) = (content, true)
                    cursor = content.upperBound + 3
                    if !content.isEmpty { return .text }
                } else {
                    try leapOverDeclaration()
                }
            case .incomplete:
                if try refill() { continue }
                if isExhausted {
                    warnings.add(byte: tokenByte, "the file ends within a tag: it was cut off here")
                    cursor = end
                } else {
                    warnings.add(byte: tokenByte, "a tag is longer than \(capacity) bytes, and left out")
                    try moveToNextTag()
                }
            case .damaged(let reason):
                warnings.add(byte: tokenByte, "\(reason); the tag is left out")
                try moveToNextTag()
            }
        }
    }

    private enum Scan {
        case token(Token)
        /// A comment, a document type or a processing instruction.
        case declaration
        case incomplete
        case damaged(StaticString)
    }

    /// Scans the tag at the cursor. Moves the cursor behind it only if it is complete.
    private mutating func scanTag() -> Scan {
        let bytes = UnsafePointer(buffer)
        var index = cursor + 1
        if index == end { return .incomplete }
        let isEnd = bytes[index] == UInt8(ascii: "/")
        if isEnd { index += 1 }
        let nameStart = index
        while Self.isNameByte(bytes[index]) { index += 1 }
        if index == nameStart {
            if index == end { return .incomplete }
            if !isEnd, bytes[index] == UInt8(ascii: "!") || bytes[index] == UInt8(ascii: "?") { return .declaration }
            return .damaged("a < that begins no tag")
        }
        nameRange = nameStart..<index
        element = elementNumber(bytes, nameStart, index)
        attributeCount = 0
        present = 0

        while true {
            let gap = index
            while index < end, bytes[index] <= 0x20 { index += 1 }
            if index == end { return .incomplete }
            let byte = bytes[index]
            if byte == UInt8(ascii: ">") {
                cursor = index + 1
                return .token(isEnd ? .end : .start)
            }
            if isEnd { return .damaged("an end tag with something behind its name") }
            if byte == UInt8(ascii: "/") {
                if index + 1 == end { return .incomplete }
                guard bytes[index + 1] == UInt8(ascii: ">") else { return .damaged("a / within a tag") }
                cursor = index + 2
                return .token(.empty)
            }
            guard gap < index else {
                return .damaged("a value without a closing quote, or no space before the next one")
            }
            guard attributeCount < Self.attributeLimit else { return .damaged("a tag with too many attributes") }

            let start = index
            while Self.isNameByte(bytes[index]) { index += 1 }
            if index == start { return .damaged("something in a tag that is no attribute") }
            let nameEnd = index
            while index < end, bytes[index] <= 0x20 { index += 1 }
            if index == end { return .incomplete }
            guard bytes[index] == UInt8(ascii: "=") else { return .damaged("an attribute without a value") }
            index += 1
            while index < end, bytes[index] <= 0x20 { index += 1 }
            if index == end { return .incomplete }
            let quote = bytes[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return .damaged("a value without an opening quote")
            }
            index += 1
            guard let close = memchr(bytes + index, Int32(quote), end - index) else { return .incomplete }
            let valueEnd = UnsafeRawPointer(close) - UnsafeRawPointer(bytes)
            let name = attributeNames.number(of: bytes + start, count: nameEnd - start)
            if name != XMLVocabulary.none {
                places[Int(name)] = UInt8(attributeCount)
                present |= 1 << UInt64(name)
            }
            attributes[attributeCount] = Attribute(
                name: name, nameStart: Int32(start), nameEnd: Int32(nameEnd), valueStart: Int32(index),
                valueEnd: Int32(valueEnd))
            attributeCount += 1
            index = valueEnd + 1
        }
    }

    @inline(__always)
    private func elementNumber(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> UInt8 {
        var start = start
        if ignoresPrefixes, let colon = memchr(bytes + start, Int32(UInt8(ascii: ":")), end - start) {
            start = UnsafeRawPointer(colon) - UnsafeRawPointer(bytes) + 1
            if start == end { return XMLVocabulary.none }
        }
        return elements.number(of: bytes + start, count: end - start)
    }

    /// Returns whether the byte belongs to a name: letters, digits, `-`, `.`, `_`, `:` and everything beyond ASCII, a
    /// little more than XML 1.0, section 2.3 allows.
    @inline(__always)
    static func isNameByte(_ byte: UInt8) -> Bool {
        // Two words of 64 bits, with one bit per ASCII character.
        let word: UInt64 = byte < 64 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
        return byte >= 0x80 || word &>> UInt64(byte & 63) & 1 == 1
    }

    /// Reads the text at the cursor and returns true. If text is not kept, skips it with a warning and returns false.
    private mutating func takeText() throws(ByteStreamFault) -> Bool {
        if base + cursor == 0 {
            if end < 3, try refill() { return false }
            // A byte order mark.
            if end >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF {
                cursor = 3
                return false
            }
        }
        guard keepsText else {
            warnings.add(byte: tokenByte, "text where a tag should begin, left out")
            try moveToNextTag()
            return false
        }
        while true {
            if let next = memchr(buffer + cursor, Int32(UInt8(ascii: "<")), end - cursor) {
                var last = UnsafeRawPointer(next) - UnsafeRawPointer(buffer)
                let start = cursor
                cursor = last
                while last > start, buffer[last - 1] <= 0x20 { last -= 1 }
                (textRange, isLiteral) = (start..<last, false)
                return true
            }
            if try refill() { continue }
            warnings.add(
                byte: tokenByte, isExhausted ? "text behind the last tag" : "a text that is too long, left out")
            try moveToNextTag()
            return false
        }
    }

    // MARK: Bytes

    /// Moves the cursor to the first `<` behind it, or to the end of the stream.
    private mutating func moveToNextTag() throws(ByteStreamFault) {
        if cursor < end { cursor += 1 }
        while true {
            if let next = memchr(buffer + cursor, Int32(UInt8(ascii: "<")), end - cursor) {
                cursor = UnsafeRawPointer(next) - UnsafeRawPointer(buffer)
                return
            }
            cursor = end
            if try !refill() { return }
        }
    }

    /// Reads more bytes after those from the cursor on, which move to the start of the buffer. Returns false if the
    /// stream has ended or the buffer is full.
    mutating func refill() throws(ByteStreamFault) -> Bool {
        if cursor > 0 {
            memmove(buffer, buffer + cursor, end - cursor)
            base += cursor
            end -= cursor
            cursor = 0
            // Ends a name at the end of the buffer, even if nothing more comes.
            buffer[end] = 0
        }
        if isExhausted || end == capacity { return false }
        // Read as much as fits: a tag is scanned again after each refill, so there must be few of them.
        let before = end
        while end < capacity {
            let count = try stream.read(into: UnsafeMutableBufferPointer(start: buffer + end, count: capacity - end))
            if count == 0 {
                isExhausted = true
                break
            }
            end += count
        }
        buffer[end] = 0
        return end > before
    }
}

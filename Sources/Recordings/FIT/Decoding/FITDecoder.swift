package import SessionLog

/// Reads the messages of FIT files from chunks of bytes of any size. Its memory does not grow with the file.
///
/// The decoder accepts any bytes. It hands over every message it recognises, in the order of the file, and lists in
/// `warnings` what was wrong, where, and what it did. The size of the chunks makes no difference.
///
/// It accepts more than the protocol allows: several files in sequence with anything between them; a wrong or missing
/// header size, data size or CRC; an end at any byte; fields whose size is not a multiple of their type's; text without
/// a terminating zero; data messages without a definition (it skips to the next bytes that can only be a message).
/// Source: FIT Protocol, D00001275.
package struct FITDecoder: ~Copyable {
    package internal(set) var warnings = RecordingWarnings<FITFault>()
    /// Nil until enough bytes have been read to decide.
    package internal(set) var isFIT: Bool?

    enum Phase {
        /// The next bytes are a header, or the file ends.
        case header
        case messages
        /// The bytes from here on made no sense; the decoder looks for the next message.
        case lost(since: Int, String)
        /// The next bytes are the CRC of the file.
        case checksum
        /// The bytes from here on belong to no file; the decoder looks for a header.
        case garbage(since: Int)
        /// Not a FIT file.
        case foreign
    }

    var phase = Phase.header
    var definitions = FITDefinitions()
    var checksum = FITChecksum()
    /// Offset in the file of the first byte not yet read.
    var position = 0
    /// The number of bytes from `position` on that the decoder needs to continue.
    var needed = 1
    /// Offset of the first message of the current file.
    var dataStart = 0
    /// Offset of the end of the messages of the current file, or `unknown` if its header does not state it.
    var dataEnd = 0
    var isDataEndTrusted = false
    /// Compressed headers count on from this time.
    var lastTimestamp: UInt32?
    /// The start of an item that continues in the next chunk.
    private var carry: [UInt8] = []

    static let unknown = Int.max

    /// Whether to compare the bytes with their CRC. A second pass over a file need not check it again.
    private let isVerifying: Bool

    package init() { self.init(isVerifying: true) }

    init(isVerifying: Bool) { self.isVerifying = isVerifying }

    /// Reads the next bytes of the file.
    package mutating func read<Reader: FITMessageReader>(_ chunk: UnsafeRawBufferPointer, into reader: inout Reader) {
        guard let chunk = ByteView(chunk) else { return }
        var from = 0
        while !carry.isEmpty, from < chunk.count {
            // Take more than is needed: then the rest of the chunk is read in place and nothing is copied twice.
            let kept = carry.count
            let added = min(chunk.count - from, max(needed - kept, 4096))
            carry.append(contentsOf: chunk[from..<from + added].buffer)
            guard carry.count >= needed else { return }
            let taken = readCarry(atEnd: false, into: &reader)
            if taken >= kept {
                from += taken - kept
                carry.removeAll(keepingCapacity: true)
            } else {
                from += added
                carry.removeFirst(taken)
            }
        }
        guard from < chunk.count else { return }
        let rest = chunk[from..<chunk.count]
        let taken = take(rest, atEnd: false, into: &reader)
        if taken < rest.count { carry.append(contentsOf: rest[taken..<rest.count].buffer) }
    }

    /// Marks the end of the file.
    package mutating func finish<Reader: FITMessageReader>(into reader: inout Reader) {
        let taken = readCarry(atEnd: true, into: &reader)
        carry.removeFirst(taken)
        carry.withUnsafeBytes { rest in
            var whole = checksum
            if let rest = ByteView(rest) { whole.update(rest) }
            end(leftover: rest.count, isWhole: whole.value == 0)
        }
        carry = []
    }

    private mutating func readCarry<Reader: FITMessageReader>(atEnd: Bool, into reader: inout Reader) -> Int {
        var bytes: [UInt8] = []
        swap(&bytes, &carry)
        defer { swap(&bytes, &carry) }
        return bytes.withUnsafeBytes { bytes in
            guard let view = ByteView(bytes) else { return 0 }
            return take(view, atEnd: atEnd, into: &reader)
        }
    }

    /// Reads all complete items in `bytes` and returns how many bytes they take. `atEnd` means that no more bytes
    /// follow.
    private mutating func take<Reader: FITMessageReader>(
        _ bytes: ByteView, atEnd: Bool, into reader: inout Reader
    ) -> Int {
        var at = 0
        let start = position
        var goesOn = true
        while goesOn {
            switch phase {
            case .header:
                let byte = start + at
                goesOn = readHeader(bytes, &at, start: start, atEnd: atEnd)
                if case .messages = phase { reader.begin(byte: byte) }
            case .messages: goesOn = readMessages(bytes, &at, start: start, atEnd: atEnd, into: &reader)
            case .lost(let since, let fault):
                goesOn = find(bytes, &at, start: start, atEnd: atEnd, since: since, fault: fault)
            case .checksum: goesOn = readChecksum(bytes, &at, start: start, atEnd: atEnd)
            case .garbage(let since): goesOn = findHeader(bytes, &at, start: start, since: since)
            case .foreign:
                at = bytes.count
                goesOn = false
            }
        }
        position = start + at
        return at
    }

    /// Reads the messages up to the end of the bytes and returns when no complete one is left.
    private mutating func readMessages<Reader: FITMessageReader>(
        _ bytes: ByteView, _ at: inout Int, start: Int, atEnd: Bool, into reader: inout Reader
    ) -> Bool {
        let first = at
        defer { if at > first { verify(bytes[first..<at]) } }
        let (limit, isEnd) = messageLimit(bytes, start: start)
        while at < limit {
            let header = bytes.uint8(at: at)
            if header & 0xC0 == 0x40 {
                let (length, isKnown) = FITDefinitions.length(of: bytes, at: at, limit: limit)
                guard isKnown, at + length <= limit else {
                    return leaveIncomplete(length, &at, limit: limit, isEnd: isEnd, start: start)
                }
                guard bytes.uint8(at: at + 2) <= 1 else {
                    let fault = "a definition message has the unknown architecture \(bytes.uint8(at: at + 2))"
                    phase = .lost(since: start + at, fault)
                    return true
                }
                let definition = bytes[at..<at + length]
                let developerFields = definitions.define(definition, byte: start + at, warnings: &warnings)
                let local = Int(header & 0x0F)
                reader.define(local: local, number: definitions[local].number, developerFields: developerFields)
                at += length
                continue
            }
            let isCompressed = header & 0x80 != 0
            let local = Int(isCompressed ? header >> 5 & 0x03 : header & 0x0F)
            let definition = definitions[local]
            guard definition.isDefined else {
                phase = .lost(since: start + at, "a message of local type \(local) comes before its definition")
                return true
            }
            let end = at &+ 1 &+ Int(definition.size)
            guard end <= limit else {
                return leaveIncomplete(end - at, &at, limit: limit, isEnd: isEnd, start: start)
            }
            let payload = bytes[at &+ 1..<end]
            if isOdd(definition, payload, isCompressed: isCompressed) {
                let place = (at: at, end: end)
                switch isFollowed(bytes, place, definition, limit: limit, isEnd: isEnd || atEnd) {
                case .yes: break
                case .needs(let count): return leaveIncomplete(count, &at, limit: limit, isEnd: isEnd, start: start)
                case .no:
                    phase = .lost(since: start + at, "a message of local type \(local) makes no sense")
                    return true
                }
            }
            definitions.load(definition, local: local, payload: payload)
            let values = definitions.values(of: local)
            var timestamp: UInt32?
            if let own = UInt32(exactly: values[Int(FITProfile.timestamp.number)]) {
                timestamp = own
                if definition.isKnown || isCredible(own) { lastTimestamp = own }
            } else if isCompressed {
                timestamp = countOn(header & 0x1F, byte: start + at)
            }
            let message = FITMessage(
                number: definition.number, local: local, byte: start &+ at, isBigEndian: definition.isBigEndian,
                values: values, payload: payload, timestamp: timestamp)
            if definition.number == FITProfile.MessageNumber.fieldDescription {
                definitions.describe(message, warnings: &warnings)
            } else if definition.number == FITProfile.MessageNumber.developerDataID {
                definitions.identify(message)
            }
            reader.read(message)
            at = end
        }
        needed = dataEnd == Self.unknown ? 3 : 1
        if isEnd { phase = .checksum }
        return isEnd
    }

    /// Adds bytes to the CRC.
    mutating func verify(_ bytes: ByteView) { if isVerifying { checksum.update(bytes) } }

    func isRight(_ stored: UInt16) -> Bool { !isVerifying || stored == checksum.value }

    /// Returns where the messages in these bytes end, and whether that is the end of all messages of the file. If the
    /// header does not state the end, the last two bytes are held back because they may be the CRC.
    func messageLimit(_ bytes: ByteView, start: Int) -> (limit: Int, isEnd: Bool) {
        if dataEnd == Self.unknown { return (bytes.count - 2, false) }
        let end = dataEnd - start
        return end <= bytes.count ? (end, true) : (bytes.count, false)
    }

    /// Handles a message of `length` bytes of which some are missing: it waits for them, or the file ends here.
    private mutating func leaveIncomplete(_ length: Int, _ at: inout Int, limit: Int, isEnd: Bool, start: Int) -> Bool {
        guard isEnd else {
            needed = dataEnd == Self.unknown ? length + 2 : length
            return false
        }
        warnings.add(
            byte: start + at,
            "the messages end inside one: \(length) bytes needed, \(limit - at) left; it is left out")
        at = limit
        phase = .checksum
        return true
    }

    /// Returns the time of a compressed header: five bits that count on from the last timestamp. FIT Protocol,
    /// "Compressed Timestamp Header".
    private mutating func countOn(_ offset: UInt8, byte: Int) -> UInt32? {
        guard let last = lastTimestamp else {
            warnings.addOnce(
                .compressedTimestamp, byte: byte,
                "a compressed timestamp has nothing to count from; the message has no time")
            return nil
        }
        let step = (UInt32(offset) &- last) & 0x1F
        let timestamp = last &+ step
        lastTimestamp = timestamp
        return timestamp
    }
}

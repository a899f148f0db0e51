package import SessionLog

/// Reads the messages of FIT files from chunks of bytes of any size, in memory that does not grow with the file.
///
/// Total: whatever the bytes, it hands over every message it can make out, in the order of the file, and says in
/// `warnings` what was wrong, where, and what was done. How the bytes are cut into chunks makes no difference.
///
/// What it takes although the protocol does not allow it: files one after the other with anything between; a wrong or
/// absent header size, data size or CRC; an end at any byte; fields whose size is no multiple of their type's; text without
/// a terminating zero; data messages that no definition describes (they are skipped up to something that can only be a
/// message again). Source: FIT Protocol, D00001275.
package struct FITDecoder: ~Copyable {
    package internal(set) var warnings = RecordingWarnings<FITFault>()
    /// Nil until the first bytes have told.
    package internal(set) var isFIT: Bool?

    enum Phase {
        /// A header is to come, or the end.
        case header
        case messages
        /// Since this byte nothing made sense; looking for the next message.
        case lost(since: Int, String)
        /// The file's CRC is to come.
        case checksum
        /// Since this byte nothing belongs to a file; looking for a header.
        case garbage(since: Int)
        /// Not a FIT file.
        case foreign
    }

    var phase = Phase.header
    var definitions = FITDefinitions()
    var checksum = FITChecksum()
    /// Offset in the file of the first byte not yet taken.
    var position = 0
    /// How many bytes from there on it takes to go on.
    var needed = 1
    /// Where the messages of the current file begin.
    var dataStart = 0
    /// Where the messages of the current file end: `unknown` when its header does not say.
    var dataEnd = 0
    var isDataEndTrusted = false
    /// Compressed headers count on from here.
    var lastTimestamp: UInt32?
    /// The beginning of something that goes on in the next chunk.
    private var carry: [UInt8] = []

    static let unknown = Int.max

    /// Whether the bytes are compared with their CRC; where they were before, and are right, that need not be twice.
    private let isVerifying: Bool

    package init() { self.init(isVerifying: true) }

    init(isVerifying: Bool) { self.isVerifying = isVerifying }

    /// Takes in the next bytes of the file.
    package mutating func read<Reader: FITMessageReader>(_ chunk: UnsafeRawBufferPointer, into reader: inout Reader) {
        guard let chunk = ByteView(chunk) else { return }
        var from = 0
        while !carry.isEmpty, from < chunk.count {
            // More than is needed, so that the chunk can be gone on with directly and nothing is copied twice.
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

    /// The file has no more bytes.
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

    /// Takes in as much of `bytes` as makes whole parts and says how much that was. `atEnd`: nothing will follow.
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

    /// The bytes up to `limit` are messages; returns when there is no whole one left.
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

    /// Takes bytes into the CRC.
    mutating func verify(_ bytes: ByteView) { if isVerifying { checksum.update(bytes) } }

    func isRight(_ stored: UInt16) -> Bool { !isVerifying || stored == checksum.value }

    /// Where messages end in these bytes, and whether that is the end of the file's messages. Where the header does not
    /// tell, the last two bytes are held back, for they may be the CRC.
    func messageLimit(_ bytes: ByteView, start: Int) -> (limit: Int, isEnd: Bool) {
        if dataEnd == Self.unknown { return (bytes.count - 2, false) }
        let end = dataEnd - start
        return end <= bytes.count ? (end, true) : (bytes.count, false)
    }

    /// A message takes `length` bytes, which are not there: yet, or at all.
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

    /// The time of a compressed header: five bits that count on from the last timestamp. FIT Protocol, "Compressed
    /// Timestamp Header".
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

import SessionLog

extension FITDecoder {
    /// Reads the header, or decides what to do if there is none.
    mutating func readHeader(_ bytes: ByteView, _ at: inout Int, start: Int, atEnd: Bool) -> Bool {
        let rest = bytes.count - at
        let wanted = FITHeader.needed(for: bytes, at: at)
        guard rest >= wanted || atEnd && rest > 0 else {
            needed = wanted
            return false
        }
        guard FITHeader.isPresent(in: bytes, at: at) else {
            phase = isFIT == nil ? .foreign : .garbage(since: start + at)
            if isFIT == nil { isFIT = false }
            return true
        }
        isFIT = true
        let header = FITHeader(bytes, at: at)
        if let fault = header.fault { warnings.add(byte: start + at, fault) }
        let taken = min(header.size, rest)
        checksum = FITChecksum()
        verify(bytes[at..<at + taken])
        definitions.forget()
        lastTimestamp = nil
        if header.dataSize == 0 {
            warnings.add(byte: start + at + 4, "the header gives no data size; messages were read to the end")
        }
        dataEnd = header.dataSize == 0 ? Self.unknown : start + at + header.size + header.dataSize
        isDataEndTrusted = header.isTrusted
        at += taken
        dataStart = start + at
        phase = .messages
        return true
    }

    /// Reads the CRC of the file. If it is wrong and the header is not trusted either, reading continues with any
    /// message that follows.
    mutating func readChecksum(_ bytes: ByteView, _ at: inout Int, start: Int, atEnd: Bool) -> Bool {
        let rest = bytes.count - at
        guard rest >= 2 else {
            needed = 2
            return false
        }
        let stored = bytes.uint16(at: at)
        if !isRight(stored) {
            if !isDataEndTrusted {
                switch isMessage(bytes, at: at, limit: bytes.count, atEnd: atEnd) {
                case .needs(let count):
                    needed = count
                    return false
                case .yes:
                    warnings.add(
                        byte: start + at, "there are messages after the end that the header states; they were read")
                    dataEnd = Self.unknown
                    phase = .messages
                    return true
                case .no: break
                }
            }
            warnings.add(
                byte: start + at,
                "the CRC is \(hexadecimal(stored)), of the bytes read it is \(hexadecimal(checksum.value)); "
                    + "everything was kept, but some values may be wrong")
        }
        at += 2
        phase = .header
        return true
    }

    /// Skips bytes that are not a message.
    mutating func find(
        _ bytes: ByteView, _ at: inout Int, start: Int, atEnd: Bool, since: Int, fault: String
    ) -> Bool {
        let first = at
        defer { if at > first { verify(bytes[first..<at]) } }
        let (limit, isEnd) = messageLimit(bytes, start: start)
        while at < limit {
            // Do not try the byte again that made no sense.
            switch start + at == since ? .no : isMessage(bytes, at: at, limit: limit, atEnd: atEnd || isEnd) {
            case .no: at += 1
            case .needs(let count):
                needed = dataEnd == Self.unknown ? count + 2 : count
                return false
            case .yes:
                warnings.add(byte: since, "\(fault); \(start + at - since) bytes were skipped up to the next message")
                phase = .messages
                return true
            }
        }
        needed = dataEnd == Self.unknown ? 3 : 1
        if isEnd {
            warnings.add(byte: since, "\(fault); the remaining \(start + at - since) bytes of messages were skipped")
            phase = .checksum
        }
        return isEnd
    }

    /// Skips bytes between two files.
    mutating func findHeader(_ bytes: ByteView, _ at: inout Int, start: Int, since: Int) -> Bool {
        while at + FITHeader.minimumSize <= bytes.count {
            if FITHeader.isSound(in: bytes, at: at) {
                warnings.add(byte: since, "\(start + at - since) bytes between two files were skipped")
                phase = .header
                return true
            }
            at += 1
        }
        needed = FITHeader.minimumSize
        return false
    }

    /// Handles the end of the bytes. `isWhole` means that the CRC over everything is zero, as it is if the last two
    /// bytes are the CRC.
    mutating func end(leftover: Int, isWhole: Bool) {
        let size = position + leftover
        switch phase {
        case .header, .foreign:
            if isFIT == nil { isFIT = false }
        case .checksum:
            warnings.add(byte: position, "the file ends without its CRC; everything was kept")
        case .garbage(let since):
            warnings.add(byte: since, "\(size - since) bytes after the end of the file were left out")
        case .lost(let since, let fault):
            warnings.add(byte: since, "\(fault); the remaining \(size - since) bytes of the file were skipped")
        case .messages where isWhole && size > dataStart:
            if dataEnd != Self.unknown {
                warnings.add(
                    byte: size,
                    "the file is whole, but ends \(dataEnd + 2 - size) bytes before the end that its header gives")
            }
        case .messages:
            let cut = leftover > (dataEnd == Self.unknown ? 2 : 0)
            let missing =
                dataEnd == Self.unknown ? "" : ", \(dataEnd + 2 - size) bytes before the end that its header gives"
            let message = cut ? "inside a message that begins at byte \(position)" : "after a whole message"
            warnings.add(byte: size, "the file ends \(message)\(missing); everything before was kept")
        }
    }

    enum Likeness {
        case yes, no
        /// This many bytes are needed to decide.
        case needs(Int)
    }

    /// Returns whether the bytes at `at` can be a message after sync was lost: a definition without any oddity, or a
    /// message of a known type whose timestamp is close to the last one. Random bytes pass this check about once in ten
    /// million bytes.
    ///
    /// `other` is a timestamp that may be the right one instead of the last.
    func isMessage(_ bytes: ByteView, at: Int, limit: Int, atEnd: Bool, other: UInt32? = nil) -> Likeness {
        guard at < limit else { return atEnd ? .no : .needs(1) }
        let header = bytes.uint8(at: at)
        if header & 0xD0 == 0x40 {
            guard at + 6 <= limit else { return atEnd ? .no : .needs(6) }
            guard bytes.uint8(at: at + 1) == 0, bytes.uint8(at: at + 2) <= 1, bytes.uint8(at: at + 5) > 0 else {
                return .no
            }
            var field = at + 6
            while field < at + 6 + 3 * Int(bytes.uint8(at: at + 5)) {
                guard field + 3 <= limit else { return atEnd ? .no : .needs(field + 3 - at) }
                let size = Int(bytes.uint8(at: field + 1))
                guard let type = FITBaseType(rawValue: bytes.uint8(at: field + 2)), size > 0, size % type.size == 0
                else { return .no }
                field += 3
            }
            return .yes
        }
        guard header & 0xF0 == 0, let last = lastTimestamp else { return .no }
        let definition = definitions[Int(header)]
        guard definition.isDefined, definition.timestampOffset >= 0 else { return .no }
        let place = at + 1 + Int(definition.timestampOffset)
        guard place + 4 <= limit else { return atEnd ? .no : .needs(place + 4 - at) }
        let timestamp = timestamp(definition, bytes[at + 1..<place + 4])
        func isNear(_ time: UInt32) -> Bool { (-60...3600).contains(Int64(timestamp) - Int64(time)) }
        return isNear(last) || other.map(isNear) == true ? .yes : .no
    }

    /// Returns whether a message looks as if the decoder were out of step: a time far from the last one, a compressed
    /// time beside a full one, or another `file_id` inside the activity. The time of a message that the profile does
    /// not know proves nothing, because it need not be a time.
    @inline(__always)
    func isOdd(_ definition: FITDefinition, _ payload: ByteView, isCompressed: Bool) -> Bool {
        guard let last = lastTimestamp else { return false }
        guard definition.timestampOffset >= 0 else { return definition.number == FITProfile.MessageNumber.fileID }
        guard definition.isKnown else { return false }
        let time = timestamp(definition, payload)
        return isCompressed || time &- last &+ 86400 > 31 * 86400 && time != UInt32.max
    }

    /// Returns whether a certain message follows an odd one, which shows that the odd one is a message too. It follows
    /// at once, or after a few messages without a time, such as `hrv`.
    func isFollowed(
        _ bytes: ByteView, _ place: (at: Int, end: Int), _ definition: FITDefinition, limit: Int, isEnd: Bool
    ) -> Likeness {
        let hasTime = definition.timestampOffset >= 0
        let own = hasTime ? timestamp(definition, bytes[place.at + 1..<place.end]) : nil
        var at = place.end
        for _ in 0...Self.timelessInARow {
            if at == limit, isEnd { return .yes }
            switch isMessage(bytes, at: at, limit: limit, atEnd: isEnd, other: own) {
            case .needs(let count): return .needs(at - place.at + count)
            case .yes: return .yes
            case .no: break
            }
            guard at < limit, bytes.uint8(at: at) & 0xF0 == 0 else { return .no }
            let next = definitions[Int(bytes.uint8(at: at))]
            guard next.isDefined, next.timestampOffset < 0, next.number != FITProfile.MessageNumber.fileID else {
                return .no
            }
            let end = at + 1 + Int(next.size)
            guard end <= limit else { return isEnd ? .no : .needs(end - place.at) }
            at = end
        }
        return .no
    }

    /// The most messages without a time between an odd message and the one that proves it.
    private static let timelessInARow = 8

    /// Returns whether the time in a message that the profile does not know is plausible enough for other times to
    /// count on from it.
    func isCredible(_ time: UInt32) -> Bool {
        guard let last = lastTimestamp else { return time >= 0x1000_0000 && time != UInt32.max }
        return time &- last &+ 86400 <= 31 * 86400
    }

    @inline(__always)
    private func timestamp(_ definition: FITDefinition, _ payload: ByteView) -> UInt32 {
        let raw = payload.uint32(at: Int(definition.timestampOffset))
        return definition.isBigEndian ? raw.byteSwapped : raw
    }

    private func hexadecimal(_ value: UInt16) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

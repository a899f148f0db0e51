#if Mirroring
import Foundation
package import NIOCore

/// Frames as bytes: a 32-bit length, a type, a body; all integers big-endian.
package enum FrameCodec {
    private enum Kind: UInt8 {
        case hello = 1
        case entries, acknowledged, alive, ping, finished, finishAcknowledged, bye, pairing
    }

    // MARK: Writing

    package static func encode(_ frame: Frame) -> ByteBuffer {
        switch frame {
        case .hello(let hello):
            framed(.hello, capacity: 96 + hello.greeting.count) { buffer in
                buffer.writeBytes(Hello.magic)
                buffer.writeInteger(Hello.version)
                write(hello.channel, to: &buffer)
                write(hello.log, to: &buffer)
                buffer.writeInteger(hello.first)
                buffer.writeInteger(hello.count)
                buffer.writeInteger(hello.received == nil ? UInt8(0) : 1)
                write(hello.received?.log ?? hello.log, to: &buffer)
                buffer.writeInteger(hello.received?.through ?? 0)
                buffer.writeBytes(hello.greeting)
            }
        case .entries(let first, let entries): encode(first: first, entries)
        case .acknowledged(let number): framed(.acknowledged, capacity: 8) { $0.writeInteger(number) }
        case .alive: framed(.alive)
        case .ping: framed(.ping)
        case .finished(let count): framed(.finished, capacity: 8) { $0.writeInteger(count) }
        case .finishAcknowledged: framed(.finishAcknowledged)
        case .bye(let bye, let text):
            framed(.bye, capacity: 256) { buffer in
                buffer.writeInteger(bye.rawValue)
                buffer.writeBytes(text.utf8.prefix(200))
            }
        case .pairing(let step):
            framed(.pairing, capacity: 256) { buffer in
                buffer.writeInteger(step.kind.rawValue)
                buffer.writeBytes(step.bytes)
            }
        }
    }

    static func encode(first: UInt64, _ entries: some Collection<[UInt8]>) -> ByteBuffer {
        framed(.entries, capacity: 8 + entries.reduce(0) { $0 + 4 + $1.count }) { buffer in
            buffer.writeInteger(first)
            for entry in entries {
                buffer.writeInteger(UInt32(entry.count))
                buffer.writeBytes(entry)
            }
        }
    }

    private static func framed(
        _ kind: Kind, capacity: Int = 0, _ body: (inout ByteBuffer) -> Void = { _ in }
    ) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: 5 + capacity)
        buffer.writeInteger(UInt32(0))
        buffer.writeInteger(kind.rawValue)
        body(&buffer)
        buffer.setInteger(UInt32(buffer.readableBytes - 4), at: 0)
        return buffer
    }

    private static func write(_ uuid: UUID, to buffer: inout ByteBuffer) {
        _ = withUnsafeBytes(of: uuid.uuid) { buffer.writeBytes($0) }
    }

    // MARK: Reading

    /// Reads one frame's type and body, without the length.
    package static func decode(_ bytes: ByteBuffer) throws(FrameError) -> Frame {
        var body = bytes
        guard let type: UInt8 = body.readInteger() else { throw .malformed(type: 0) }
        guard let kind = Kind(rawValue: type) else { throw .unknownType(type) }
        let frame: Frame? =
            switch kind {
            case .hello: try hello(&body)
            case .entries: entries(&body)
            case .acknowledged: body.readInteger().map(Frame.acknowledged)
            case .alive: .alive
            case .ping: .ping
            case .finished: body.readInteger().map(Frame.finished)
            case .finishAcknowledged: .finishAcknowledged
            case .bye: bye(&body)
            case .pairing: pairing(&body)
            }
        guard let frame, body.readableBytes == 0 else { throw .malformed(type: type) }
        return frame
    }

    private static func hello(_ body: inout ByteBuffer) throws(FrameError) -> Frame? {
        guard let magic = body.readBytes(length: 4), magic == Hello.magic, let version: UInt16 = body.readInteger()
        else { throw .notThisProtocol }
        guard version == Hello.version else { throw .version(version) }
        guard let channel = uuid(&body), let log = uuid(&body), let first: UInt64 = body.readInteger(),
            let count: UInt64 = body.readInteger(), let has: UInt8 = body.readInteger(), has < 2,
            let peerLog = uuid(&body), let through: UInt64 = body.readInteger(),
            // Numbers far from overflow can't make arithmetic trap.
            first > 0, first - 1 <= count, count < 1 << 62, through < 1 << 62
        else { return nil }
        let greeting = body.readBytes(length: body.readableBytes) ?? []
        return .hello(
            Hello(
                channel: channel, log: log, first: first, count: count,
                received: has == 1 ? MirrorPosition(log: peerLog, through: through) : nil, greeting: greeting))
    }

    private static func entries(_ body: inout ByteBuffer) -> Frame? {
        guard let first: UInt64 = body.readInteger(), first > 0, first < 1 << 62 else { return nil }
        var entries: [[UInt8]] = []
        while body.readableBytes > 0 {
            guard let length: UInt32 = body.readInteger(), let entry = body.readBytes(length: Int(length)) else {
                return nil
            }
            entries.append(entry)
        }
        return entries.isEmpty ? nil : .entries(first: first, entries)
    }

    private static func bye(_ body: inout ByteBuffer) -> Frame? {
        guard let raw: UInt8 = body.readInteger(), let bye = Frame.Bye(rawValue: raw), body.readableBytes <= 200 else {
            return nil
        }
        // The text is shown in a terminal or a log: printable ASCII only.
        let text = (body.readBytes(length: body.readableBytes) ?? []).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }
        return .bye(bye, String(decoding: text, as: UTF8.self))
    }

    private static func pairing(_ body: inout ByteBuffer) -> Frame? {
        guard let raw: UInt8 = body.readInteger(), let kind = PairingStep.Kind(rawValue: raw),
            body.readableBytes <= PairingStep.maximumBytes
        else { return nil }
        return .pairing(PairingStep(kind: kind, bytes: body.readBytes(length: body.readableBytes) ?? []))
    }

    private static func uuid(_ body: inout ByteBuffer) -> UUID? {
        guard let bytes = body.readBytes(length: 16) else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}

/// Cuts a stream of bytes into frames. Holds at most one incomplete frame and the bytes of one read.
package struct FrameDecoder {
    /// The longest frame that is accepted. A longer one is refused as soon as its length is read.
    var limit = MirrorLimits.frame
    private var held = ByteBuffer()

    package init(limit: Int = MirrorLimits.frame) { self.limit = limit }

    /// The number of bytes of an incomplete frame.
    package var heldBytes: Int { held.readableBytes }

    package mutating func feed(_ bytes: ByteBuffer) {
        if held.readableBytes == 0 {
            held = bytes
        } else {
            held.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the next complete frame, or nil if more bytes are needed.
    package mutating func next() throws(FrameError) -> Frame? {
        if let length: UInt32 = held.getInteger(at: held.readerIndex) {
            guard length <= limit else { throw .oversized(Int(length)) }
            if held.readableBytes >= 4 + Int(length) {
                held.moveReaderIndex(forwardBy: 4)
                guard let body = held.readSlice(length: Int(length)) else { return nil }
                return try FrameCodec.decode(body)
            }
        }
        // The network reuses the buffer that was fed. Keeping a reference would make every later read allocate.
        if held.readableBytes == 0 {
            held = ByteBuffer()
        } else if held.readerIndex > 0 {
            held = ByteBuffer(bytes: held.readableBytesView)
        }
        return nil
    }
}
#endif

import Analytics
import Foundation
import NIOCore
import Testing

@testable import Mirroring

@Suite struct FrameCodecTests {
    static let frames: [Frame] = [
        .hello(
            Hello(
                channel: UUID(), log: UUID(), first: 1, count: 9, received: MirrorPosition(log: UUID(), through: 4),
                greeting: [1, 2, 3])),
        .hello(Hello(channel: UUID(), log: UUID(), first: 5, count: 4, received: nil, greeting: [])),
        .entries(first: 3, [[1], [], [2, 3]]), .acknowledged(7), .alive, .ping, .finished(12), .finishAcknowledged,
        .bye(.replaced, "newer"), .pairing(PairingStep(kind: .number, bytes: [9])),
    ]

    private func decodeAll(_ decoder: inout FrameDecoder, _ bytes: ByteBuffer) throws -> [Frame] {
        var frames: [Frame] = []
        decoder.feed(bytes)
        while let frame = try decoder.next() { frames.append(frame) }
        return frames
    }

    private static var stream: [UInt8] { frames.flatMap { Array(FrameCodec.encode($0).readableBytesView) } }

    @Test func `every frame is decoded as it was encoded`() throws {
        var decoder = FrameDecoder()
        #expect(try decodeAll(&decoder, ByteBuffer(bytes: Self.stream)) == Self.frames)
        #expect(decoder.heldBytes == 0)
    }

    @Test func `a stream in single bytes is the same stream`() throws {
        var decoder = FrameDecoder()
        var frames: [Frame] = []
        for byte in Self.stream { frames += try decodeAll(&decoder, ByteBuffer(bytes: [byte])) }
        #expect(frames == Self.frames)
    }

    @Test func `a stream may be split anywhere`() throws {
        let stream = Self.stream
        for cut in 0...stream.count {
            var decoder = FrameDecoder()
            var frames = try decodeAll(&decoder, ByteBuffer(bytes: stream[..<cut]))
            frames += try decodeAll(&decoder, ByteBuffer(bytes: stream[cut...]))
            #expect(frames == Self.frames)
        }
    }

    @Test func `a frame that is too long is rejected by its length alone`() {
        var decoder = FrameDecoder()
        let length = UInt32(MirrorLimits.frame + 1)
        #expect(throws: FrameError.oversized(Int(length))) {
            try decodeAll(&decoder, ByteBuffer(integer: length))
        }
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0], FrameError.malformed(type: 0)), ([0, 0, 0, 1, 99], .unknownType(99)),
            ([0, 0, 0, 1, 3], .malformed(type: 3)), ([0, 0, 0, 2, 4, 0], .malformed(type: 4)),
            // Entries: number zero; an entry longer than the frame; none at all.
            ([0, 0, 0, 13, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .malformed(type: 2)),
            ([0, 0, 0, 13, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9], .malformed(type: 2)),
            ([0, 0, 0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 1], .malformed(type: 2)),
            // Hello: other magic; another version.
            ([0, 0, 0, 7, 1, 71, 69, 84, 32, 0, 1], .notThisProtocol),
            ([0, 0, 0, 7, 1, 79, 72, 75, 77, 0, 2], .version(2)),
            ([0, 0, 0, 2, 8, 77], .malformed(type: 8)),
        ] as [([UInt8], FrameError)])
    func `bytes that are not a frame are rejected`(bytes: [UInt8], error: FrameError) {
        var decoder = FrameDecoder()
        #expect(throws: error) { try decodeAll(&decoder, ByteBuffer(bytes: bytes)) }
    }

    @Test func `a peer's parting message is printable`() throws {
        var decoder = FrameDecoder()
        let frames = try decodeAll(&decoder, FrameCodec.encode(.bye(.closed, "\u{1B}[2Jgone\n")))
        #expect(frames == [.bye(.closed, "?[2Jgone?")])
    }

    @Test(arguments: 0..<64) func `no stream of bytes traps the decoder or makes it buffer much`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let clean = Self.stream
        for _ in 0..<200 {
            var bytes = clean
            switch random.next() % 3 {
            case 0:
                for _ in 0...random.next() % 8 {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
            case 1: bytes.removeSubrange(0..<Int(random.next() % UInt64(bytes.count)))
            default: bytes = (0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
            var decoder = FrameDecoder()
            var index = 0
            do {
                while index < bytes.count {
                    let end = min(bytes.count, index + Int(random.next() % 40) + 1)
                    _ = try decodeAll(&decoder, ByteBuffer(bytes: bytes[index..<end]))
                    index = end
                }
            } catch {
                #expect(error is FrameError)
            }
            #expect(decoder.heldBytes <= MirrorLimits.frame + 44)
        }
    }
}

import Foundation
import Mirroring
import NIOCore

/// Everything that a machine may send before and after it is trusted: frames, the steps of pairing, a log.
enum MirrorFuzz {
    /// The first byte decides how the rest is cut into pieces, as a network does.
    static func feed(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let stream = bytes.dropFirst()
        let frames = frames(of: [stream], limit: MirrorLimits.frame)
        let length = Int(first) + 1
        let pieces = stride(from: stream.startIndex, to: stream.endIndex, by: length).map {
            stream[$0..<min($0 + length, stream.endIndex)]
        }
        precondition(self.frames(of: pieces, limit: MirrorLimits.frame) == frames, "pieces make other frames")
        _ = self.frames(of: pieces, limit: 1_024)
        for frame in frames {
            // After the length.
            let encoded = FrameCodec.encode(frame)
            let again = try? FrameCodec.decode(
                encoded.getSlice(at: 4, length: encoded.readableBytes - 4) ?? ByteBuffer())
            precondition(again == frame, "\(frame) comes back as \(String(describing: again))")
        }
        pair(frames, .dialing)
        pair(frames, .listening)
        follow(frames)
    }

    private static func frames(of pieces: [ArraySlice<UInt8>], limit: Int) -> [Frame] {
        var decoder = FrameDecoder(limit: limit)
        var frames: [Frame] = []
        for piece in pieces {
            decoder.feed(ByteBuffer(bytes: piece))
            do {
                while let frame = try decoder.next() { frames.append(frame) }
            } catch {
                return frames
            }
            precondition(decoder.heldBytes < 4 + limit, "\(decoder.heldBytes) bytes are held")
        }
        return frames
    }

    /// The user accepts whatever is shown. Without a kept promise, nothing is shown.
    private static func pair(_ frames: [Frame], _ role: PairingExchange.Role) {
        guard let own = PeerFingerprint(bytes: number(1)), let peer = PeerFingerprint(bytes: number(2)) else { return }
        var exchange = PairingExchange(role, name: "here", own: own, peer: peer, number: number(3))
        _ = exchange.start()
        var ends = 0
        var isShown = false
        func take(_ actions: [PairingExchange.Action]) {
            for action in actions {
                switch action {
                case .send(let step): precondition(step.bytes.count <= 512)
                case .ask(let code, let name):
                    precondition(code.utf8.count == 6 && !name.isEmpty && !isShown)
                    isShown = true
                case .paired:
                    precondition(isShown)
                    ends += 1
                case .fail: ends += 1
                }
            }
        }
        for case .pairing(let step) in frames {
            let wasShown = isShown
            take(exchange.received(step))
            if isShown, !wasShown { take(exchange.answered(true)) }
        }
        take(exchange.interrupted("the end"))
        take(exchange.interrupted("the end"))
        precondition(ends == 1, "pairing ended \(ends) times")
    }

    private static func number(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    /// Entries come out in order and none twice, as long as the log is the same.
    private static func follow(_ frames: [Frame]) {
        var receiver = LogReceiver()
        for frame in frames {
            switch frame {
            case .hello(let hello):
                let before = receiver.delivered
                let isNew = receiver.began(hello)
                let through = receiver.delivered?.through ?? 0
                precondition(receiver.delivered?.log == hello.log && through <= hello.count)
                precondition(isNew || receiver.delivered == before)
                precondition(through >= hello.first - 1 && receiver.handled <= through)
            case .entries(let first, let entries):
                let before = receiver.delivered?.through
                switch receiver.received(entries, first: first) {
                case .new(let new, let number):
                    precondition(number == before.map { $0 + 1 } && !new.isEmpty)
                    precondition(receiver.delivered?.through == number + UInt64(new.count) - 1)
                case .known, .gap: precondition(receiver.delivered?.through == before)
                }
            case .acknowledged(let number):
                // Acts as a consumer that has handled this many.
                guard let delivered = receiver.delivered, number <= delivered.through else { continue }
                _ = receiver.handled(through: number, of: delivered.log)
            case .alive, .ping, .finished, .finishAcknowledged, .bye, .pairing: continue
            }
        }
    }
}

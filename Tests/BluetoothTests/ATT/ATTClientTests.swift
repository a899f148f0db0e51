import Foundation
import TestBytes
import Testing

@testable import Bluetooth
@testable import GATT

struct ATTClientTests {
    private let date = Date(timeIntervalSinceReferenceDate: 0)

    /// A client that has discovered one service (14–20) with one characteristic, `properties` at handle 16.
    private func discovered(properties: UInt8 = 0x10) -> ATTClient {
        var client = ATTClient()
        _ = client.start(at: .zero)
        let answers = [
            "03 17 00", "11 06 0e 00 14 00 0d 18", "01 10 15 00 0a", "09 07 0f 00 10 10 00 37 2a", "01 08 10 00 0a",
        ]
        for answer in answers {
            var bytes = hexBytes(answer)
            if bytes[0] == 9 { bytes[4] = properties }
            _ = client.receive(bytes, at: .zero, date: date)
        }
        return client
    }

    @Test func `discovery requests the MTU, the services and their characteristics`() {
        var client = ATTClient()
        #expect(client.start(at: .zero) == [.send(hexBytes("02 05 02"))])
        var sent: [ATTClient.Action] = []
        for answer in [
            "03 b9 00", "11 06 0e 00 14 00 0d 18", "01 10 15 00 0a", "09 07 0f 00 10 10 00 37 2a", "01 08 10 00 0a",
        ] {
            sent += client.receive(hexBytes(answer), at: .zero, date: date)
        }
        #expect(
            sent == [
                .send(hexBytes("10 01 00 ff ff 00 28")), .send(hexBytes("10 15 00 ff ff 00 28")),
                .send(hexBytes("08 0e 00 14 00 03 28")), .send(hexBytes("08 10 00 14 00 03 28")), .discovered,
            ])
        #expect(client.mtu == 185)
        #expect(client.characteristics.map(\.handle) == [16])
        #expect(client.deadline == nil)
    }

    @Test func `a device without MTU exchange gets short messages`() {
        var client = ATTClient()
        _ = client.start(at: .zero)
        let next = client.receive(hexBytes("01 02 00 00 06"), at: .zero, date: date)
        #expect(next == [.send(hexBytes("10 01 00 ff ff 00 28"))])
        #expect(client.mtu == 23)
    }

    @Test(arguments: [("03 00 00", 23), ("03 ff ff", 517)] as [(String, UInt16)])
    func `an impossible MTU is clamped`(_ answer: String, _ mtu: UInt16) {
        var client = ATTClient()
        _ = client.start(at: .zero)
        _ = client.receive(hexBytes(answer), at: .zero, date: date)
        #expect(client.mtu == mtu)
    }

    @Test(arguments: [
        // The same service again and again, one that ends before it begins, one before the requested range, no items,
        // all handles.
        "11 06 01 00 05 00 0d 18", "11 06 05 00 01 00 0d 18", "11 06 00 00 05 00 0d 18", "11 06",
        "11 06 01 00 ff ff 0d 18",
        // The same characteristic again and again, one of another service, one that is too short.
        "09 07 02 00 10 10 00 37 2a", "09 07 ff ff 10 10 00 37 2a", "09 02 01 00", "09 07",
        // Descriptors in a circle, or out of range.
        "05 01 01 00 02 29", "05 01 ff ff 02 29", "05 01",
        // Errors for another request, and for all requests.
        "01 0a 01 00 0a", "01 10 00 00 01", "01 08 00 00 01",
    ])
    func `discovery ends even if a device answers every request alike`(_ answer: String) {
        var client = ATTClient()
        var actions = client.start(at: .zero)
        actions += client.receive(hexBytes("03 17 00"), at: .zero, date: date)
        var requests = 0
        while let last = actions.last, case .send = last, requests < 300 {
            requests += 1
            actions = client.receive(hexBytes(answer), at: .zero, date: date)
        }
        #expect(requests < 200)
    }

    @Test func `discovery ends even if a device spreads its services over all handles`() {
        var client = ATTClient()
        var actions = client.start(at: .zero) + client.receive(hexBytes("03 17 00"), at: .zero, date: date)
        var requests = 0
        while case .send(let bytes)? = actions.last, requests < 100_000 {
            requests += 1
            let answer: ATTPDU
            switch ATTPDU(bytes) {
            case .readByGroupTypeRequest(let range, _):
                answer = .readByGroupTypeResponse([
                    ATTGroup(first: range.first, last: range.first, value: [0x0D, 0x18])
                ])
            case .readByTypeRequest(let range, _):
                answer = .readByTypeResponse([
                    ATTAttribute(handle: range.first, value: [0x10, bytes[1], bytes[2], 0x37, 0x2A])
                ])
            default:
                answer = .errorResponse(request: bytes[0], handle: 0, code: ATTErrorCode.attributeNotFound)
            }
            actions = client.receive(answer.bytes, at: .zero, date: date)
        }
        #expect(actions == [.discovered])
        #expect(requests < 200)
    }

    @Test func `discovery has half a minute, and so has each transaction`() {
        var client = ATTClient()
        _ = client.start(at: .seconds(1))
        #expect(client.deadline == .seconds(31))
        #expect(client.check(at: .seconds(30.9)) == [])
        #expect(client.check(at: .seconds(31)) == [.failed(.discoveryTimeout)])

        client = discovered()
        #expect(client.submit(.read(16), operation: 1, at: .seconds(60)) == [.send(hexBytes("0a 10 00"))])
        #expect(client.deadline == .seconds(90))
        #expect(client.check(at: .seconds(90)) == [.failed(.transactionTimeout(opcode: 0x0A))])
    }

    @Test func `a late answer, or an answer to another request, is ignored`() {
        var client = discovered()
        #expect(client.receive(hexBytes("0b 01"), at: .zero, date: date) == [])
        _ = client.submit(.read(16), operation: 1, at: .zero)
        #expect(client.receive(hexBytes("13"), at: .zero, date: date) == [])
        #expect(client.receive(hexBytes("01 12 10 00 01"), at: .zero, date: date) == [])
        #expect(
            client.receive(hexBytes("0b 01"), at: .zero, date: date) == [.finished(operation: 1, .value([1]))])
    }

    @Test func `the device's own requests are answered, also between ours`() {
        var client = discovered()
        _ = client.submit(.read(16), operation: 1, at: .zero)
        #expect(client.receive(hexBytes("02 40 00"), at: .zero, date: date) == [.send(hexBytes("03 05 02"))])
        for request: UInt8 in [0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20] {
            #expect(
                client.receive([request, 1, 0], at: .zero, date: date) == [.send([0x01, request, 0, 0, 6])])
        }
        // Commands, signed or not, and confirmations get no answer.
        for command: UInt8 in [0x52, 0xD2, 0x1E] {
            #expect(client.receive([command, 1, 0], at: .zero, date: date) == [])
        }
        #expect(
            client.receive(hexBytes("0b 07"), at: .zero, date: date) == [.finished(operation: 1, .value([7]))])
    }

    @Test func `values that arrive before the characteristics are known are delivered afterwards`() {
        var client = ATTClient()
        _ = client.start(at: .zero)
        #expect(client.receive(hexBytes("1b 10 00 10 3c"), at: .zero, date: date) == [])
        var actions: [ATTClient.Action] = []
        for answer in [
            "03 17 00", "11 06 0e 00 14 00 0d 18", "01 10 15 00 0a", "09 07 0f 00 10 10 00 37 2a", "01 08 10 00 0a",
        ] { actions = client.receive(hexBytes(answer), at: .zero, date: date) }
        #expect(actions == [.discovered, .value(client.characteristics[0], [0x10, 0x3C], date)])
    }

    @Test func `a characteristic that only indicates is configured for indications`() {
        var client = discovered(properties: 0x20)
        _ = client.submit(.subscribe(16), operation: 1, at: .zero)
        #expect(
            client.receive(hexBytes("05 01 11 00 02 29"), at: .zero, date: date)
                == [.send(hexBytes("12 11 00 02 00"))])
    }

    @Test func `a write longer than a message is rejected locally`() {
        var client = discovered()
        let request = ATTClient.Request.write(16, [UInt8](repeating: 0, count: 21))
        #expect(
            client.submit(request, operation: 1, at: .zero)
                == [.finished(operation: 1, .error(code: ATTErrorCode.invalidLength))])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no bytes trap the client, and each causes little traffic`(_ seed: UInt64) {
        var random = SeededBytes(state: seed)
        for _ in 0..<300 {
            var client = ATTClient()
            _ = client.start(at: .zero)
            for step in 0..<60 {
                if step % 7 == 0 { _ = client.submit(.subscribe(random.next16()), operation: step, at: .zero) }
                if step % 11 == 0 { _ = client.submit(.read(random.next16()), operation: step, at: .zero) }
                let opcodes: [UInt8] = [0x01, 0x03, 0x05, 0x09, 0x0B, 0x0D, 0x11, 0x13, 0x1B, 0x1D, 0x23]
                var bytes = random.bytes(Int(random.next16() % 24))
                if let first = bytes.first { bytes[0] = first < 230 ? opcodes[Int(first) % opcodes.count] : first }
                #expect(client.receive(bytes, at: .zero, date: date).count < 140)
            }
        }
    }
}

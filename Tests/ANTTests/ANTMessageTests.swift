import ANT
import GATT
import TestBytes
import Testing

/// Traffic of a real stick with a Garmin heart-rate strap (number 25170), posted at
/// thisisant.com/forum/viewthread/7385.
enum RealStick {
    static let messages = [
        "a40e4e0284ffa5e2a5e6ca3c8052627871d6", "a40e4e0204ffa5e6a5eacb3c80526278715f",
        "a40e4e0284ffa5eaa5eecc3c8052627871d0", "a40e4e0204ffa5eea5f2cd3c805262787149",
        "a40340020109ed", "a40340020109ed",
        "a40e4e0284ffb6fac7fed03b8052627871ba", "a40e4e0204ffc7fed802d13b8052627871ad",
        "a40e4e0284ffd802e906d23b8052627871f8", "a40e4e0204ffe906fa0ad33b805262787153",
    ].map { hexBytes($0) }
    static let strap = ANTDeviceID(.heartRate, number: 25170)
}

@Suite struct ANTMessageTests {
    @Test func `messages of a real stick are decoded`() throws {
        var reader = ANTMessageReader()
        let messages = reader.read(RealStick.messages.joined())
        #expect(messages.count == 10)
        #expect(messages.map(\.bytes) == RealStick.messages)
        let broadcasts = messages.compactMap(ANTBroadcast.init)
        #expect(broadcasts.count == 8)
        #expect(broadcasts.allSatisfy { $0.device == RealStick.strap && $0.channel == 2 && $0.page.count == 8 })
        #expect(broadcasts[0].page == [0x84, 0xFF, 0xA5, 0xE2, 0xA5, 0xE6, 0xCA, 0x3C])
    }

    @Test func `messages split anywhere are put together`() {
        let all = Array(RealStick.messages.joined())
        for cut in 0...all.count {
            var reader = ANTMessageReader()
            let messages = reader.read(all[..<cut]) + reader.read(all[cut...])
            #expect(messages.map(\.bytes) == RealStick.messages, "cut at \(cut)")
        }
        var byByte = ANTMessageReader()
        var messages: [ANTMessage] = []
        for byte in all { messages += byByte.read([byte]) }
        #expect(messages.map(\.bytes) == RealStick.messages)
    }

    @Test func `noise, padding and damage affect only the messages they touch`() {
        var reader = ANTMessageReader()
        let padded = Array(RealStick.messages.map { message -> [UInt8] in message + [0, 0, 0] }.joined())
        #expect(reader.read(padded).count == 10)
        // An invalid length, and a sync byte in the middle of other bytes.
        var noisy = ANTMessageReader()
        #expect(noisy.read([0xA4, 0xFF, 0xA4] + RealStick.messages[0]).map(\.bytes) == [RealStick.messages[0]])
        var damaged = RealStick.messages[0]
        damaged[7] ^= 0x10
        var other = ANTMessageReader()
        #expect(other.read(damaged + RealStick.messages[1]).map(\.bytes) == [RealStick.messages[1]])
    }

    @Test func `a page of eight sync bytes is read as a page`() {
        let message = ANTMessage(.broadcast, [0] + [UInt8](repeating: 0xA4, count: 8))
        var reader = ANTMessageReader()
        #expect(reader.read(message.bytes) == [message])
        #expect(ANTBroadcast(message)?.device == nil)
    }

    @Test func `random bytes never trap and leave little buffered`() {
        var random = SeededBytes(state: 7)
        var reader = ANTMessageReader()
        for _ in 0..<20_000 {
            for message in reader.read(random.bytes(40)) { _ = ANTBroadcast(message) }
        }
        // The remainder is shorter than the longest message.
        #expect(reader.waitingCount < 80)
    }

    @Test(
        arguments: [
            ("ant:hr:12345", ANTDeviceKind.heartRate, 12345), ("ANT:Trainer:1", .fitnessEquipment, 1),
            ("ant:footpod:65535", .strideSensor, 65535),
        ] as [(String, ANTDeviceKind, UInt16)])
    func `addresses are parsed in their printed form`(text: String, kind: ANTDeviceKind, number: UInt16) throws {
        let device = try #require(ANTDeviceID(text))
        #expect(device == ANTDeviceID(kind, number: number))
        let address = DeviceAddress(device)
        #expect(address.ant == device)
        #expect(DeviceAddress(address.description) == address)
        #expect(DeviceAddress(value: address.value).ant == nil)
    }

    @Test(arguments: ["ant:hr:0", "ant:hr:65536", "ant:hr", "ant:heart:1", "ant:hr:1:2", "hr:1", "ant::1", "ant:hr:-1"])
    func `malformed addresses are rejected`(text: String) {
        #expect(ANTDeviceID(text) == nil)
        #expect(DeviceAddress(text) == nil)
    }
}

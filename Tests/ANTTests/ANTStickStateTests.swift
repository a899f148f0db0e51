import ANT
import GATT
import Testing

/// The firmware of a stick: it accepts every command and reports each channel that it closes.
private struct Firmware {
    /// Commands that are not answered.
    var isSilent: (ANTMessage) -> Bool = { _ in false }
    /// Commands that are refused.
    var refuses: (ANTMessage) -> Bool = { _ in false }
    var channels: UInt8 = 8

    func answers(_ message: ANTMessage) -> [ANTMessage] {
        guard !isSilent(message) else { return [] }
        switch message.id {
        case .resetSystem: return [ANTMessage(.startup, [0x20])]
        case .request: return [ANTMessage(.capabilities, [channels, 3, 0, 0xBA])]
        case .closeChannel:
            let number = message.content[0]
            return [ANTMessage(.response, [number, message.id.rawValue, 0]), ANTMessage(.response, [number, 1, 7])]
        default:
            return [
                ANTMessage(
                    .response, [message.content[0], message.id.rawValue, refuses(message) ? 0x28 : 0])
            ]
        }
    }
}

/// Runs a state and a firmware against each other until neither has anything to send.
private struct Talk {
    var state = ANTStickState()
    var firmware = Firmware()
    var now = Duration.zero
    var written: [ANTMessage] = []
    var other: [ANTStickState.Action] = []

    mutating func run(_ actions: [ANTStickState.Action]) {
        var waiting = actions
        while !waiting.isEmpty {
            let action = waiting.removeFirst()
            guard case .write(let message) = action else {
                other.append(action)
                continue
            }
            written.append(message)
            for answer in firmware.answers(message) { waiting += state.received(answer, at: now) }
        }
    }

    mutating func pass(_ time: Duration) {
        now += time
        run(state.timePassed(at: now))
    }

    mutating func receive(_ message: ANTMessage) { run(state.received(message, at: now)) }

    func commands(on channel: UInt8) -> [ANTMessage.ID] {
        written.filter { $0.content.first == channel && $0.content.count > 0 }.map(\.id)
    }
}

@Suite struct ANTStickStateTests {
    private let strap = ANTDeviceID(.heartRate, number: 25170)
    private let meter = ANTDeviceID(.power, number: 300)

    private func started(_ firmware: Firmware = Firmware()) -> Talk {
        var talk = Talk()
        talk.firmware = firmware
        talk.run(talk.state.restart(at: .zero))
        return talk
    }

    @Test func `a stick is reset and set up, and opens a channel for each sensor`() {
        var talk = started()
        #expect(talk.written.map(\.id) == [.resetSystem, .networkKey, .extendedMessages, .request])
        #expect(talk.written[1].content == [0, 0xB9, 0xA5, 0x21, 0xFB, 0xBD, 0x72, 0xC3, 0x45])
        talk.written = []
        talk.run(talk.state.open(strap, at: .zero))
        talk.run(talk.state.open(meter, at: .zero))
        #expect(
            talk.commands(on: 0) == [
                .assignChannel, .channelID, .frequency, .channelPeriod, .lowPrioritySearchTimeout, .searchTimeout,
                .openChannel,
            ])
        #expect(talk.written[1].content == [0, 0x52, 0x62, 120, 0])
        #expect(talk.written[2].content == [0, 57])
        #expect(talk.written[3].content == [0, 0x86, 0x1F])
        #expect(talk.commands(on: 1).last == .openChannel)
        #expect(talk.state.devices == [strap, meter])
    }

    @Test func `a sensor's data arrives, and no other sensor's`() {
        var talk = started()
        talk.run(talk.state.open(strap, at: .zero))
        talk.receive(ANTMessage(.broadcast, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 0x52, 0x62, 120, 1]))
        // Older sticks don't identify themselves.
        talk.receive(ANTMessage(.broadcast, [0, 8, 7, 6, 5, 4, 3, 2, 1]))
        talk.receive(ANTMessage(.broadcast, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 1, 0, 120, 1]))
        talk.receive(ANTMessage(.broadcast, [5, 1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(
            talk.other == [
                .received(strap, page: [1, 2, 3, 4, 5, 6, 7, 8]), .received(strap, page: [8, 7, 6, 5, 4, 3, 2, 1]),
            ])
    }

    @Test func `an unsuccessful search frees its channel`() {
        var talk = started()
        talk.run(talk.state.open(strap, at: .zero))
        talk.receive(ANTMessage(.response, [0, 1, 1]))
        talk.receive(ANTMessage(.response, [0, 1, 7]))
        #expect(talk.other == [.ended(strap, .notHeard)])
        #expect(!talk.state.isNeeded)
        talk.written = []
        talk.run(talk.state.open(meter, at: .zero))
        #expect(talk.written.first == ANTMessage(.assignChannel, [0, 0, 0]))
    }

    @Test func `a lost sensor's channel ends and can be reopened at once`() {
        var talk = started()
        talk.run(talk.state.open(strap, at: .zero))
        talk.receive(ANTMessage(.response, [0, 1, 8]))
        #expect(talk.other == [.ended(strap, .notHeard)])
        #expect(!talk.state.isNeeded)
        talk.run(talk.state.open(strap, at: .zero))
        #expect(talk.state.devices == [strap])
    }

    @Test func `there may be more sensors than channels`() {
        var talk = started(Firmware(channels: 2))
        for number in 1...3 { talk.run(talk.state.open(ANTDeviceID(.heartRate, number: UInt16(number)), at: .zero)) }
        #expect(talk.other == [.ended(ANTDeviceID(.heartRate, number: 3), .full)])
        // Closing a channel makes room for another.
        talk.run(talk.state.close(ANTDeviceID(.heartRate, number: 1), at: .zero))
        talk.run(talk.state.open(ANTDeviceID(.heartRate, number: 3), at: .zero))
        #expect(talk.state.devices == [ANTDeviceID(.heartRate, number: 2), ANTDeviceID(.heartRate, number: 3)])
        #expect(talk.other.count == 1)
    }

    @Test func `a stick that does not know a newer command works without it`() {
        var talk = started(Firmware(refuses: { [.extendedMessages, .lowPrioritySearchTimeout].contains($0.id) }))
        talk.run(talk.state.open(strap, at: .zero))
        #expect(talk.written.last == ANTMessage(.openChannel, [0]))
        #expect(talk.other.isEmpty)
    }

    @Test func `a command is repeated once before the device is reset`() {
        var talk = started()
        talk.firmware.isSilent = { $0.id == .channelID }
        talk.run(talk.state.open(strap, at: .zero))
        talk.pass(.milliseconds(900))
        #expect(talk.written.count { $0.id == .channelID } == 1)
        talk.pass(.milliseconds(100))
        #expect(talk.written.count { $0.id == .channelID } == 2)
        talk.pass(.seconds(1))
        #expect(talk.other == [.ended(strap, .stick), .resetDevice])
        #expect(!talk.state.isDead)
        // After the reset everything works, and earlier failures are forgotten.
        talk.firmware.isSilent = { _ in false }
        talk.run(talk.state.restart(at: talk.now))
        talk.run(talk.state.open(strap, at: talk.now))
        #expect(talk.written.last == ANTMessage(.openChannel, [0]))
        #expect(talk.state.pauseBeforeReset == .zero)
    }

    @Test func `a silent stick is reset less and less often, then abandoned`() {
        var talk = Talk()
        talk.firmware.isSilent = { _ in true }
        talk.run(talk.state.open(strap, at: .zero))
        var pauses: [Duration] = []
        for _ in 0..<4 {
            talk.run(talk.state.restart(at: talk.now))
            for _ in 0..<4 { talk.pass(.seconds(1)) }
            pauses.append(talk.state.pauseBeforeReset)
        }
        #expect(talk.other.count { $0 == .resetDevice } == 4)
        #expect(pauses == [.zero, .seconds(1), .seconds(2), .seconds(5)])
        #expect(talk.state.isDead)
    }

    @Test func `a stick that does not announce its start is set up anyway`() {
        var talk = Talk()
        talk.firmware.isSilent = { $0.id == .resetSystem }
        talk.run(talk.state.restart(at: .zero))
        #expect(talk.written.count == 1)
        talk.pass(.seconds(1))
        #expect(talk.written.last?.id == .request)
    }

    @Test func `a silent stick with an open channel is probed`() {
        var talk = started()
        talk.run(talk.state.open(strap, at: .zero))
        talk.written = []
        talk.pass(.seconds(2))
        #expect(talk.written.isEmpty)
        talk.pass(.seconds(1))
        #expect(talk.written.map(\.id) == [.request])
        talk.firmware.isSilent = { _ in true }
        talk.pass(.seconds(5))
        talk.pass(.seconds(1))
        talk.pass(.seconds(1))
        #expect(talk.other == [.ended(strap, .stick), .resetDevice])
    }

    @Test func `a sensor requested before the stick was reopened gets its channel`() {
        var talk = started()
        // Written for a stick that has been removed, which the state cannot know yet.
        _ = talk.state.open(strap, at: .zero)
        talk.written = []
        talk.run(talk.state.restart(at: .zero))
        #expect(talk.written.last == ANTMessage(.openChannel, [0]))
        #expect(talk.state.devices == [strap])
    }

    @Test func `a stick that restarts by itself is set up again`() {
        var talk = started()
        talk.run(talk.state.open(strap, at: .zero))
        talk.written = []
        talk.receive(ANTMessage(.startup, [0]))
        #expect(talk.other == [.ended(strap, .stick)])
        #expect(talk.written.map(\.id) == [.networkKey, .extendedMessages, .request])
    }

    @Test func `a scan receives every sensor, and ends when a session begins`() throws {
        var talk = started()
        let scan = talk.state.scan(at: .zero)
        talk.run(try #require(scan))
        #expect(talk.written.last == ANTMessage(.openScan, [0]))
        talk.receive(ANTMessage(.broadcast, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 0x52, 0x62, 120, 1]))
        talk.receive(ANTMessage(.broadcast, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 44, 1, 11, 5]))
        talk.receive(ANTMessage(.broadcast, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x80, 44, 1, 99, 5]))
        #expect(
            talk.other == [
                .received(strap, page: [1, 2, 3, 4, 5, 6, 7, 8]), .received(meter, page: [1, 2, 3, 4, 5, 6, 7, 8]),
            ])
        talk.written = []
        talk.run(talk.state.open(strap, at: .zero))
        #expect(talk.other.last == .scanEnded)
        #expect(talk.written.first == ANTMessage(.resetSystem, [0]))
        #expect(talk.written.last == ANTMessage(.openChannel, [0]))
        // In the other order there is no scan, because the session keeps the stick.
        #expect(talk.state.scan(at: .zero) == nil)
    }

    @Test func `random sequences of events never trap, and the stick becomes idle`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var talk = started()
            let devices = (1...10).map { ANTDeviceID(.heartRate, number: $0) }
            for _ in 0..<200 {
                let device = devices.randomElement(using: &random)!
                switch Int.random(in: 0..<8, using: &random) {
                case 0: talk.run(talk.state.open(device, at: talk.now))
                case 1: talk.run(talk.state.close(device, at: talk.now))
                case 2: talk.run(talk.state.scan(at: talk.now) ?? [])
                case 3: talk.run(talk.state.endScan(at: talk.now))
                case 4:
                    talk.receive(ANTMessage(.response, [.random(in: 0..<9), 1, .random(in: 0..<16)]))
                case 5: talk.receive(ANTMessage(.response, (0..<3).map { _ in .random(in: 0..<255) }))
                case 6: talk.pass(.milliseconds(Int.random(in: 0..<3000, using: &random)))
                default:
                    talk.receive(
                        ANTMessage(.init(rawValue: .random(in: 0...255)), (0..<9).map { _ in .random(in: 0..<8) }))
                }
                if talk.other.last == .resetDevice { talk.run(talk.state.restart(at: talk.now)) }
            }
            for device in devices { talk.run(talk.state.close(device, at: talk.now)) }
            talk.run(talk.state.endScan(at: talk.now))
            for _ in 0..<8 {
                talk.pass(.seconds(1))
                if talk.other.last == .resetDevice { talk.run(talk.state.restart(at: talk.now)) }
            }
            #expect(!talk.state.isNeeded)
        }
    }
}

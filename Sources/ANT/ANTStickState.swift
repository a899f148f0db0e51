package import GATT

/// The state of a stick: the commands to send, and the sensors that its channels receive. Pure: events carry the time.
///
///     restart ─▶ reset sent ─▶ set up ─▶ ready: channels are opened one after the other ─▶ …
///        ▲                        │              │
///        └─── no answer in time ──┴──────────────┘      (the USB device is reset, longer and longer after each other)
///
/// One command is in progress at a time. Each is answered. Every sensor has its own channel. A scan takes the whole
/// stick.
///
/// Source: Dynastream, ANT Message Protocol and Usage, sections 5, 7 and 9; ANT+ device profiles (channel configuration).
package struct ANTStickState: Sendable {
    /// What to do, in order.
    package enum Action: Sendable, Equatable {
        case write(ANTMessage)
        /// The stick does not answer: reset the USB device, and open it again.
        case resetDevice
        /// A message of a sensor on its channel, or of any during a scan.
        case received(ANTDeviceID, page: [UInt8])
        /// A sensor's channel is gone. The sensor may be opened again at once.
        case ended(ANTDeviceID, Reason)
        case scanEnded
    }

    package enum Reason: Sendable, Equatable {
        /// The search found nothing, or the sensor was lost.
        case notHeard
        /// The stick was reset, or refused a command.
        case stick
        /// All channels are in use.
        case full
    }

    /// The public key of ANT+ (thisisant.com, "ANT+ network key"; it is in every open program for ANT+, such as GoldenCheetah).
    static let networkKey: [UInt8] = [0xB9, 0xA5, 0x21, 0xFB, 0xBD, 0x72, 0xC3, 0x45]
    /// 2457 MHz, as an offset to 2400.
    private static let frequency: UInt8 = 57
    /// How long a stick may take to answer a command.
    static let patience = Duration.seconds(1)
    /// How long it may take to start after a reset. Some do not report it.
    static let startTime = Duration.seconds(1)
    /// After this time without a sign of life the stick is asked for one.
    static let silence = Duration.seconds(3)
    /// In 2.5 s each: a search that disturbs other channels, and then one that does not.
    private static let searchTimeout: UInt8 = 2
    private static let lowPrioritySearchTimeout: UInt8 = 14
    /// The pauses before further resets, when one did not help.
    private static let pauses: [Duration] = [.zero, .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30)]

    private enum Phase {
        /// Before ``restart(at:)``, or until the device was reset.
        case stopped
        /// Until the stick has started, or until it is tried again.
        case starting
        /// The commands that every stick gets first.
        case settingUp
        case ready
    }

    private enum Stage { case opening, open, closing }

    private struct Channel {
        /// Nil for the scan, and for one that is closing.
        var device: ANTDeviceID?
        var stage = Stage.opening
    }

    private struct Command {
        var message: ANTMessage
        /// An error is no reason to give up: older sticks do not know all of these messages.
        var mayFail = false
    }

    private var phase = Phase.stopped
    private var queue: [Command] = []
    private var sent: (command: Command, at: Duration, isSecond: Bool)?
    private var startsAt: Duration?
    private var lastSign: Duration = .zero
    private var resets = 0
    private var channels: [UInt8: Channel] = [:]
    private var channelCount: UInt8 = 8
    private var wanted: [ANTDeviceID] = []
    private var wantsScan = false
    private var isAsked = false

    package init() {}

    /// Whether the stick is needed.
    package var isNeeded: Bool { !wanted.isEmpty || wantsScan || !channels.isEmpty }

    /// The sensors with a channel, or waiting for one.
    package var devices: Set<ANTDeviceID> { Set(wanted).union(channels.values.compactMap(\.device)) }

    // MARK: Requests

    /// Opens a channel for a sensor. A scan ends: a session matters more.
    package mutating func open(_ device: ANTDeviceID, at now: Duration) -> [Action] {
        guard !devices.contains(device) else { return [] }
        wanted.append(device)
        return endScan(at: now) + next(at: now)
    }

    package mutating func close(_ device: ANTDeviceID, at now: Duration) -> [Action] {
        wanted.removeAll { $0 == device }
        guard let number = channel(of: device) else { return [] }
        channels[number] = Channel(device: nil, stage: .closing)
        queue.append(Command(message: ANTMessage(.closeChannel, [number]), mayFail: true))
        return next(at: now)
    }

    /// Receives every sensor in reach. Only without other channels.
    /// - Returns: Nil if the stick is in use.
    package mutating func scan(at now: Duration) -> [Action]? {
        guard !wantsScan else { return [] }
        guard wanted.isEmpty, channels.isEmpty || isScanning else { return nil }
        wantsScan = true
        return next(at: now)
    }

    /// Sticks leave a scan for certain only through a reset.
    package mutating func endScan(at now: Duration) -> [Action] {
        guard wantsScan else { return [] }
        wantsScan = false
        guard !channels.isEmpty else { return [.scanEnded] }
        return [.scanEnded] + restart(at: now)
    }

    private var isScanning: Bool { channels.values.contains { $0.device == nil && $0.stage != .closing } }

    private func channel(of device: ANTDeviceID) -> UInt8? { channels.first { $0.value.device == device }?.key }

    // MARK: What happens

    /// Releases the stick, because it is gone or no longer needed. Ends all requests.
    package mutating func stop() -> [Action] {
        let ended = devices.map { Action.ended($0, .stick) } + (wantsScan ? [.scanEnded] : [])
        self = ANTStickState()
        return ended
    }

    package mutating func received(_ message: ANTMessage, at now: Duration) -> [Action] {
        guard phase != .stopped else { return [] }
        lastSign = now
        isAsked = false
        switch message.id {
        case .startup:
            return phase == .starting ? setUp(at: now) : restarted(at: now)
        case .broadcast, .acknowledged:
            return received(ANTBroadcast(message))
        case .capabilities:
            // Channels, networks, and options (section 9.5.7.4).
            if let count = message.content.first, count > 0 { channelCount = count }
            guard sent?.command.message.id == .request else { return [] }
            return answered(at: now)
        case .response where message.content.count >= 3:
            let (number, id, code) = (message.content[0], message.content[1], message.content[2])
            return id == 1 ? happened(code, on: number, at: now) : answered(.init(rawValue: id), code, number, at: now)
        default:
            return []
        }
    }

    package mutating func timePassed(at now: Duration) -> [Action] {
        switch phase {
        case .stopped:
            return []
        case .starting:
            guard let startsAt, now >= startsAt else { return [] }
            return setUp(at: now)
        case .settingUp, .ready:
            if let sent, now - sent.at >= Self.patience {
                guard sent.isSecond else {
                    self.sent = (sent.command, now, true)
                    return [.write(sent.command.message)]
                }
                return giveUp(at: now)
            }
            // An open channel is never silent for long, because a missed message is an event, too.
            if sent == nil, !isAsked, channels.values.contains(where: { $0.stage == .open }),
                now - lastSign >= Self.silence
            {
                isAsked = true
                queue.append(Self.askForSign)
                return next(at: now)
            }
            return []
        }
    }

    private static let askForSign = Command(message: ANTMessage(.request, [0, ANTMessage.ID.capabilities.rawValue]))
}

// MARK: - Starting

extension ANTStickState {
    /// The stick was opened, after a reset of the device or for the first time.
    package mutating func restart(at now: Duration) -> [Action] {
        phase = .starting
        queue = []
        sent = nil
        // All users of channels wait for them again.
        wanted = channels.sorted { $0.key < $1.key }.compactMap(\.value.device) + wanted
        channels = [:]
        startsAt = now + Self.startTime
        lastSign = now
        return [.write(ANTMessage(.resetSystem, [0]))]
    }

    private mutating func setUp(at now: Duration) -> [Action] {
        phase = .settingUp
        startsAt = nil
        queue = [
            Command(message: ANTMessage(.networkKey, [0] + Self.networkKey)),
            // Older sticks do not report the sender, which the channel then names.
            Command(message: ANTMessage(.extendedMessages, [0, 1]), mayFail: true),
            Self.askForSign,
        ]
        return next(at: now)
    }

    /// The stick restarted, and has lost its settings and channels.
    private mutating func restarted(at now: Duration) -> [Action] {
        dropChannels() + setUp(at: now)
    }

    private mutating func dropChannels() -> [Action] {
        defer { (channels, queue, sent) = ([:], [], nil) }
        return channels.values.compactMap(\.device).map { Action.ended($0, .stick) }
    }

    private mutating func giveUp(at now: Duration) -> [Action] {
        phase = .stopped
        resets += 1
        return dropChannels() + [.resetDevice]
    }

    /// How long to wait before a stick that did not answer is reset.
    package var pauseBeforeReset: Duration { Self.pauses[min(max(resets - 1, 0), Self.pauses.count - 1)] }

    /// Whether several resets in a row did not help.
    package var isDead: Bool { resets >= 3 }
}

// MARK: - Commands and channels

extension ANTStickState {
    /// Sends the next command, if none is under way.
    private mutating func next(at now: Duration) -> [Action] {
        guard sent == nil, phase == .settingUp || phase == .ready else { return [] }
        var actions: [Action] = []
        if queue.isEmpty {
            if phase == .settingUp {
                phase = .ready
                resets = 0
            }
            actions = openNext()
        }
        guard !queue.isEmpty else { return actions }
        let command = queue.removeFirst()
        sent = (command, now, false)
        return actions + [.write(command.message)]
    }

    private mutating func openNext() -> [Action] {
        if wantsScan, channels.isEmpty {
            channels[0] = Channel(device: nil)
            queue = [
                Command(message: ANTMessage(.assignChannel, [0, 0, 0])),
                Command(message: ANTMessage(.channelID, [0, 0, 0, 0, 0])),
                Command(message: ANTMessage(.frequency, [0, Self.frequency])),
                Command(message: ANTMessage(.openScan, [0])),
            ]
            return []
        }
        guard !wanted.isEmpty else { return [] }
        let device = wanted[0]
        guard let number = (0..<channelCount).first(where: { channels[$0] == nil }) else {
            // One that is closing comes free.
            guard !channels.values.contains(where: { $0.stage == .closing }) else { return [] }
            wanted.removeFirst()
            return [.ended(device, .full)]
        }
        wanted.removeFirst()
        channels[number] = Channel(device: device)
        let period = device.kind.period
        queue = [
            // A receiver on network 0.
            Command(message: ANTMessage(.assignChannel, [number, 0, 0])),
            // Any transmission type: it is known to the sensor alone.
            Command(
                message: ANTMessage(
                    .channelID,
                    [
                        number, UInt8(truncatingIfNeeded: device.number), UInt8(truncatingIfNeeded: device.number >> 8),
                        device.kind.rawValue, 0,
                    ])),
            Command(message: ANTMessage(.frequency, [number, Self.frequency])),
            Command(
                message: ANTMessage(
                    .channelPeriod,
                    [number, UInt8(truncatingIfNeeded: period), UInt8(truncatingIfNeeded: period >> 8)])),
            Command(
                message: ANTMessage(.lowPrioritySearchTimeout, [number, Self.lowPrioritySearchTimeout]), mayFail: true),
            Command(message: ANTMessage(.searchTimeout, [number, Self.searchTimeout]), mayFail: true),
            Command(message: ANTMessage(.openChannel, [number])),
        ]
        return []
    }

    private mutating func answered(at now: Duration) -> [Action] {
        sent = nil
        return next(at: now)
    }

    private mutating func answered(
        _ id: ANTMessage.ID, _ code: UInt8, _ number: UInt8, at now: Duration
    ) -> [Action] {
        guard let command = sent?.command, command.message.id == id, command.message.content.first == number else {
            return []
        }
        guard code == 0 || command.mayFail else { return giveUp(at: now) }
        switch id {
        case .openChannel, .openScan:
            if channels[number]?.stage == .opening { channels[number]?.stage = .open }
        case .closeChannel where code != 0:
            // It was closed already.
            queue.append(Command(message: ANTMessage(.unassignChannel, [number]), mayFail: true))
        case .unassignChannel:
            channels[number] = nil
        default: break
        }
        return answered(at: now)
    }

    /// An event of a channel (section 9.5.6.1).
    private mutating func happened(_ code: UInt8, on number: UInt8, at now: Duration) -> [Action] {
        guard let channel = channels[number] else { return [] }
        switch code {
        case 7:
            // The channel is closed, after the command or after a search without result.
            let ended = channel.device.map { [Action.ended($0, .notHeard)] } ?? []
            channels[number] = Channel(device: nil, stage: .closing)
            queue.append(Command(message: ANTMessage(.unassignChannel, [number]), mayFail: true))
            return ended + next(at: now)
        case 8:
            // It has missed so many messages that it searches again.
            guard let device = channel.device, channel.stage == .open else { return [] }
            return [.ended(device, .notHeard)] + close(device, at: now)
        default:
            return []
        }
    }

    private func received(_ broadcast: ANTBroadcast?) -> [Action] {
        guard let broadcast, let channel = channels[broadcast.channel], channel.stage != .closing else { return [] }
        if let device = channel.device {
            // A channel receives one sensor only, so a message of another one is damaged.
            guard broadcast.device == nil || broadcast.device == device else { return [] }
            return [.received(device, page: broadcast.page)]
        }
        return broadcast.device.map { [.received($0, page: broadcast.page)] } ?? []
    }
}

extension ANTDeviceKind {
    /// How often its sensors send, in 1/32768 s: about four times a second.
    var period: UInt16 {
        switch self {
        case .heartRate: 8070
        case .speedAndCadence: 8086
        case .cadence: 8102
        case .speed: 8118
        case .strideSensor: 8134
        case .power: 8182
        case .fitnessEquipment: 8192
        }
    }
}

public import GATT

/// Starts the streams of a Polar sensor on one link. Pure: events carry the time.
///
/// The control point takes one command at a time and answers each. For each stream the sensor is asked what it offers, and started with the best
/// of that. The streams end with the link.
public struct PolarStreamState: Sendable, Equatable {
    /// An input.
    public enum Event: Sendable, Equatable {
        /// The answers of a sensor arrive from now on.
        case linked
        case answered(PolarResponse)
        /// The command did not arrive.
        case writeFailed
        /// The deadline may have passed.
        case timePassed
    }

    /// An output.
    public enum Action: Sendable, Equatable {
        case write(PolarCommand)
        case report(PolarStreamEvent)
    }

    /// When ``Event/timePassed`` is due. Nil if only another event can change the state.
    public private(set) var deadline: Duration?
    /// The samples per second of the streams that run, as far as they have a rate.
    public private(set) var samplesPerSecond: [PolarStream: Int] = [:]

    /// How long an answer is waited for.
    static let answerLimit = Duration.seconds(3)

    private var wanted: [PolarStream]
    private var sent: PolarCommand?
    private var isRepeated = false

    public init(_ wanted: some Sequence<PolarStream>) { self.wanted = Array(wanted) }

    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        switch event {
        case .linked:
            return next(at: now)
        case .answered(let response):
            guard let sent, response.command == sent.code, response.stream == sent.stream else { return [] }
            return answered(sent, response, at: now)
        case .writeFailed:
            return sent == nil ? [] : failed(at: now)
        case .timePassed:
            guard let due = deadline, now >= due else { return [] }
            return failed(at: now)
        }
    }

    /// Pulse intervals have no settings.
    private mutating func next(at now: Duration) -> [Action] {
        sent = nil
        deadline = nil
        guard let stream = wanted.first else { return [] }
        return send(
            stream == .pulseIntervals ? .start(stream, PolarStreamSettings([:])) : .settings(stream), at: now)
    }

    private mutating func send(_ command: PolarCommand, at now: Duration) -> [Action] {
        if command != sent { isRepeated = false }
        sent = command
        deadline = now + Self.answerLimit
        return [.write(command)]
    }

    private mutating func answered(_ command: PolarCommand, _ response: PolarResponse, at now: Duration) -> [Action] {
        switch (command, response.status) {
        case (.settings(let stream), 0):
            return send(.start(stream, response.settings.chosen(for: stream)), at: now)
        case (.start(let stream, let settings), 0), (.start(let stream, let settings), PolarResponse.alreadyRunning):
            samplesPerSecond[stream] = settings.samplesPerSecond
            return end(.started(stream, samplesPerSecond: settings.samplesPerSecond), at: now)
        default:
            return end(.refused(command.stream, status: response.status), at: now)
        }
    }

    /// No answer. Each command is sent twice at most.
    private mutating func failed(at now: Duration) -> [Action] {
        guard let sent else { return [] }
        guard isRepeated else {
            let actions = send(sent, at: now)
            isRepeated = true
            return actions
        }
        return end(.silent(sent.stream), at: now)
    }

    private mutating func end(_ event: PolarStreamEvent, at now: Duration) -> [Action] {
        wanted.removeFirst()
        return [.report(event)] + next(at: now)
    }
}

/// What became of a stream that was asked for, once on each link.
public enum PolarStreamEvent: Sendable, Equatable {
    case started(PolarStream, samplesPerSecond: Int?)
    /// - Parameter status: See ``GATT/PolarResponse/status``.
    case refused(PolarStream, status: UInt8)
    /// The sensor did not answer.
    case silent(PolarStream)
    /// The sensor does not let this program listen to its streams.
    case failed(BluetoothError)
    /// The sensor has no streams at all.
    case isNone
}

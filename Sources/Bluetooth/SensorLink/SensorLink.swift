public import Foundation

/// One sensor, for as long as somebody wants its values: connected, subscribed, watched, and connected again.
///
/// ``SensorLinkState`` decides; this does what it says and tells it what came of it. The sensor need not be in reach, nor
/// Bluetooth be switched on: it waits.
public struct SensorLink: Sendable {
    public let address: BluetoothAddress
    public var kind: BluetoothAddress.Kind?
    /// The sensor's own name. With it, one of the same name is told of while the sensor is away.
    public var name: String?
    /// Sensors that are known to be others, whatever they are called.
    public var others: Set<BluetoothAddress> = []
    public var timings = SensorLinkTimings()
    /// Who answers a sensor that wants to be paired; nil: such a sensor is refused.
    public var agent: (any PairingAgent)? = JustWorksAgent()
    /// Tells the time of what has no date of its own.
    public var wallClock: @Sendable () -> Date = { Date() }
    /// Sets the energy that a heart-rate sensor has counted back to 0, once.
    public var resetsEnergy = false

    let central: any Central
    let clock: any Clock<Duration>

    /// - Parameter clock: Must run on while the machine sleeps.
    public init(
        _ address: BluetoothAddress, kind: BluetoothAddress.Kind? = nil, name: String? = nil, central: any Central,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.address = address
        self.kind = kind
        self.name = name
        self.central = central
        self.clock = clock
    }

    /// Runs until the task is cancelled, and returns when the sensor is free again, 5 s later at most.
    ///
    /// - Parameter report: Called in order, on the thread that hears of the values; must not block it for long.
    public func run(_ report: @escaping @Sendable (SensorLinkEvent) -> Void) async {
        let course = await SensorLinkRun(self, ticks: LinkClock(clock), report: report)
        await course.run()
    }
}

/// Time since a moment, on any clock.
struct LinkClock: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    /// The machine's own, which nobody sets, and which runs on while it sleeps.
    let isContinuous: Bool

    init(_ clock: any Clock<Duration>) {
        self = Self.make(clock)
    }

    private init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        isContinuous: Bool
    ) {
        self.now = now
        self.sleep = sleep
        self.isContinuous = isContinuous
    }

    private static func make<C: Clock>(_ clock: C) -> LinkClock where C.Duration == Duration {
        let start = clock.now
        return LinkClock(
            now: { start.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) },
            isContinuous: clock is ContinuousClock)
    }
}

/// Pairs sensors that ask for nothing, as nearly all do, and refuses those that want digits.
public struct JustWorksAgent: PairingAgent {
    public init() {}

    public var capability: PairingCapability { .noInputNoOutput }
    public func passkey(for device: BluetoothAddress) async -> UInt32? { nil }
    public func show(passkey: UInt32, for device: BluetoothAddress) async {}
    public func confirms(passkey: UInt32, for device: BluetoothAddress) async -> Bool { false }
    public func allowsJustWorks(for device: BluetoothAddress) async -> Bool { true }
}

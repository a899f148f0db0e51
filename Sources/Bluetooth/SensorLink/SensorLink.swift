public import Foundation
public import GATT

/// The link to one sensor: it connects, subscribes, detects silence and reconnects.
///
/// ``SensorLinkState`` decides, and the link performs its actions and reports the results. It waits if the sensor is
/// not nearby or Bluetooth is off.
public struct SensorLink: Sendable {
    public let address: DeviceAddress
    public var kind: DeviceAddress.Kind?
    /// The sensor's name. If set, another sensor with the same name is reported while this one is away.
    public var name: String?
    /// Addresses of known other sensors, whatever their names.
    public var others: Set<DeviceAddress> = []
    public var timings = SensorLinkTimings()
    /// Answers a sensor that requires pairing; nil refuses it.
    public var agent: (any PairingAgent)? = JustWorksAgent()
    /// The time for events without a date.
    public var wallClock: @Sendable () -> Date = { Date() }
    /// Resets the energy counter of a heart-rate sensor once.
    public var resetsEnergy = false
    /// Controls the sensor if it is a trainer.
    public var trainer: TrainerControl?
    /// The streams to start if it is a sensor of Polar. They cost battery, so none runs unasked.
    public var streams: Set<PolarStream> = []

    let central: any Central
    let clock: any Clock<Duration>

    /// - Parameter clock: Must continue while the machine sleeps.
    public init(
        _ address: DeviceAddress, kind: DeviceAddress.Kind? = nil, name: String? = nil, central: any Central,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.address = address
        self.kind = kind
        self.name = name
        self.central = central.central(for: address)
        self.clock = clock
    }

    /// Runs until the task is cancelled. Returns when the sensor is disconnected, after 5 s at most.
    ///
    /// - Parameter report: Called in order on the thread that receives the values; must not block it.
    public func run(_ report: @escaping @Sendable (SensorLinkEvent) -> Void) async {
        let course = await SensorLinkRun(self, ticks: LinkClock(clock), report: report)
        await course.run()
    }
}

/// Pairs sensors that need no digits, as nearly all do, and refuses others.
public struct JustWorksAgent: PairingAgent {
    public init() {}

    public var capability: PairingCapability { .noInputNoOutput }
    public func passkey(for device: DeviceAddress) async -> UInt32? { nil }
    public func show(passkey: UInt32, for device: DeviceAddress) async {}
    public func confirms(passkey: UInt32, for device: DeviceAddress) async -> Bool { false }
    public func allowsJustWorks(for device: DeviceAddress) async -> Bool { true }
}

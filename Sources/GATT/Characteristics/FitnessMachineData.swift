public import Foundation

/// The values of a fitness machine, from any of its characteristics.
///
/// A machine may split the fields of a moment into two notifications ("more data"). Each notification is a value of its own here: it has
/// the fields that it came with.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, sections 4.4 to 4.9.
public struct FitnessMachineData: Sendable, Equatable {
    public enum Machine: Sendable, CaseIterable {
        case treadmill, crossTrainer, rower, indoorBike

        public var characteristic: BluetoothUUID {
            switch self {
            case .treadmill: .treadmillData
            case .crossTrainer: .crossTrainerData
            case .rower: .rowerData
            case .indoorBike: .indoorBikeData
            }
        }
    }

    public let machine: Machine
    public var speedInMetersPerSecond: Double?
    /// Turns of the crank, strokes, or steps of both feet.
    public var cadencePerMinute: Double?
    public var powerInWatts: Int16?
    /// The distance since the machine's workout began.
    public var totalDistanceInMeters: UInt32?
    public var inclinationInPercent: Double?
    /// The resistance in the machine's own unit.
    public var resistanceLevel: Double?
    /// In beats per minute, never 0: machines without a strap send 0.
    public var heartRate: UInt8?

    /// Without any value.
    public init(_ machine: Machine) { self.machine = machine }

    /// - Returns: Nil if there are no complete flags.
    public init?(_ machine: Machine, _ bytes: some Collection<UInt8>) {
        self.machine = machine
        func perSecond(_ kilometersPerHour: Double?) -> Double? { kilometersPerHour.map { $0 / 3.6 } }
        switch machine {
        case .treadmill:
            guard let data = TreadmillData(bytes) else { return nil }
            speedInMetersPerSecond = perSecond(data.speedInKilometersPerHour)
            powerInWatts = data.powerInWatts
            totalDistanceInMeters = data.totalDistanceInMeters
            inclinationInPercent = data.inclinationInPercent
            heartRate = data.heartRate
        case .crossTrainer:
            guard let data = CrossTrainerData(bytes) else { return nil }
            speedInMetersPerSecond = perSecond(data.speedInKilometersPerHour)
            cadencePerMinute = data.stepsPerMinute.map(Double.init)
            powerInWatts = data.powerInWatts
            totalDistanceInMeters = data.totalDistanceInMeters
            inclinationInPercent = data.inclinationInPercent
            resistanceLevel = data.resistanceLevel
            heartRate = data.heartRate
        case .rower:
            guard let data = RowerData(bytes) else { return nil }
            speedInMetersPerSecond = data.secondsPer500Meters.flatMap { $0 > 0 ? 500 / Double($0) : nil }
            cadencePerMinute = data.strokesPerMinute
            powerInWatts = data.powerInWatts
            totalDistanceInMeters = data.totalDistanceInMeters
            resistanceLevel = data.resistanceLevel.map(Double.init)
            heartRate = data.heartRate
        case .indoorBike:
            guard let data = IndoorBikeData(bytes) else { return nil }
            speedInMetersPerSecond = perSecond(data.speedInKilometersPerHour)
            cadencePerMinute = data.cadencePerMinute
            powerInWatts = data.powerInWatts
            totalDistanceInMeters = data.totalDistanceInMeters
            resistanceLevel = data.resistanceLevel.map(Double.init)
            heartRate = data.heartRate
        }
        if heartRate == 0 { heartRate = nil }
    }
}

/// The distance that a machine's counter gained. It is unknown for the first value, after a gap, and if the counter began anew.
public struct MachineOdometer: Sendable, Equatable {
    private var total: UInt32?
    private var arrival: Date?

    public init() {}

    /// - Parameter arrival: When the value arrived, on a clock that does not jump.
    public mutating func add(_ total: UInt32, at arrival: Date) -> Double? {
        defer { (self.total, self.arrival) = (total, arrival) }
        guard let before = self.total, let last = self.arrival, total >= before else { return nil }
        let gained = Double(total - before)
        // A counter that gains more was set. One of whole metres may be behind by one of them.
        let most = max(arrival.timeIntervalSince(last), 0) * WheelOdometer.maximumMetersPerSecond + 1
        return gained <= most ? gained : nil
    }

    /// Makes the next value the first.
    public mutating func forget() { (total, arrival) = (nil, nil) }
}

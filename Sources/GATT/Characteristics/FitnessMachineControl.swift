/// The targets of a fitness machine while another program controls it.
public enum FitnessMachineTarget: Sendable, Equatable {
    /// The machine brakes so that the rider's power is this, whatever the cadence ("ERG").
    case power(watts: Int)
    /// The machine behaves like a road of this gradient, in percent: 5 climbs 5 m in 100 m.
    case grade(percent: Double)
}

/// A command to the Fitness Machine Control Point. The machine answers with a ``FitnessMachineResponse``.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.16.1.
public enum FitnessMachineCommand: Sendable, Equatable {
    case requestControl
    /// Ends the control and resets the machine's settings.
    case reset
    case setTarget(FitnessMachineTarget)
    case startOrResume
    case stop
    case pause

    /// The first byte, by which the answer names its command.
    public var code: UInt8 {
        switch self {
        case .requestControl: 0x00
        case .reset: 0x01
        case .setTarget(.power): 0x05
        case .startOrResume: 0x07
        case .stop, .pause: 0x08
        case .setTarget(.grade): 0x11
        }
    }

    /// Rolling resistance and wind resistance of a rider on a road bike, as the specification's example has them: 0.004, and
    /// 0.51 kg/m.
    private static let rollingResistance: UInt8 = 40
    private static let windResistance: UInt8 = 51

    /// Power in whole watts, gradients to 0.01 %.
    public var bytes: [UInt8] {
        var fields = FieldWriter()
        fields.add(code)
        switch self {
        case .requestControl, .reset, .startOrResume: break
        case .stop: fields.add(UInt8(1))
        case .pause: fields.add(UInt8(2))
        case .setTarget(.power(let watts)): fields.add(Double(watts), in: 1, as: Int16.self)
        case .setTarget(.grade(let percent)):
            fields.add(Int16(0))  // No wind.
            fields.add(percent, in: 0.01, as: Int16.self)
            fields.add(Self.rollingResistance)
            fields.add(Self.windResistance)
        }
        return fields.bytes
    }

    /// The command that a central wrote. Nil for a command that is incomplete, or that this type does not have.
    public init?(_ bytes: [UInt8]) {
        switch bytes.first {
        case 0x00: self = .requestControl
        case 0x01: self = .reset
        case 0x05:
            guard let watts = bytes.int16(at: 1) else { return nil }
            self = .setTarget(.power(watts: watts))
        case 0x07: self = .startOrResume
        case 0x08:
            switch bytes.dropFirst().first {
            case 1: self = .stop
            case 2: self = .pause
            default: return nil
            }
        case 0x11:
            guard let grade = bytes.int16(at: 3) else { return nil }
            self = .setTarget(.grade(percent: Double(grade) / 100))
        default: return nil
        }
    }
}

/// How a fitness machine answers a command.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.16.2.22.
public struct FitnessMachineResponse: Sendable, Equatable {
    public enum Result: UInt8, Sendable {
        case success = 1
        case notSupported
        case invalidParameter
        case failed
        /// Another central has the control, or nobody asked for it.
        case notPermitted
    }

    /// See ``FitnessMachineCommand/code``.
    public var command: UInt8
    public var result: Result

    public init(to command: FitnessMachineCommand, _ result: Result) {
        self.command = command.code
        self.result = result
    }

    /// - Returns: Nil for bytes that are no answer.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3, bytes[0] == Self.code, let result = Result(rawValue: bytes[2]) else { return nil }
        command = bytes[1]
        self.result = result
    }

    private static let code: UInt8 = 0x80

    public var bytes: [UInt8] { [Self.code, command, result.rawValue] }
}

/// A fitness machine's own reports, including its rider's actions.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.17.
public enum FitnessMachineStatus: Sendable, Equatable {
    case reset
    case stoppedByRider
    case pausedByRider
    case stoppedBySafetyKey
    case startedByRider
    /// The power that the machine holds from now on, whoever chose it.
    case targetChanged(watts: Int)
    /// Somebody else has the control now.
    case controlLost

    /// - Returns: Nil for what this type does not have, and for incomplete bytes.
    public init?(_ bytes: [UInt8]) {
        switch bytes.first {
        case 0x01: self = .reset
        case 0x02:
            switch bytes.dropFirst().first {
            case 1: self = .stoppedByRider
            case 2: self = .pausedByRider
            default: return nil
            }
        case 0x03: self = .stoppedBySafetyKey
        case 0x04: self = .startedByRider
        case 0x08:
            guard let watts = bytes.int16(at: 1) else { return nil }
            self = .targetChanged(watts: watts)
        case 0xFF: self = .controlLost
        default: return nil
        }
    }

    public var bytes: [UInt8] {
        switch self {
        case .reset: return [0x01]
        case .stoppedByRider: return [0x02, 1]
        case .pausedByRider: return [0x02, 2]
        case .stoppedBySafetyKey: return [0x03]
        case .startedByRider: return [0x04]
        case .targetChanged(let watts):
            var fields = FieldWriter()
            fields.add(UInt8(0x08))
            fields.add(Double(watts), in: 1, as: Int16.self)
            return fields.bytes
        case .controlLost: return [0xFF]
        }
    }
}

/// Which targets a fitness machine takes.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, sections 4.3 and 4.12.
public struct FitnessMachineAbilities: Sendable, Equatable {
    public var takesPower: Bool
    /// Whether it takes gradients: "indoor bike simulation".
    public var takesGrade: Bool
    /// The powers that it can hold, in watts. Nil if it states none.
    public var powers: ClosedRange<Int>?

    public init(takesPower: Bool, takesGrade: Bool, powers: ClosedRange<Int>? = nil) {
        self.takesPower = takesPower
        self.takesGrade = takesGrade
        self.powers = powers
    }

    /// - Parameters:
    ///   - feature: The value of Fitness Machine Feature. If it is incomplete, the machine takes everything, until it refuses.
    ///   - range: The value of Supported Power Range.
    public init(feature: [UInt8]?, powerRange range: [UInt8]?) {
        if let feature, feature.count >= 8 {
            let targets = UInt32(littleEndian: feature.span, at: 4)
            takesPower = targets & 1 << 3 != 0
            takesGrade = targets & 1 << 13 != 0
        } else {
            (takesPower, takesGrade) = (true, true)
        }
        guard let least = range?.int16(at: 0), let most = range?.int16(at: 2), least < most else { return }
        powers = least...most
    }

    /// Whether the machine takes it.
    public func take(_ target: FitnessMachineTarget) -> Bool {
        switch target {
        case .power: takesPower
        case .grade: takesGrade
        }
    }

    /// The nearest target that the machine can hold.
    public func nearest(_ target: FitnessMachineTarget) -> FitnessMachineTarget {
        guard case .power(let watts) = target, let powers else { return target }
        return .power(watts: min(max(watts, powers.lowerBound), powers.upperBound))
    }
}

extension [UInt8] {
    /// A signed field. Nil if it is incomplete.
    fileprivate func int16(at place: Int) -> Int? {
        count >= place + 2 ? Int(Int16(bitPattern: UInt16(littleEndian: span, at: place))) : nil
    }
}

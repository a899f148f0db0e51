/// The streams of Polar's measurement service ("PMD", Polar Measurement Data) that this package reads: of the H9 and H10, the OH1 and the
/// Verity Sense.
///
/// Sources for this file: Polar, "Polar Measurement Data Specification" and the documentation of its BLE SDK (github.com/polarofficial).
public enum PolarStream: UInt8, Sendable, CaseIterable {
    /// The voltage between the electrodes of a chest strap.
    case electrocardiogram = 0
    case acceleration = 2
    /// The times from pulse to pulse ("PPI"), which an optical sensor has instead of RR intervals.
    case pulseIntervals = 3
}

/// A sensor's options for a stream, or the chosen ones.
public struct PolarStreamSettings: Sendable, Equatable {
    /// The kinds of settings, by their number in commands and answers.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case samplesPerSecond = 0
        case bitsPerSample = 1
        /// For acceleration: the largest value in g.
        case range = 2
        case channels = 4
    }

    public private(set) var values: [Kind: [Int]]

    public init(_ values: [Kind: [Int]]) { self.values = values }

    /// Reads the parameters of an answer. The settings after one of an unknown kind are left out, because its length is unknown.
    public init(parameters bytes: some Collection<UInt8>) {
        values = [:]
        let bytes = Array(bytes)
        var place = 0
        while place + 2 <= bytes.count {
            guard let kind = Kind(rawValue: bytes[place]) else { return }
            let (count, width) = (Int(bytes[place + 1]), kind == .channels ? 1 : 2)
            place += 2
            guard count > 0, place + count * width <= bytes.count else { return }
            values[kind] = (0..<count).map { index in
                width == 1
                    ? Int(bytes[place + index]) : Int(UInt16(littleEndian: bytes.span, at: place + 2 * index))
            }
            place += count * width
        }
    }

    /// The settings as parameters of a command or an answer.
    public var bytes: [UInt8] {
        var fields = FieldWriter()
        for kind in Kind.allCases {
            guard let values = values[kind], !values.isEmpty else { continue }
            fields.add(kind.rawValue)
            fields.add(UInt8(clamping: values.count))
            for value in values {
                if kind == .channels { fields.add(UInt8(clamping: value)) } else { fields.add(UInt16(clamping: value)) }
            }
        }
        return fields.bytes
    }

    /// The best of what a sensor offers for this purpose: the most samples of an electrocardiogram, and some fifty values of acceleration in a
    /// second, which show every step and spare the battery.
    public func chosen(for stream: PolarStream) -> PolarStreamSettings {
        var chosen: [Kind: [Int]] = [:]
        for (kind, offered) in values {
            let enough = offered.filter { $0 >= 50 }.min()
            let best =
                kind == .samplesPerSecond && stream == .acceleration ? enough ?? offered.max() : offered.max()
            chosen[kind] = best.map { [$0] }
        }
        return PolarStreamSettings(chosen)
    }

    public var samplesPerSecond: Int? { values[.samplesPerSecond]?.first }
}

/// A command to the control point of Polar's measurement service. The sensor answers with a ``PolarResponse``.
public enum PolarCommand: Sendable, Equatable {
    /// Asks what the sensor offers for the stream.
    case settings(PolarStream)
    case start(PolarStream, PolarStreamSettings)
    case stop(PolarStream)

    /// The first byte, by which the answer names its command.
    public var code: UInt8 {
        switch self {
        case .settings: 1
        case .start: 2
        case .stop: 3
        }
    }

    public var stream: PolarStream {
        switch self {
        case .settings(let stream), .start(let stream, _), .stop(let stream): stream
        }
    }

    public var bytes: [UInt8] {
        let head = [code, stream.rawValue]
        if case .start(_, let settings) = self { return head + settings.bytes }
        return head
    }

    /// The command that a central wrote. Nil for other bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, let stream = PolarStream(rawValue: bytes[1]) else { return nil }
        switch bytes[0] {
        case 1: self = .settings(stream)
        case 2: self = .start(stream, PolarStreamSettings(parameters: bytes[2...]))
        case 3: self = .stop(stream)
        default: return nil
        }
    }
}

/// How a sensor answers a ``PolarCommand``.
public struct PolarResponse: Sendable, Equatable {
    /// See ``PolarCommand/code``.
    public var command: UInt8
    public var stream: PolarStream
    /// 0 for success.
    public var status: UInt8
    public var settings: PolarStreamSettings

    /// The status of a command for a stream that runs already.
    public static let alreadyRunning: UInt8 = 6
    /// The status of a sensor that lies in its charger.
    public static let isCharging: UInt8 = 13

    private static let code: UInt8 = 0xF0

    public init(
        to command: PolarCommand, status: UInt8 = 0, settings: PolarStreamSettings = PolarStreamSettings([:])
    ) {
        self.command = command.code
        stream = command.stream
        self.status = status
        self.settings = settings
    }

    /// - Returns: Nil for bytes that are no answer, and for other streams.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes[0] == Self.code, let stream = PolarStream(rawValue: bytes[2]) else { return nil }
        command = bytes[1]
        self.stream = stream
        status = bytes[3]
        // The fifth byte states whether more answers follow, which no sensor with these streams sends.
        settings = PolarStreamSettings(parameters: bytes.dropFirst(5))
    }

    public var bytes: [UInt8] { [Self.code, command, stream.rawValue, status, 0] + settings.bytes }
}

/// A packet of a stream.
public struct PolarFrame: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        /// Microvolts.
        case voltages([Int32])
        /// Thousandths of g along the three axes: x, y, z, x, y …
        case acceleration([Int32])
        /// Oldest first.
        case pulses([Pulse])
    }

    public struct Pulse: Sendable, Equatable {
        /// Beats per minute; 0 if unknown.
        public var heartRate: Int
        public var intervalInMilliseconds: Int
        /// The expected error of the interval. Polar calls 10 ms very accurate, and more than 30 ms doubtful.
        public var errorInMilliseconds: Int
        /// Whether the sensor itself does not trust the interval, because the wearer moves or it lost contact.
        public var isDoubtful: Bool

        public init(heartRate: Int, intervalInMilliseconds: Int, errorInMilliseconds: Int, isDoubtful: Bool) {
            self.heartRate = heartRate
            self.intervalInMilliseconds = intervalInMilliseconds
            self.errorInMilliseconds = errorInMilliseconds
            self.isDoubtful = isDoubtful
        }
    }

    public var stream: PolarStream {
        switch content {
        case .voltages: .electrocardiogram
        case .acceleration: .acceleration
        case .pulses: .pulseIntervals
        }
    }

    /// When the last sample was measured, in nanoseconds on the sensor's clock. 0 if the sensor has no time for it.
    public var nanoseconds: UInt64
    public var content: Content

    public init(nanoseconds: UInt64, _ content: Content) {
        self.nanoseconds = nanoseconds
        self.content = content
    }

    private static let headLength = 10
    /// The flag in the frame's type of samples that are differences.
    private static let isPacked: UInt8 = 0x80

    /// - Returns: Nil for incomplete bytes, other streams, and layouts that no sensor of these streams is known to send.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headLength, let stream = PolarStream(rawValue: bytes[0]) else { return nil }
        nanoseconds = UInt64(littleEndian: bytes.span, at: 1)
        let (kind, samples) = (bytes[9], bytes[Self.headLength...])
        switch (stream, kind) {
        case (.electrocardiogram, 0):
            guard let values = Self.numbers(samples, width: 3) else { return nil }
            content = .voltages(values)
        case (.acceleration, 0), (.acceleration, 1), (.acceleration, 2):
            guard let values = Self.numbers(samples, width: Int(kind) + 1), values.count % 3 == 0 else { return nil }
            content = .acceleration(values)
        case (.acceleration, Self.isPacked | 1):
            guard let values = Self.unpacked(samples, channels: 3, width: 2) else { return nil }
            content = .acceleration(values)
        case (.pulseIntervals, 0):
            guard let pulses = Self.pulses(samples) else { return nil }
            content = .pulses(pulses)
        default:
            return nil
        }
    }

    /// Signed numbers of `width` bytes.
    private static func numbers(_ bytes: ArraySlice<UInt8>, width: Int) -> [Int32]? {
        guard !bytes.isEmpty, bytes.count % width == 0 else { return nil }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map { place in
            number(bytes[place..<place + width])
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
        let unused = 32 - 8 * bytes.count
        let raw = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int32(bitPattern: raw << unused) >> unused
    }

    /// Unpacks samples of which only the first is complete. Blocks of differences follow: each has the number of bits of a difference, the
    /// number of samples, and the differences, lowest bit first, filled up to whole bytes.
    private static func unpacked(_ bytes: ArraySlice<UInt8>, channels: Int, width: Int) -> [Int32]? {
        let first = bytes.prefix(channels * width)
        guard first.count == channels * width, var values = numbers(first, width: width) else { return nil }
        var rest = bytes.dropFirst(first.count)
        while !rest.isEmpty {
            guard rest.count >= 2 else { return nil }
            let (bits, samples) = (Int(rest[rest.startIndex]), Int(rest[rest.startIndex + 1]))
            let count = samples * channels
            let length = (bits * count + 7) / 8
            guard (1...32).contains(bits), rest.count >= 2 + length else { return nil }
            let packed = rest.dropFirst(2).prefix(length)
            for index in 0..<count {
                let difference = signed(packed, bits: bits, at: index * bits)
                values.append(values[values.count - channels] &+ difference)
            }
            rest = rest.dropFirst(2 + length)
        }
        return values
    }

    private static func signed(_ bytes: ArraySlice<UInt8>, bits: Int, at start: Int) -> Int32 {
        var raw: UInt32 = 0
        for bit in 0..<bits {
            let place = start + bit
            let isSet = bytes[bytes.startIndex + place / 8] >> UInt8(place % 8) & 1
            raw |= UInt32(isSet) << UInt32(bit)
        }
        return Int32(bitPattern: raw << UInt32(32 - bits)) >> Int32(32 - bits)
    }

    private static func pulses(_ bytes: ArraySlice<UInt8>) -> [Pulse]? {
        guard !bytes.isEmpty, bytes.count % 6 == 0 else { return nil }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 6).map { place in
            let flags = bytes[place + 5]
            // Bit 0 is set while the wearer moves too much. Bit 2 states that bit 1, contact with the skin, means something.
            let lacksContact = flags & 0b110 == 0b100
            return Pulse(
                heartRate: Int(bytes[place]),
                intervalInMilliseconds: Int(bytes[place + 1]) | Int(bytes[place + 2]) << 8,
                errorInMilliseconds: Int(bytes[place + 3]) | Int(bytes[place + 4]) << 8,
                isDoubtful: flags & 1 != 0 || lacksContact)
        }
    }
}

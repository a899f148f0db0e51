import Foundation

/// The quantities in the columns of a table, each with the unit of its values in memory.
enum TableQuantity: Int, CaseIterable, Sendable {
    /// The heart rate in count/min.
    case heartRate
    /// An RR interval in ms.
    case rrInterval
    /// The speed in m/s.
    case speed
    /// The cadence in count/min.
    case cadence
    /// The power in W.
    case power
    /// The altitude above sea level in m.
    case altitude
    /// The position in degrees.
    case latitude, longitude
    /// The temperature in degrees Celsius.
    case temperature
    /// Distance since the start in m.
    case distance
    /// Energy since the start in kcal.
    case energy
    /// A number or name that changes with each lap.
    case lap
    /// The stride length in m.
    case strideLength
    /// The ground contact time in ms.
    case groundContactTime
    /// The vertical oscillation in cm.
    case verticalOscillation

    /// The name in `--columns` and in messages.
    var name: String {
        switch self {
        case .heartRate: "heart-rate"
        case .rrInterval: "rr"
        case .strideLength: "stride-length"
        case .groundContactTime: "ground-contact-time"
        case .verticalOscillation: "vertical-oscillation"
        default: "\(self)"
        }
    }

    /// The range of plausible values; others are ignored.
    var range: ClosedRange<Double> {
        switch self {
        case .latitude: -90...90
        case .longitude: -180...180
        case .temperature, .altitude: -20_000...100_000
        case .heartRate, .cadence: 0...1000
        case .rrInterval: 0...1e6
        case .speed: 0...1000
        case .power: 0...20_000
        case .lap: -1e9...1e9
        default: 0...1e12
        }
    }
}

/// The meaning of a column.
enum TableMeaning: Hashable, Sendable {
    case quantity(TableQuantity)
    /// Time per distance.
    case pace
    case time
    /// The time since the start.
    case elapsed
    /// The day, if another column has the time of day.
    case date
    /// In long tables: the type of the row, its value, and the unit of the value.
    case type, value, unit
    /// `pause`, `resume`, `lap`, `start running`, `part cycling`: the events that tables of this package have.
    case event

    var name: String {
        switch self {
        case .quantity(let quantity): quantity.name
        default: "\(self)"
        }
    }

    static let all: [TableMeaning] =
        TableQuantity.allCases.map { .quantity($0) } + [.pace, .time, .elapsed, .date, .type, .value, .unit, .event]

    /// Returns the meaning with this name in `--columns`.
    init?(named name: String) {
        let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        guard
            let found = Self.all.first(where: { $0.name.filter(\.isLetter).lowercased() == letters })
                ?? TableNames.meaning(of: name)?.meaning
        else { return nil }
        self = found
    }
}

/// Converts values of a column to the unit of their quantity: `value * factor + offset`.
struct TableUnit: Sendable, Equatable {
    var factor: Double
    var offset = 0.0
    /// How many of a clock's seconds are one of a pace's unit: 60 for `5:30` in `min/km`, 1 in `s/km`.
    var clockSeconds = 60.0
    /// The order of day and month in dates, in the place of a unit.
    var order: TableDate.Order?

    static let one = TableUnit(factor: 1)

    /// Returns nil for a unit that does not fit the meaning. Pace becomes seconds per metre.
    init?(_ text: String, of meaning: TableMeaning) {
        let text = text.lowercased().filter { !$0.isWhitespace && $0 != "°" && $0 != "." }
            .replacingOccurrences(of: "_", with: "/")
        let known: [String: Double]
        switch meaning {
        case .quantity(.heartRate), .quantity(.cadence):
            known = [
                "bpm": 1, "rpm": 1, "spm": 1, "1/min": 1, "/min": 1, "min-1": 1, "count/min": 1, "beats/min": 1,
                "strides/min": 1, "steps/min": 0.5, "u/min": 1, "hz": 60, "beatsperminute": 1, "beats/minute": 1,
            ]
        case .quantity(.rrInterval), .quantity(.groundContactTime):
            known = Self.seconds.mapValues { $0 * 1000 }
        case .quantity(.speed):
            known = [
                "m/s": 1, "ms-1": 1, "mps": 1, "meters/second": 1, "metres/second": 1, "km/h": 1.0 / 3.6,
                "kmh": 1.0 / 3.6,
                "km/hr": 1.0 / 3.6,
                "kph": 1.0 / 3.6, "kmph": 1.0 / 3.6, "mph": 0.44704, "mi/h": 0.44704, "mi/hr": 0.44704,
                "kn": 1852.0 / 3600, "kt": 1852.0 / 3600, "knots": 1852.0 / 3600, "m/min": 1.0 / 60, "mm/s": 0.001,
            ]
        case .pace:
            known = [
                "min/km": 0.06, "/km": 0.06, "s/km": 0.001, "min/mi": 60 / 1609.344, "min/mile": 60 / 1609.344,
                "/mi": 60 / 1609.344, "s/m": 1, "min/100m": 0.6, "min/500m": 0.12, "/500m": 0.12,
                "secondsper500m": 0.002, "s/500m": 0.002,
            ]
        case .quantity(.power): known = ["w": 1, "watt": 1, "watts": 1, "kw": 1000]
        case .quantity(.altitude), .quantity(.distance), .quantity(.strideLength): known = Self.meters
        case .quantity(.verticalOscillation): known = Self.meters.mapValues { $0 * 100 }
        case .quantity(.latitude), .quantity(.longitude):
            // A semicircle is 180° / 2^31.
            known = ["deg": 1, "degrees": 1, "": 1, "semicircles": 180.0 / 0x1p31, "rad": 180.0 / .pi]
        case .quantity(.energy):
            // A calorie in everyday language is a kilocalorie.
            known = ["kcal": 1, "cal": 1, "cals": 1, "calories": 1, "kj": 1.0 / 4.184, "j": 1.0 / 4184]
        case .quantity(.temperature):
            if ["f", "degf", "fahrenheit"].contains(text) {
                self.init(factor: 5.0 / 9, offset: -160.0 / 9)
                return
            }
            known = ["c": 1, "degc": 1, "celsius": 1]
        case .time, .date:
            if let order = TableDate.Order(pattern: text) {
                self.init(factor: 1)
                self.order = order
                return
            }
            known = meaning == .time ? Self.seconds : [:]
        case .elapsed: known = Self.seconds
        case .quantity(.lap), .type, .value, .unit, .event: known = [:]
        }
        guard let factor = known[text] else { return nil }
        self.init(factor: factor)
        if meaning == .pace, text.hasPrefix("s") { clockSeconds = 1 }
    }

    init(factor: Double, offset: Double = 0) {
        self.factor = factor
        self.offset = offset
    }

    private static let seconds: [String: Double] = [
        "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "sek": 1, "sekunden": 1, "ms": 1e-3, "msec": 1e-3,
        "millis": 1e-3, "milliseconds": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9, "min": 60, "mins": 60,
        "minutes": 60, "h": 3600, "1/1024s": 1.0 / 1024,
    ]

    private static let meters: [String: Double] = [
        "m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1, "km": 1000, "kilometers": 1000, "cm": 0.01,
        "mm": 0.001, "mi": 1609.344, "mile": 1609.344, "miles": 1609.344, "ft": 0.3048, "feet": 0.3048, "yd": 0.9144,
    ]

    /// Returns whether the quantity needs no unit, so that other words may be in its place (`HR (Polar H10)`).
    static func isNeedless(of meaning: TableMeaning) -> Bool {
        switch meaning {
        case .quantity(.heartRate), .quantity(.cadence), .quantity(.power), .quantity(.lap), .quantity(.latitude),
            .quantity(.longitude), .time, .elapsed, .date, .type, .value, .unit, .event:
            true
        default: false
        }
    }
}

import Foundation
import SessionLog

/// How to read a table: the start of its rows, and the contents of its columns.
struct TableLayout: Sendable {
    struct Place: Sendable, Equatable {
        var line = 1
        var byte = 0
    }

    /// The contents of a column.
    enum Cell: Sendable, Equatable {
        case skip
        case quantity(TableQuantity, TableUnit)
        case pace(TableUnit)
        case time, date
        case type, value, unit
        case event
        /// A column of ``TableLayout/own``, by its index.
        case own(Int)
    }

    /// A column with the name of a type of readings in session logs.
    struct NativeColumn: Sendable, Equatable {
        var type: String
        var unit: String
    }

    /// How a row states its time.
    enum Clock: Sendable, Equatable {
        /// A number of units since the start.
        case elapsed(TableUnit)
        /// A number of units since 1970.
        case epoch(TableUnit)
        /// `1:02:03` since the start.
        case clock
        /// `18:02:03` on the day of the start, or the next.
        case timeOfDay
        /// A date with its time.
        case moment(TableDate.Order?)
        /// A date and a time of day in two columns.
        case dateAndTime(TableDate.Order?)
        /// The sum of the intervals.
        case beats
        /// A row every so many seconds.
        case rows(Double)

        /// Whether times count from the start of the recording.
        var isRelative: Bool {
            switch self {
            case .elapsed, .clock, .beats, .rows: true
            case .epoch, .timeOfDay, .moment, .dateAndTime: false
            }
        }
    }

    /// The short name of the format.
    var format: String
    var delimiter: UInt8
    var lineEnd = UInt8(ascii: "\n")
    var first = Place()
    var cells: [Cell]
    var own: [NativeColumn] = []
    /// The names in the header.
    var names: [String]
    var clock: Clock
    /// The start in seconds since 2001. Nil if it is unknown. For times of day it is the start of the day.
    var start: Double?
    /// Seconds east of UTC for times without a time zone.
    var offset = 0.0
    var activity: String?
    var device = DeviceDescription()
    var wearer: WearerProfile?
    /// The ends of laps in seconds since the start, if no column has them.
    var lapEnds: [Double] = []
    /// The quantities among distance and speed whose columns name no unit.
    var assumed: Set<TableQuantity> = []
    /// The quantities of which each row has its own part instead of the total since the start.
    var partial: [TableQuantity] = []
    /// A line that begins with this byte ends the rows.
    var end: UInt8?
    var warnings: [RecordingWarning] = []
    /// The contents of columns that are not read, as names for a list.
    var leftOut: [String] = []

    func has(_ quantity: TableQuantity) -> Bool {
        cells.contains { if case .quantity(quantity, _) = $0 { true } else { quantity == .speed && isPace($0) } }
    }

    /// Sets the unit of the column with a quantity.
    mutating func setUnit(of quantity: TableQuantity, _ unit: TableUnit) {
        cells = cells.map { if case .quantity(quantity, _) = $0 { .quantity(quantity, unit) } else { $0 } }
    }

    private func isPace(_ cell: Cell) -> Bool { if case .pace = cell { true } else { false } }

    var isLong: Bool { cells.contains(.value) }
}

/// The reason why a table cannot be read, and the place that shows it.
struct TableFault: Error, Equatable {
    var byte: Int
    var reason: String
}

extension TableLayout.Cell {
    /// The meaning of a row in a long table, from the name of its type and its unit, if known.
    init(ofLongTable name: String, unit: String) {
        self = .skip
        // `HKQuantityTypeIdentifierHeartRate` counts without its prefix.
        let short = name.replacingOccurrences(of: "HKQuantityTypeIdentifier", with: "")
        guard let column = TableNames.meaning(of: name) ?? TableNames.meaning(of: short) else { return }
        var known = column.unit ?? .one
        if !unit.isEmpty {
            if let stated = TableUnit(unit, of: column.meaning) {
                known = stated
            } else if !TableUnit.isNeedless(of: column.meaning) {
                return
            }
        }
        switch column.meaning {
        case .quantity(let quantity): if quantity != .lap { self = .quantity(quantity, known) }
        case .pace: self = .pace(known)
        default: break
        }
    }
}

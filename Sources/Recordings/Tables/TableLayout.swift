import Foundation
import SessionLog

/// How a table is to be read: where its rows begin, and what stands in their columns.
struct TableLayout: Sendable {
    struct Place: Sendable, Equatable {
        var line = 1
        var byte = 0
    }

    /// What becomes of a column's fields.
    enum Cell: Sendable, Equatable {
        case skip
        case quantity(TableQuantity, TableUnit)
        case pace(TableUnit)
        case time, date
        case type, value, unit
        case event
        /// Of ``TableLayout/own``.
        case own(Int)
    }

    /// A column that is named as a session log names readings.
    struct NativeColumn: Sendable, Equatable {
        var type: String
        var unit: String
    }

    /// How a row says when it is of.
    enum Clock: Sendable, Equatable {
        /// A number of so many seconds each: since the start.
        case elapsed(TableUnit)
        /// The same, since 1970.
        case epoch(TableUnit)
        /// `1:02:03` since the start.
        case clock
        /// `18:02:03` of the day on which it began, or the next.
        case timeOfDay
        /// A date with its time.
        case moment(TableDate.Order?)
        /// A date and a time of day, each in a column of its own.
        case dateAndTime(TableDate.Order?)
        /// The intervals one after the other.
        case beats
        /// A row each so many seconds.
        case rows(Double)

        /// Whether a row's time counts from the start of the recording.
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
    /// As the header has them.
    var names: [String]
    var clock: Clock
    /// When it began, since 2001; nil where nobody says. Of times of day it is the day.
    var start: Double?
    /// Seconds east of UTC of times without a zone.
    var offset = 0.0
    var activity: String?
    var device = DeviceDescription()
    var wearer: WearerProfile?
    /// Where laps end, in seconds since the start, where they are not in a column.
    var lapEnds: [Double] = []
    /// Rows end where a line begins so.
    var end: UInt8?
    var warnings: [RecordingWarning] = []
    /// What stands in columns that are not read, in the words of a list.
    var leftOut: [String] = []

    func has(_ quantity: TableQuantity) -> Bool {
        cells.contains { if case .quantity(quantity, _) = $0 { true } else { quantity == .speed && isPace($0) } }
    }

    private func isPace(_ cell: Cell) -> Bool { if case .pace = cell { true } else { false } }

    var isLong: Bool { cells.contains(.value) }
}

/// Why a table cannot be read, and where that shows.
struct TableFault: Error, Equatable {
    var byte: Int
    var reason: String
}

extension TableLayout.Cell {
    /// What a row of a long table tells: it names its type, and its unit where that is known.
    init(ofLongTable name: String, unit: String) {
        self = .skip
        // `HKQuantityTypeIdentifierHeartRate` goes without its beginning.
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

import Foundation
import SessionLog

/// The rows of a table as numbers, one at a time.
final class TableRows {
    private let layout: TableLayout
    private let lines: TableLines
    private let isLong: Bool
    /// The values by quantity, NaN if the row has none.
    private let values = UnsafeMutablePointer<Double>.allocate(capacity: TableQuantity.allCases.count)
    /// The intervals of this row in ms.
    private(set) var intervals: [Double] = []
    /// The time of the row in seconds since 2001, or since the start if the date of the start is unknown. It never
    /// decreases.
    private(set) var seconds = -Double.infinity
    /// The time that the row states.
    private(set) var statedSeconds = -Double.infinity
    private(set) var count = 0
    /// The value of the lap column.
    private(set) var lap: Int?
    /// The columns of ``TableLayout/own`` for which the row has a value.
    private(set) var own: [(column: Int, value: Double)] = []
    /// The event of the row. Empty if there is none.
    private(set) var event = ""

    /// The sums of ``TableLayout/partial``.
    private var sums: [Double]
    private var warnings = RecordingWarnings<String>()
    private var stepsBack = 0
    private var firstStepBack: (line: Int, byte: Int)?
    private var clock: TableClock
    private var lapBytes: [UInt8] = []
    // State of long tables.
    private var cell = TableLayout.Cell.skip
    private var lastType: [UInt8] = []
    private var held: Held?

    /// The first row of the next instant in a long table.
    private struct Held {
        var seconds: Double
        var cell: TableLayout.Cell
        var value: Double
    }

    init(_ bytes: RecordingBytes, _ layout: TableLayout) throws(RecordingError) {
        self.layout = layout
        lines = try TableLines(bytes, lineEnd: layout.lineEnd, from: layout.first)
        clock = TableClock(layout)
        isLong = layout.isLong
        sums = layout.partial.map { _ in 0 }
    }

    deinit { values.deallocate() }

    var bytesRead: Int { lines.bytesRead }

    @inline(__always)
    subscript(_ quantity: TableQuantity) -> Double { values[quantity.rawValue] }

    /// The faults, once all rows were read.
    var faults: [RecordingWarning] {
        var warnings = warnings.all
        if let firstStepBack {
            warnings.append(
                RecordingWarning(
                    byte: firstStepBack.byte,
                    message:
                        "\(stepsBack) rows step back in time, the first in line \(firstStepBack.line); they are taken "
                        + "at the time of the row before"))
        }
        return warnings
    }

    /// Reads the next row with a time. Returns false at the end.
    func next() throws(RecordingError) -> Bool {
        guard try isLong ? nextInstant() : nextLine() else { return false }
        for (index, quantity) in layout.partial.enumerated() where !self[quantity].isNaN {
            sums[index] += self[quantity]
            values[quantity.rawValue] = sums[index]
        }
        return true
    }

    private func nextLine() throws(RecordingError) -> Bool {
        while let line = try lines.next() {
            if line.isEmpty { continue }
            if let end = layout.end, line[0] == end { return false }
            if read(line) {
                count += 1
                return true
            }
        }
        return false
    }

    private func clear() {
        for index in 0..<TableQuantity.allCases.count { values[index] = .nan }
        intervals.removeAll(keepingCapacity: true)
        if !event.isEmpty { event = "" }
        if !own.isEmpty { own.removeAll(keepingCapacity: true) }
    }

    // MARK: A row

    /// Returns whether the row has a time.
    private func read(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        clear()
        var time: Range<Int>?
        var date: Range<Int>?
        var index = 0
        var column = 0
        let cells = layout.cells
        let delimiter = layout.delimiter
        while index <= line.count, column < cells.count {
            switch cells[column] {
            case .quantity(let quantity, let unit):
                if let end = quick(line, index, delimiter, quantity, unit) {
                    index = end + 1
                    column += 1
                    continue
                }
                let end = TableFields.end(line, index, delimiter)
                take(line, TableFields.trimmed(line, index..<end), column, quantity, unit)
                index = end + 1
            case .skip, .type, .value, .unit:
                index = TableFields.end(line, index, delimiter) + 1
            case .time, .date, .pace, .event, .own:
                let end = TableFields.end(line, index, delimiter)
                let field = TableFields.trimmed(line, index..<end)
                switch cells[column] {
                case .time: time = field
                case .date: date = field
                case .pace(let unit): takePace(line, field, column, unit)
                case .own(let place): takeOwn(line, field, column, place)
                case .event: if !field.isEmpty { event = TableFields.text(line, field) }
                default: break
                }
                index = end + 1
            }
            column += 1
        }
        return setTime(line, time, date)
    }

    /// Reads the usual field: digits, perhaps with a fraction, up to the delimiter. Returns its end, or nil for any
    /// other field.
    @inline(__always)
    private func quick(
        _ line: UnsafeBufferPointer<UInt8>, _ start: Int, _ delimiter: UInt8, _ quantity: TableQuantity,
        _ unit: TableUnit
    ) -> Int? {
        guard quantity != .lap else { return nil }
        var index = start
        var mantissa: UInt64 = 0
        var fraction = 0
        var hasMark = false
        var isNegative = false
        if index < line.count, line[index] == UInt8(ascii: "-") {
            isNegative = true
            index += 1
        }
        let first = index
        let limit = min(line.count, first + 16)
        while index < limit {
            let byte = line[index]
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                if hasMark { fraction += 1 }
            } else if byte == delimiter {
                break
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), !hasMark {
                hasMark = true
            } else {
                return nil
            }
            index += 1
        }
        guard index > first + (hasMark ? 1 : 0), index == line.count || line[index] == delimiter else { return nil }
        var value = Double(mantissa)
        if hasMark { value /= JSONNumber.powersOfTen[fraction] }
        if isNegative { value = -value }
        if unit.factor != 1 || unit.offset != 0 { value = value * unit.factor + unit.offset }
        guard quantity.range.contains(value) else { return nil }
        if quantity == .rrInterval {
            if value <= 0 { return nil }
            intervals.append(value)
        } else {
            values[quantity.rawValue] = value
        }
        return index
    }

    /// Reads any other field.
    private func take(
        _ line: UnsafeBufferPointer<UInt8>, _ field: Range<Int>, _ column: Int, _ quantity: TableQuantity,
        _ unit: TableUnit
    ) {
        if quantity == .lap { return takeLap(line, field) }
        if TableNumber.isMissing(line, field) { return }
        if quantity == .rrInterval { return takeIntervals(line, field, column, unit) }
        guard let number = TableNumber.parse(line, field) else { return warn(line, field, column, "is not a number") }
        let value = number * unit.factor + unit.offset
        guard quantity.range.contains(value) else { return warn(line, field, column, "is no \(quantity.name)") }
        values[quantity.rawValue] = value
    }

    /// Reads one interval, or several with characters between them.
    private func takeIntervals(
        _ line: UnsafeBufferPointer<UInt8>, _ field: Range<Int>, _ column: Int, _ unit: TableUnit
    ) {
        var index = field.lowerBound
        var found: [Double] = []
        func isBetween(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "/")
                || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
                || byte == UInt8(ascii: ",")
                    && layout.delimiter == UInt8(ascii: ",")
        }
        while index < field.upperBound {
            if isBetween(line[index]) {
                index += 1
                continue
            }
            var end = index
            while end < field.upperBound, !isBetween(line[end]) { end += 1 }
            guard let number = TableNumber.parse(line, index..<end), case let value = number * unit.factor,
                value > 0, value.isFinite, TableQuantity.rrInterval.range.contains(value)
            else { return warn(line, field, column, "is not an RR interval") }
            found.append(value)
            index = end
        }
        intervals.append(contentsOf: found)
    }

    private func takeOwn(_ line: UnsafeBufferPointer<UInt8>, _ field: Range<Int>, _ column: Int, _ place: Int) {
        if TableNumber.isMissing(line, field) { return }
        guard let number = TableNumber.parse(line, field) else { return warn(line, field, column, "is not a number") }
        own.append((place, number))
    }

    private func takePace(_ line: UnsafeBufferPointer<UInt8>, _ field: Range<Int>, _ column: Int, _ unit: TableUnit) {
        if TableNumber.isMissing(line, field) { return }
        let seconds: Double
        if let clock = TableDate.clock(line, field) {
            seconds = clock / unit.clockSeconds * unit.factor
        } else if let number = TableNumber.parse(line, field) {
            seconds = number * unit.factor
        } else {
            return warn(line, field, column, "is not a pace")
        }
        guard seconds > 0, self[.speed].isNaN, case let speed = 1 / seconds, TableQuantity.speed.range.contains(speed)
        else { return }
        values[TableQuantity.speed.rawValue] = speed
    }

    private func takeLap(_ line: UnsafeBufferPointer<UInt8>, _ field: Range<Int>) {
        let bytes = UnsafeBufferPointer(rebasing: line[field])
        if lap != nil, bytes.elementsEqual(lapBytes) { return }
        lapBytes = Array(bytes.prefix(64))
        lap = (lap ?? -1) + 1
    }

    // MARK: Time

    /// Returns whether the row has a time.
    private func setTime(_ line: UnsafeBufferPointer<UInt8>, _ time: Range<Int>?, _ date: Range<Int>?) -> Bool {
        var new: Double
        switch clock.read(line, time, date, intervals) {
        case .nothing: return false
        case .missing:
            warn(line, 0..<0, timeColumn, "has no time; the row is skipped")
            return false
        case .unreadable(let field):
            warn(line, field, timeColumn, "is not a time like those before; the row is skipped")
            return false
        case .time(let seconds): new = seconds
        }
        guard clock.isPlausible(new) else {
            warn(line, time ?? 0..<line.count, timeColumn, "is not a time of a recording; the row is skipped")
            return false
        }
        statedSeconds = new
        if new < seconds {
            // An event may be written late.
            if event.isEmpty {
                stepsBack += 1
                firstStepBack = firstStepBack ?? (lines.number, lines.byte)
            }
            new = seconds
        }
        seconds = new
        return true
    }

    private var timeColumn: Int { layout.cells.firstIndex(of: .time) ?? layout.cells.firstIndex(of: .date) ?? 0 }

    // MARK: Long tables

    /// Reads all rows of one instant as one. A quantity that comes again begins another instant.
    private func nextInstant() throws(RecordingError) -> Bool {
        clear()
        var isEmpty = true
        if let held {
            seconds = held.seconds
            put(held.value, held.cell)
            self.held = nil
            isEmpty = false
        }
        while let line = try lines.next() {
            if line.isEmpty { continue }
            let before = seconds
            guard let (cell, value) = readLong(line) else { continue }
            let isTaken: Bool
            if case .quantity(let quantity, _) = cell, quantity != .rrInterval {
                isTaken = !self[quantity].isNaN
            } else {
                isTaken = false
            }
            if !isEmpty, seconds != before || isTaken {
                held = Held(seconds: seconds, cell: cell, value: value)
                seconds = before
                count += 1
                return true
            }
            put(value, cell)
            isEmpty = false
        }
        if !isEmpty { count += 1 }
        return !isEmpty
    }

    private func put(_ value: Double, _ cell: TableLayout.Cell) {
        switch cell {
        case .quantity(.rrInterval, _): intervals.append(value)
        case .quantity(let quantity, _): values[quantity.rawValue] = value
        case .pace: if value > 0 { values[TableQuantity.speed.rawValue] = 1 / value }
        default: break
        }
    }

    /// Returns the meaning of a row in a long table, with its value in the unit of the quantity.
    private func readLong(_ line: UnsafeBufferPointer<UInt8>) -> (TableLayout.Cell, Double)? {
        var fields: [Int: Range<Int>] = [:]
        var index = 0
        var column = 0
        while index <= line.count, column < layout.cells.count {
            let end = TableFields.end(line, index, layout.delimiter)
            if layout.cells[column] != .skip { fields[column] = TableFields.trimmed(line, index..<end) }
            index = end + 1
            column += 1
        }
        func field(_ cell: TableLayout.Cell) -> (Int, Range<Int>)? {
            layout.cells.firstIndex(of: cell).flatMap { column in fields[column].map { (column, $0) } }
        }
        guard let (typeColumn, type) = field(.type), let (valueColumn, value) = field(.value) else {
            if !line.allSatisfy({ $0 == layout.delimiter || $0 == 0x20 }) {
                warn(line, 0..<0, timeColumn, "has too few columns; the row is skipped")
            }
            return nil
        }
        let unitText = field(.unit).map { TableFields.text(line, $0.1) } ?? ""
        let key = Array(line[type]) + [0] + Array(unitText.utf8)
        if key != lastType {
            lastType = key
            cell = TableLayout.Cell(ofLongTable: TableFields.text(line, type), unit: unitText)
            if cell == .skip {
                warnings.addOnce(
                    "type \(TableFields.text(line, type))", byte: lines.byte,
                    "line \(lines.number), column \(typeColumn + 1): '\(Self.short(TableFields.text(line, type)))'"
                        + (unitText.isEmpty ? "" : " in '\(Self.short(unitText))'")
                        + " cannot be read from tables; such rows are left out")
            }
        }
        if cell == .skip || TableNumber.isMissing(line, value) { return nil }
        guard let number = TableNumber.parse(line, value) else {
            warn(line, value, valueColumn, "is not a number")
            return nil
        }
        let converted: Double
        switch cell {
        case .quantity(let quantity, let unit):
            converted = number * unit.factor + unit.offset
            guard quantity.range.contains(converted), quantity != .rrInterval || converted > 0 else {
                warn(line, value, valueColumn, "is no \(quantity.name)")
                return nil
            }
        case .pace(let unit): converted = number * unit.factor
        default: return nil
        }
        return setTime(line, field(.time)?.1, field(.date)?.1) ? (cell, converted) : nil
    }

    // MARK: Warnings

    private func warn(_ line: UnsafeBufferPointer<UInt8>, _ field: Range<Int>, _ column: Int, _ what: String) {
        let name = column < layout.names.count ? layout.names[column] : ""
        let title = name.isEmpty ? "" : " (\(Self.short(name)))"
        let text = field.isEmpty ? "" : "'\(Self.short(String(decoding: line[field].prefix(60), as: UTF8.self)))' "
        warnings.add(
            byte: lines.byte + field.lowerBound, "line \(lines.number), column \(column + 1)\(title): \(text)\(what)")
    }

    /// Returns the text shortened for a message, without control characters.
    static func short(_ text: String) -> String {
        String(text.unicodeScalars.prefix(40).map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) })
    }
}

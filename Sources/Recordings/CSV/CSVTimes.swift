import Foundation

/// Finds the columns that hold the time of a row, and their format, from the first rows.
struct CSVTimes {
    let columns: [TableMeaning?]
    let units: [TableUnit?]
    let rows: [[String]]
    let preamble: CSVPreamble
    let options: TableOptions

    struct Found {
        var clock: TableLayout.Clock
        var timeColumn: Int?
        var dateColumn: Int?
        var start: Double?
        var offset = 0.0
        var note: String?

        /// Returns the date of a row in seconds, or nil if times count from the start.
        func seconds(_ row: [String]) -> Double? {
            func field(_ column: Int?) -> String? { column.flatMap { $0 < row.count ? row[$0] : nil } }
            switch clock {
            case .epoch(let unit): return field(timeColumn)?.tableNumber.map { $0 * unit.factor + unit.offset }
            case .moment(let order): return field(timeColumn)?.tableMoment(order)?.seconds
            case .dateAndTime(let order):
                guard let day = field(dateColumn)?.tableMoment(order)?.seconds else { return nil }
                return day + (field(timeColumn)?.tableClockOfDay ?? 0)
            case .timeOfDay, .elapsed, .clock, .beats, .rows: return nil
            }
        }
    }

    struct Fault: Error {
        var column: Int
        var reason: String
    }

    /// Larger numbers are dates: 1973 in seconds since 1970.
    private static let firstEpoch = 1e8

    func find() throws(Fault) -> Found {
        let dateColumn = columns.firstIndex(of: .date)
        // Columns with a date come first.
        let candidates =
            columns.indices.filter { columns[$0] == .time } + columns.indices.filter { columns[$0] == .elapsed }
        if let dated = ((dateColumn.map { [$0] } ?? []) + candidates).first(where: { moment($0)?.hasTime == true }) {
            return try dates(dated)
        }
        if let epoch = candidates.first(where: { number($0).map { $0.magnitude >= Self.firstEpoch } ?? false }),
            let value = number(epoch)
        {
            var unit = Self.epochUnit(value)
            unit.offset = units[epoch]?.offset ?? 0
            return Found(clock: .epoch(unit), timeColumn: epoch)
        }
        if let dateColumn, let time = candidates.first(where: { clock($0) != nil && columns[$0] == .time }) {
            let order = try order(dateColumn)
            var found = Found(clock: .dateAndTime(order), timeColumn: time, dateColumn: dateColumn)
            if let row = rows.lazy.compactMap(found.seconds).first { setOffset(&found, row) }
            return found
        }
        for column in candidates {
            if let value = number(column) {
                // The unit of a time column applies to dates, and also to the time since the start.
                _ = value
                return undated(Found(clock: .elapsed(units[column] ?? .one), timeColumn: column))
            }
            if let value = clock(column) { return clocks(column, value) }
        }
        if columns.contains(.quantity(.rrInterval)) { return undated(Found(clock: .beats)) }
        if rows.isEmpty, let column = candidates.first ?? dateColumn {
            return undated(Found(clock: .clock, timeColumn: column))
        }
        let column = candidates.first ?? dateColumn ?? 0
        let value = rows.first.flatMap { column < $0.count ? $0[column] : nil } ?? ""
        // An ambiguous date is the more helpful fault.
        _ = try order(column)
        throw Fault(
            column: column,
            reason:
                "'\(TableRows.short(value))' is not a time; write seconds, 0:01:02, 2026-01-02T03:04:05Z or seconds since 1970"
        )
    }

    // MARK: Kinds

    private func dates(_ column: Int) throws(Fault) -> Found {
        let order = try order(column)
        var found = Found(clock: .moment(order), timeColumn: column)
        if let first = moment(column, order), !first.hasZone { setOffset(&found, first.seconds) }
        return found
    }

    /// Returns a clock since the start, unless the first value continues from the time of day at which the recording
    /// began.
    private func clocks(_ column: Int, _ first: Double) -> Found {
        let date = preamble.date
        let startTime =
            date.flatMap { $0.hasTime ? $0.seconds - TableDate.startOfDay($0.seconds) : nil } ?? preamble.time
        let isOfDay = startTime.map { first > 0 && (first - $0).magnitude < 120 } ?? false
        guard isOfDay, let date else { return undated(Found(clock: .clock, timeColumn: column)) }
        var found = Found(clock: .timeOfDay, timeColumn: column)
        found.start = TableDate.startOfDay(date.seconds)
        setOffset(&found, TableDate.startOfDay(date.seconds) + first)
        return found
    }

    /// Adds the start to times that count from it.
    private func undated(_ found: Found) -> Found {
        var found = found
        if let date = preamble.date {
            let time = date.hasTime ? 0 : preamble.time ?? 0
            if date.hasZone {
                found.start = date.seconds
            } else {
                setOffset(&found, date.seconds + time)
                found.start = date.seconds + time - found.offset
            }
        } else {
            found.start = options.start?.timeIntervalSinceReferenceDate
        }
        return found
    }

    /// - Parameter local: The local time, in seconds as if it were UTC.
    private func setOffset(_ found: inout Found, _ local: Double) {
        let guess = Double(options.zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: local)))
        // Near a change to or from summer time, the offset at the time itself counts.
        let offset = Double(options.zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: local - guess)))
        found.offset = offset
        found.note =
            "its times have no time zone; \(options.zone.identifier) was assumed, which was "
            + "\(offset / 3600 >= 0 ? "+" : "")\((offset / 3600).formatted()) h from UTC"
    }

    private static func epochUnit(_ value: Double) -> TableUnit {
        switch value.magnitude {
        case ..<1e11: .one
        case ..<1e14: TableUnit(factor: 1e-3)
        case ..<1e17: TableUnit(factor: 1e-6)
        default: TableUnit(factor: 1e-9)
        }
    }

    // MARK: Fields

    private func fields(_ column: Int) -> some Sequence<String> {
        rows.lazy.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
    }

    /// Returns the first number in the first rows. Rows of another kind, such as units, are skipped.
    private func number(_ column: Int) -> Double? { fields(column).prefix(3).lazy.compactMap(\.tableNumber).first }

    private func clock(_ column: Int) -> Double? { fields(column).prefix(3).lazy.compactMap(\.tableClock).first }

    private func moment(_ column: Int, _ order: TableDate.Order? = .dayFirst) -> TableDate.Moment? {
        // Eight digits that are not a date are a number.
        fields(column).prefix(3).lazy.compactMap { $0.tableMoment(order) ?? $0.tableMoment(.monthFirst) }.first
    }

    /// Decides which part of 01/02/2026 is the month: from the pattern in the place of a unit, or from rows in which only
    /// one of them can be. Nil if it makes no difference.
    private func order(_ column: Int) throws(Fault) -> TableDate.Order? {
        if let stated = units[column]?.order { return stated }
        guard let first = fields(column).first(where: { _ in true }), ambiguous(column) else {
            if let slashed = fields(column).first(where: { $0.contains("/") }),
                let parts = Optional(slashed.split { !$0.isNumber }.compactMap { Int($0) }), parts.count >= 3,
                parts[0] < 32
            {
                return parts[0] > 12 ? .dayFirst : parts[1] > 12 ? .monthFirst : .dayFirst
            }
            return nil
        }
        throw ambiguity(first, column)
    }

    private func ambiguous(_ column: Int) -> Bool {
        let all = Array(fields(column).prefix(20))
        let parts = all.map { $0.split { !$0.isNumber }.compactMap { Int($0) } }
        guard let first = all.first, first.contains("/"), !parts.isEmpty else { return false }
        return parts.allSatisfy { $0.count >= 3 && $0[0] <= 12 && $0[1] <= 12 && $0[0] != $0[1] && $0[2] > 31 }
    }

    private func ambiguity(_ text: String, _ column: Int) -> Fault {
        let place = "\(columns[column] == .date ? "date" : "time")=\(column + 1)"
        return Fault(
            column: column,
            reason:
                "'\(TableRows.short(text))' may have its day or its month in front; choose with --columns \(place)(dmy) or "
                + "--columns \(place)(mdy)")
    }
}

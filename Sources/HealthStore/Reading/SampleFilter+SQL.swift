/// A condition on rows of `run`.
struct RunCondition {
    var sql: String
    var arguments: SQLArguments
    /// Whether it selects a few rows by ID. The database cannot know how few, and would read all rows of a type.
    var namesRows = false

    init(_ sql: String, _ arguments: SQLArguments = [], namesRows: Bool = false) {
        self.sql = sql
        self.arguments = arguments
        self.namesRows = namesRows
    }

    /// A condition for equality. Nil equals NULL.
    init(_ column: String, equalTo value: (any SQLValue)?) {
        self.init(value == nil ? "\(column) IS NULL" : "\(column) = ?", value.map { [$0] } ?? [])
    }

    /// A condition for equality with any of some values. Never true without values, for which SQL has no list.
    init(_ column: String, among values: some Collection<String>) {
        guard !values.isEmpty else {
            self = .never
            return
        }
        let marks = repeatElement("?", count: values.count).joined(separator: ",")
        self.init("\(column) IN (\(marks))", Array(values))
    }

    /// A condition that is never true.
    static var never: RunCondition { RunCondition("1 = 0") }

    static func all(_ conditions: [RunCondition]) -> RunCondition {
        RunCondition(
            conditions.map { "(\($0.sql))" }.joined(separator: " AND "),
            conditions.reduce(into: SQLArguments()) { $0 += $1.arguments },
            namesRows: conditions.contains(where: \.namesRows))
    }
}

extension SampleFilter {
    /// A condition that every row with a matching sample meets. Nil if there is none. Other rows may meet it too, so
    /// ``reduced(for:_:)`` and the samples decide.
    func condition(_ reader: StoreReader, of type: HKSampleType) throws -> RunCondition? {
        switch self {
        case .none:
            return .never
        case .and(let parts):
            let conditions = try parts.compactMap { try $0.condition(reader, of: type) }
            return conditions.isEmpty ? nil : .all(conditions)
        case .or(let parts):
            let conditions = try parts.compactMap { try $0.condition(reader, of: type) }
            guard conditions.count == parts.count else { return nil }
            guard !parts.isEmpty else { return .never }
            return RunCondition(
                conditions.map { "(\($0.sql))" }.joined(separator: " OR "),
                conditions.reduce(into: SQLArguments()) { $0 += $1.arguments })
        case .ids(let ids):
            let rows = try reader.find(Set(ids)).rows.keys
            // One text for any number, because statements are cached by their text.
            return RunCondition(
                "run.id IN (\(reader.db.numbersInList))", [StoreReader.list(rows)],
                namesRows: true)
        case .sources(let identifiers):
            let named = RunCondition("bundleIdentifier", among: identifiers)
            return RunCondition("source IN (SELECT id FROM source WHERE \(named.sql))", named.arguments)
        case .workout(let id):
            guard let (row, _) = try reader.find(id) else { return .never }
            return RunCondition(
                "run.id IN (SELECT run FROM member WHERE parent = ?)", [row.id], namesRows: true)
        case .startDate(let comparison, let date):
            return Self.range(comparison, "start", "lastStart", date.timeIntervalSinceReferenceDate)
        case .endDate(let comparison, let date):
            return Self.range(comparison, "start", "\"end\"", date.timeIntervalSinceReferenceDate)
        case .quantity(let comparison, let quantity):
            guard let type = type as? HKQuantityType, type.is(compatibleWith: quantity.unit) else { return nil }
            let bound = quantity.doubleValue(for: type.recordingUnit)
            guard bound.isFinite, comparison != .equal else { return nil }
            let margin = abs(bound) * 1e-9
            let isAbove = comparison == .greater || comparison == .greaterOrEqual
            // The row of a series has the figures of its quantities, not its own value.
            return Self.range(comparison, "minimum", "maximum", isAbove ? bound - margin : bound + margin)
                .map { RunCondition("kind <> 0 OR (\($0.sql))", $0.arguments) }
        case .workoutActivityType(let comparison, let activity):
            return Self.range(comparison, "minimum", "maximum", Double(activity))
        default:
            return nil
        }
    }

    /// The dates of all matching samples, in seconds since the reference date: each ends at the first one or later, and
    /// starts at the last one or earlier. Infinite if the filter has no such bound.
    var dates: (earliestEnd: Double, latestStart: Double) {
        switch self {
        case .and(let parts):
            return parts.map(\.dates).reduce((-.infinity, .infinity)) {
                (max($0.earliestEnd, $1.earliestEnd), min($0.latestStart, $1.latestStart))
            }
        case .startDate(let comparison, let date), .endDate(let comparison, let date):
            let bound = date.timeIntervalSinceReferenceDate
            return (
                [.equal, .greaterOrEqual, .greater].contains(comparison) ? bound : -.infinity,
                [.equal, .lessOrEqual, .less].contains(comparison) ? bound : .infinity
            )
        default: return (-.infinity, .infinity)
        }
    }

    private static func range(
        _ comparison: Comparison, _ least: String, _ greatest: String, _ bound: Double
    ) -> RunCondition? {
        switch comparison {
        case .less: RunCondition("\(least) < ?", [bound])
        case .lessOrEqual: RunCondition("\(least) <= ?", [bound])
        case .greater: RunCondition("\(greatest) > ?", [bound])
        case .greaterOrEqual: RunCondition("\(greatest) >= ?", [bound])
        case .equal: RunCondition("\(least) <= ? AND \(greatest) >= ?", [bound, bound])
        case .notEqual: nil
        }
    }
}

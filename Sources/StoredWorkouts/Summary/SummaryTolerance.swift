/// By how much two numbers of a summary may differ and still count as equal: a number in the value's own unit (`0.5`; seconds for
/// times), or a percentage of the larger one (`1%`). It applies to all members, or to those of a name (`average=1`,
/// `HKQuantityTypeIdentifierHeartRate=2%`). The innermost named member decides.
package struct SummaryTolerance: Sendable, Equatable {
    private struct Allowance: Sendable, Equatable {
        var value: Double
        var isPercent: Bool

        func covers(_ a: Double, _ b: Double) -> Bool {
            abs(a - b) <= (isPercent ? value / 100 * max(abs(a), abs(b)) : value)
        }
    }

    private var general: Allowance?
    private var named: [String: Allowance] = [:]

    /// Allows for times and numbers that are written with fewer digits than they have.
    private static let written = 1e-9

    package init() {}

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for anything else.
    package init(_ words: [String]) throws {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let text = parts.last ?? ""
            let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
            guard let value = Double(digits), value >= 0, value.isFinite, parts.count == 1 || !parts[0].isEmpty else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "The tolerance must be absolute (0.5), relative (1%) or per field (average=1%), not '\(word)'.")
            }
            let allowance = Allowance(value: value, isPercent: text.hasSuffix("%"))
            if parts.count == 1 { general = allowance } else { named[parts[0]] = allowance }
        }
    }

    func allows(_ a: Double, _ b: Double, at path: [String]) -> Bool {
        if abs(a - b) <= Self.written * max(abs(a), abs(b), 1) { return true }
        let allowance = path.reversed().lazy.compactMap { named[$0] }.first ?? general
        return allowance?.covers(a, b) ?? false
    }
}

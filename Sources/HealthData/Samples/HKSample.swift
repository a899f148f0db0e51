public import Foundation

/// An object with a type, a start and an end. Abstract.
public class HKSample: HKObject, @unchecked Sendable {
    /// What is measured: its identifier names the type in the store and in exports.
    public final let sampleType: HKSampleType
    /// When the sample begins. A sample of an instant ends there, too.
    public final let startDate: Date
    /// Equals the start for a sample of an instant. Never before it.
    public final let endDate: Date

    /// Whether the sample goes on without a known end: its `endDate` is `Date.distantFuture`.
    public final var hasUndeterminedDuration: Bool { endDate == .distantFuture }

    /// The dates have been through ``check(_:start:end:)``.
    package init(_ identity: ObjectIdentity, sampleType: HKSampleType, start: Date, end: Date) {
        self.sampleType = sampleType
        startDate = start
        endDate = end
        super.init(identity)
    }

    package static func check(_ type: HKSampleType, start: Date, end: Date) throws(SampleError) {
        guard start <= end else { throw .endsBeforeStart(type: type.identifier, start: start, end: end) }
        guard end != .distantFuture else { return }
        let seconds = end.timeIntervalSince(start)
        if type.isMaximumDurationRestricted, seconds > type.maximumAllowedDuration {
            throw .tooLong(type: type.identifier, seconds: seconds, limit: type.maximumAllowedDuration)
        }
        if type.isMinimumDurationRestricted, seconds < type.minimumAllowedDuration {
            throw .tooShort(type: type.identifier, seconds: seconds, limit: type.minimumAllowedDuration)
        }
    }

    // MARK: Copies

    /// A copy of the same class with another identity, start and end; every date inside it goes through `inner`, which
    /// must keep their order. Each subclass makes its own.
    package func copy(identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date) -> HKSample {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is copied")
    }

    /// The same sample, the same UUID too, on another time line: every date in it put through `map`, but for an
    /// undetermined end.
    package final func mappingDates(_ map: (Date) -> Date) -> HKSample {
        func mapped(_ date: Date) -> Date { date == .distantFuture ? date : map(date) }
        return copy(identity: identity, start: mapped(startDate), end: mapped(endDate), inner: mapped)
    }

    /// The same sample, the same UUID too, from `start` to `end`; dates inside it keep their place in proportion.
    package final func moved(start: Date, end: Date) -> HKSample {
        let length = endDate.timeIntervalSince(startDate)
        let scale = length > 0 && !hasUndeterminedDuration ? end.timeIntervalSince(start) / length : 1
        return copy(identity: identity, start: start, end: end) { date in
            start.addingTimeInterval(date.timeIntervalSince(startDate) * scale)
        }
    }

    /// The same sample with another identity: what the store hands out once it knows where an object came from.
    package final func with(_ identity: ObjectIdentity) -> HKSample {
        copy(identity: identity, start: startDate, end: endDate) { $0 }
    }

    /// The type, the UUID and the time, without the value.
    public override var description: String { "\(sampleType.identifier) \(uuid) (\(startDate) - \(endDate))" }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKSampleType.self, forKey: "sampleType"),
            let start = coder.decodeDate(forKey: "startDate"), let end = coder.decodeDate(forKey: "endDate"),
            (try? Self.check(type, start: start, end: end)) != nil
        else { return nil }
        sampleType = type
        startDate = start
        endDate = end
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(sampleType, forKey: "sampleType")
        coder.encode(date: startDate, forKey: "startDate")
        coder.encode(date: endDate, forKey: "endDate")
    }
}

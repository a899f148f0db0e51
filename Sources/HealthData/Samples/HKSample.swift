public import Foundation

/// An object with a type, a start and an end. Abstract.
public class HKSample: HKObject, @unchecked Sendable {
    /// The type of the sample. Its identifier names the type in the store and in exports.
    public final let sampleType: HKSampleType
    /// The start of the sample. A sample of an instant also ends there.
    public final let startDate: Date
    /// The end, never before the start. A sample of an instant ends at its start.
    public final let endDate: Date

    /// Whether the sample continues without a known end: its `endDate` is `Date.distantFuture`.
    public final var hasUndeterminedDuration: Bool { endDate == .distantFuture }

    /// ``check(_:start:end:)`` has checked the dates.
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

    /// Returns a copy of the same class with another identity, start and end. Every date inside it is mapped by
    /// `inner`, which must keep their order. Each subclass implements its own.
    package func copy(identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date) -> HKSample {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is copied")
    }

    /// Returns the same sample with the same UUID on another time line: maps every date in it, except an undetermined
    /// end.
    package final func mappingDates(_ map: (Date) -> Date) -> HKSample {
        func mapped(_ date: Date) -> Date { date == .distantFuture ? date : map(date) }
        return copy(identity: identity, start: mapped(startDate), end: mapped(endDate), inner: mapped)
    }

    /// Returns the same sample with the same UUID from `start` to `end`. Dates inside it keep their relative positions.
    package final func moved(start: Date, end: Date) -> HKSample {
        let length = endDate.timeIntervalSince(startDate)
        let scale = length > 0 && !hasUndeterminedDuration ? end.timeIntervalSince(start) / length : 1
        return copy(identity: identity, start: start, end: end) { date in
            start.addingTimeInterval(date.timeIntervalSince(startDate) * scale)
        }
    }

    /// Returns the same sample with another identity, such as that from the store, which knows the origin of an object.
    package final func with(_ identity: ObjectIdentity) -> HKSample {
        copy(identity: identity, start: startDate, end: endDate) { $0 }
    }

    /// The type, the UUID and the time, without the value.
    public override var description: String { "\(sampleType.identifier) \(uuid) (\(startDate) - \(endDate))" }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
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

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(sampleType, forKey: "sampleType")
        coder.encode(date: startDate, forKey: "startDate")
        coder.encode(date: endDate, forKey: "endDate")
    }
}

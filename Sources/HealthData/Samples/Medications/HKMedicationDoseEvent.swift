public import Foundation

/// A dose that was taken, skipped, or is due. Read-only for apps.
public final class HKMedicationDoseEvent: HKSample, NSCopying, @unchecked Sendable {
    /// The outcome of a dose.
    public enum LogStatus: Int, Sendable {
        /// The user was reminded and did not respond.
        case notInteracted = 1
        /// There was no reminder.
        case notificationNotSent = 2
        /// The user postponed the reminder.
        case snoozed = 3
        /// Taken. ``HKMedicationDoseEvent/doseQuantity`` is the amount.
        case taken = 4
        /// The user skipped it.
        case skipped = 5
        /// Nothing was logged.
        case notLogged = 6
    }

    /// The reason for the dose.
    public enum ScheduleType: Int, Sendable {
        /// Taken as needed. ``HKMedicationDoseEvent/scheduledDate`` is nil.
        case asNeeded = 1
        /// Due by a schedule, at ``HKMedicationDoseEvent/scheduledDate``.
        case schedule = 2
    }

    /// The same as `sampleType`, with its own class.
    public let medicationDoseEventType: HKMedicationDoseEventType
    /// The medication of the dose.
    public let medicationConceptIdentifier: HKHealthConceptIdentifier
    /// The date when the dose was due. Nil for one that was taken as needed.
    public let scheduledDate: Date?
    /// The amount that was due, in ``unit``. Nil for a dose that was taken as needed, or if not known.
    public let scheduledDoseQuantity: Double?
    /// The amount, in ``unit``.
    public let doseQuantity: Double?
    /// The outcome of the dose.
    public let logStatus: LogStatus
    /// Whether the dose was due or taken as needed.
    public let scheduleType: ScheduleType
    /// The unit of both quantities. A count if no other is known.
    public let unit: HKUnit

    /// The logged facts of a dose.
    package struct Log: Sendable {
        package var scheduledDate: Date?
        package var scheduledDoseQuantity: Double?
        package var doseQuantity: Double?
        package var status: LogStatus
        package var scheduleType: ScheduleType
        package var unit: HKUnit

        package init(
            scheduledDate: Date? = nil, scheduledDoseQuantity: Double? = nil, doseQuantity: Double? = nil,
            status: LogStatus, scheduleType: ScheduleType, unit: HKUnit = .count()
        ) {
            self.scheduledDate = scheduledDate
            self.scheduledDoseQuantity = scheduledDoseQuantity
            self.doseQuantity = doseQuantity
            self.status = status
            self.scheduleType = scheduleType
            self.unit = unit
        }
    }

    /// Creates an event from a file or the store. Throws ``SampleError`` instead of trapping if the data is invalid.
    package static func validated(
        _ identity: ObjectIdentity, concept: HKHealthConceptIdentifier, log: Log, start: Date, end: Date
    ) throws(SampleError) -> HKMedicationDoseEvent {
        try check(HKObjectType.medicationDoseEventType(), start: start, end: end)
        return HKMedicationDoseEvent(identity, concept, log, start, end)
    }

    private init(
        _ identity: ObjectIdentity, _ concept: HKHealthConceptIdentifier, _ log: Log, _ start: Date, _ end: Date
    ) {
        medicationDoseEventType = .medicationDoseEventType()
        medicationConceptIdentifier = concept
        scheduledDate = log.scheduledDate
        scheduledDoseQuantity = log.scheduledDoseQuantity
        doseQuantity = log.doseQuantity
        logStatus = log.status
        scheduleType = log.scheduleType
        unit = log.unit
        super.init(identity, sampleType: .medicationDoseEventType(), start: start, end: end)
    }

    private var log: Log {
        Log(
            scheduledDate: scheduledDate, scheduledDoseQuantity: scheduledDoseQuantity, doseQuantity: doseQuantity,
            status: logStatus, scheduleType: scheduleType, unit: unit)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKMedicationDoseEvent {
        HKMedicationDoseEvent(identity, medicationConceptIdentifier, log, start, end)
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let concept = coder.decodeValue(of: HKHealthConceptIdentifier.self, forKey: "concept"),
            let status = coder.decodeCount(forKey: "status").flatMap(LogStatus.init),
            let schedule = coder.decodeCount(forKey: "scheduleType").flatMap(ScheduleType.init),
            let unit = coder.decodeValue(of: HKUnit.self, forKey: "unit")
        else { return nil }
        medicationDoseEventType = .medicationDoseEventType()
        medicationConceptIdentifier = concept
        logStatus = status
        scheduleType = schedule
        self.unit = unit
        scheduledDate = coder.decodeDate(forKey: "scheduledDate")
        scheduledDoseQuantity = coder.decodeNumber(forKey: "scheduledDose")
        doseQuantity = coder.decodeNumber(forKey: "dose")
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(medicationConceptIdentifier, forKey: "concept")
        coder.encode(count: logStatus.rawValue, forKey: "status")
        coder.encode(count: scheduleType.rawValue, forKey: "scheduleType")
        coder.encode(unit, forKey: "unit")
        if let scheduledDate { coder.encode(date: scheduledDate, forKey: "scheduledDate") }
        if let scheduledDoseQuantity { coder.encode(number: scheduledDoseQuantity, forKey: "scheduledDose") }
        if let doseQuantity { coder.encode(number: doseQuantity, forKey: "dose") }
    }
}

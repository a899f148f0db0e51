public import Foundation

/// A dose that was taken, skipped, or is due. Read only for apps.
public final class HKMedicationDoseEvent: HKSample, NSCopying, @unchecked Sendable {
    /// What became of a dose.
    public enum LogStatus: Int, Sendable {
        /// The user was reminded and did nothing.
        case notInteracted = 1
        /// There was no reminder.
        case notificationNotSent = 2
        /// The user put the reminder off.
        case snoozed = 3
        /// Taken; ``HKMedicationDoseEvent/doseQuantity`` says how much.
        case taken = 4
        /// Left out, as the user said.
        case skipped = 5
        /// Nothing was noted.
        case notLogged = 6
    }

    /// Why the dose was there.
    public enum ScheduleType: Int, Sendable {
        /// Taken when there was need of it; ``HKMedicationDoseEvent/scheduledDate`` is nil.
        case asNeeded = 1
        /// Due by a schedule, at ``HKMedicationDoseEvent/scheduledDate``.
        case schedule = 2
    }

    /// The same as `sampleType`, as its own class.
    public let medicationDoseEventType: HKMedicationDoseEventType
    /// The medication of which this is a dose.
    public let medicationConceptIdentifier: HKHealthConceptIdentifier
    /// When the dose was due; nil for one that was taken as needed.
    public let scheduledDate: Date?
    /// How much was due, in ``unit``; nil for a dose that was taken as needed, or when not known.
    public let scheduledDoseQuantity: Double?
    /// In ``unit``.
    public let doseQuantity: Double?
    /// What became of the dose.
    public let logStatus: LogStatus
    /// Whether the dose was due or taken as needed.
    public let scheduleType: ScheduleType
    /// The unit of both quantities; a count where nothing else is known.
    public let unit: HKUnit

    /// What was logged of a dose.
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

    /// An event from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
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

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
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

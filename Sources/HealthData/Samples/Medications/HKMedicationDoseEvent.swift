public import Foundation

/// A dose that was taken, skipped, or is due. Read only for apps.
public final class HKMedicationDoseEvent: HKSample, NSCopying, @unchecked Sendable {
    public enum LogStatus: Int, Sendable {
        case notInteracted = 1
        case notificationNotSent = 2
        case snoozed = 3
        case taken = 4
        case skipped = 5
        case notLogged = 6
    }

    public enum ScheduleType: Int, Sendable {
        case asNeeded = 1
        case schedule = 2
    }

    public let medicationDoseEventType: HKMedicationDoseEventType
    public let medicationConceptIdentifier: HKHealthConceptIdentifier
    /// When the dose was due; nil for one that was taken as needed.
    public let scheduledDate: Date?
    public let scheduledDoseQuantity: Double?
    /// In ``unit``.
    public let doseQuantity: Double?
    public let logStatus: LogStatus
    public let scheduleType: ScheduleType
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

    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

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

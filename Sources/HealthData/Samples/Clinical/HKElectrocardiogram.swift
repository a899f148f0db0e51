public import Foundation

/// An electrocardiogram of one lead. Read only: apps read them, devices make them. The voltages come from a query.
public final class HKElectrocardiogram: HKSample, @unchecked Sendable {
    /// What the device made of the rhythm.
    public enum Classification: Int, Sendable {
        /// Not classified.
        case notSet = 0
        /// The rhythm is regular.
        case sinusRhythm = 1
        /// The rhythm is irregular in the way of atrial fibrillation.
        case atrialFibrillation = 2
        /// Could not be told: the heart rate was too low.
        case inconclusiveLowHeartRate = 3
        /// Could not be told: the heart rate was too high.
        case inconclusiveHighHeartRate = 4
        /// Could not be told: the recording is bad.
        case inconclusivePoorReading = 5
        /// Could not be told for another reason.
        case inconclusiveOther = 6
        /// A class that this version does not know.
        case unrecognized = 100
    }

    /// Whether the wearer noted symptoms with the recording.
    public enum SymptomsStatus: Int, Sendable {
        /// The wearer was not asked, or the export does not say.
        case notSet = 0
        /// The wearer said that there were none.
        case none = 1
        /// The wearer noted some; ``HKQuery/predicateForObjectsAssociated(electrocardiogram:)`` finds them.
        case present = 2
    }

    /// Between which places of the body the voltage is measured.
    public enum Lead: Int, Sendable {
        /// Between the wrist and the finger of the other hand.
        case appleWatchSimilarToLeadI = 1
    }

    /// The voltage at one moment.
    public final class VoltageMeasurement: NSObject, NSCopying, Sendable {
        /// In seconds.
        public let timeSinceSampleStart: TimeInterval
        private let voltages: [Lead: HKQuantity]

        package init(timeSinceSampleStart: TimeInterval, voltages: [Lead: HKQuantity]) {
            self.timeSinceSampleStart = timeSinceSampleStart
            self.voltages = voltages
        }

        /// The voltage; nil when the lead was not recorded.
        public func quantity(for lead: Lead) -> HKQuantity? { voltages[lead] }

        /// Immutable, so the copy is the object itself.
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// What the device made of the rhythm; `notSet` when it said nothing.
    public let classification: Classification
    /// Whether the wearer noted symptoms with the recording.
    public let symptomsStatus: SymptomsStatus
    /// In beats per minute; nil when it could not be told.
    public let averageHeartRate: HKQuantity?
    /// In hertz.
    public let samplingFrequency: HKQuantity?
    /// How many voltages the recording has. They come from ``HKElectrocardiogramQuery``.
    public let numberOfVoltageMeasurements: Int

    /// A recording from a device, a file or the store; ``SampleError`` instead of a trap when the data is wrong.
    package static func validated(
        _ identity: ObjectIdentity, classification: Classification, symptomsStatus: SymptomsStatus = .notSet,
        averageHeartRate: HKQuantity?, samplingFrequency: HKQuantity?, numberOfVoltageMeasurements: Int, start: Date,
        end: Date
    ) throws(SampleError) -> HKElectrocardiogram {
        try check(HKObjectType.electrocardiogramType(), start: start, end: end)
        try check(averageHeartRate, .count().unitDivided(by: .minute()), "averageHeartRate")
        try check(samplingFrequency, .hertz(), "samplingFrequency")
        return HKElectrocardiogram(
            identity, classification, symptomsStatus, averageHeartRate, samplingFrequency, numberOfVoltageMeasurements,
            start, end)
    }

    private static func check(_ quantity: HKQuantity?, _ unit: HKUnit, _ name: String) throws(SampleError) {
        guard let quantity, !quantity.is(compatibleWith: unit) else { return }
        throw .incompatibleUnit(type: name, unit: quantity.unit.unitString, expected: unit.unitString)
    }

    private init(
        _ identity: ObjectIdentity, _ classification: Classification, _ symptomsStatus: SymptomsStatus,
        _ averageHeartRate: HKQuantity?, _ samplingFrequency: HKQuantity?, _ count: Int, _ start: Date, _ end: Date
    ) {
        self.classification = classification
        self.symptomsStatus = symptomsStatus
        self.averageHeartRate = averageHeartRate
        self.samplingFrequency = samplingFrequency
        numberOfVoltageMeasurements = count
        super.init(identity, sampleType: .electrocardiogramType(), start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKElectrocardiogram {
        HKElectrocardiogram(
            identity, classification, symptomsStatus, averageHeartRate, samplingFrequency, numberOfVoltageMeasurements,
            start, end)
    }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard let classification = coder.decodeCount(forKey: "classification").flatMap(Classification.init),
            let symptoms = coder.decodeCount(forKey: "symptomsStatus").flatMap(SymptomsStatus.init),
            let count = coder.decodeCount(forKey: "count"), count >= 0
        else { return nil }
        self.classification = classification
        symptomsStatus = symptoms
        numberOfVoltageMeasurements = count
        averageHeartRate = coder.decodeValue(of: HKQuantity.self, forKey: "averageHeartRate")
        samplingFrequency = coder.decodeValue(of: HKQuantity.self, forKey: "samplingFrequency")
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: classification.rawValue, forKey: "classification")
        coder.encode(count: symptomsStatus.rawValue, forKey: "symptomsStatus")
        coder.encode(count: numberOfVoltageMeasurements, forKey: "count")
        coder.encodeIfPresent(averageHeartRate, forKey: "averageHeartRate")
        coder.encodeIfPresent(samplingFrequency, forKey: "samplingFrequency")
    }
}

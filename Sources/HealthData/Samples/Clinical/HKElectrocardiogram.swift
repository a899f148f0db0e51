public import Foundation

/// An electrocardiogram of one lead. Apps read them, and only devices create them. ``HKElectrocardiogramQuery`` returns
/// the voltages.
public final class HKElectrocardiogram: HKSample, @unchecked Sendable {
    /// The device's classification of the rhythm.
    public enum Classification: Int, Sendable {
        /// Not classified.
        case notSet = 0
        /// The rhythm is regular.
        case sinusRhythm = 1
        /// The rhythm is irregular, a sign of atrial fibrillation.
        case atrialFibrillation = 2
        /// Inconclusive: the heart rate was too low.
        case inconclusiveLowHeartRate = 3
        /// Inconclusive: the heart rate was too high.
        case inconclusiveHighHeartRate = 4
        /// Inconclusive: the recording is poor.
        case inconclusivePoorReading = 5
        /// Inconclusive for another reason.
        case inconclusiveOther = 6
        /// A class that this version does not know.
        case unrecognized = 100
    }

    /// Whether the wearer recorded symptoms with the electrocardiogram.
    public enum SymptomsStatus: Int, Sendable {
        /// The wearer did not answer, or the export does not contain it.
        case notSet = 0
        /// The wearer answered that there were none.
        case none = 1
        /// The wearer recorded some. ``HKQuery/predicateForObjectsAssociated(electrocardiogram:)`` finds them.
        case present = 2
    }

    /// The places on the body between which the voltage is measured.
    public enum Lead: Int, Sendable {
        /// Between the wrist and the finger of the other hand.
        case appleWatchSimilarToLeadI = 1
    }

    /// The voltage at one moment.
    public final class VoltageMeasurement: NSObject, NSCopying, Sendable {
        /// The time since the start of the sample, in seconds.
        public let timeSinceSampleStart: TimeInterval
        private let voltages: [Lead: HKQuantity]

        package init(timeSinceSampleStart: TimeInterval, voltages: [Lead: HKQuantity]) {
            self.timeSinceSampleStart = timeSinceSampleStart
            self.voltages = voltages
        }

        /// Returns the voltage, or nil if the lead was not recorded.
        public func quantity(for lead: Lead) -> HKQuantity? { voltages[lead] }

        /// Returns the object itself, because it is immutable.
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// The device's classification of the rhythm. `notSet` if there is none.
    public let classification: Classification
    /// Whether the wearer recorded symptoms with the electrocardiogram.
    public let symptomsStatus: SymptomsStatus
    /// The average heart rate in beats per minute. Nil if the device could not determine it.
    public let averageHeartRate: HKQuantity?
    /// The sampling frequency in hertz.
    public let samplingFrequency: HKQuantity?
    /// The number of voltages in the recording. ``HKElectrocardiogramQuery`` returns them.
    public let numberOfVoltageMeasurements: Int

    /// Creates a recording from a device, a file or the store. Throws ``SampleError`` instead of trapping if the data
    /// is invalid.
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

    /// Returns nil if the archive contains no such object, or one with invalid values.
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

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: classification.rawValue, forKey: "classification")
        coder.encode(count: symptomsStatus.rawValue, forKey: "symptomsStatus")
        coder.encode(count: numberOfVoltageMeasurements, forKey: "count")
        coder.encodeIfPresent(averageHeartRate, forKey: "averageHeartRate")
        coder.encodeIfPresent(samplingFrequency, forKey: "samplingFrequency")
    }
}

public import Foundation

/// An electrocardiogram of one lead. Read only: apps read them, devices make them. The voltages come from a query.
public final class HKElectrocardiogram: HKSample, @unchecked Sendable {
    /// What the device made of the rhythm.
    public enum Classification: Int, Sendable {
        case notSet = 0
        case sinusRhythm = 1
        case atrialFibrillation = 2
        case inconclusiveLowHeartRate = 3
        case inconclusiveHighHeartRate = 4
        case inconclusivePoorReading = 5
        case inconclusiveOther = 6
        case unrecognized = 100
    }

    /// Whether the wearer noted symptoms with the recording.
    public enum SymptomsStatus: Int, Sendable {
        case notSet = 0
        case none = 1
        case present = 2
    }

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

        public func copy(with zone: NSZone? = nil) -> Any { self }
    }

    public let classification: Classification
    public let symptomsStatus: SymptomsStatus
    /// In beats per minute; nil when it could not be told.
    public let averageHeartRate: HKQuantity?
    /// In hertz.
    public let samplingFrequency: HKQuantity?
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

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: classification.rawValue, forKey: "classification")
        coder.encode(count: symptomsStatus.rawValue, forKey: "symptomsStatus")
        coder.encode(count: numberOfVoltageMeasurements, forKey: "count")
        coder.encodeIfPresent(averageHeartRate, forKey: "averageHeartRate")
        coder.encodeIfPresent(samplingFrequency, forKey: "samplingFrequency")
    }
}

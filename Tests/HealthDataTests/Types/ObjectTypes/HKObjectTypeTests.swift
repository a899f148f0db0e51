import Foundation
import Testing

@testable import HealthData

struct HKObjectTypeTests {
    @Test func `a lookup returns the same instance every time`() {
        #expect(
            HKObjectType.quantityType(forIdentifier: .heartRate)
                === HKSampleType.quantityType(forIdentifier: .heartRate))
        #expect(
            HKObjectType.categoryType(forIdentifier: .sleepAnalysis)
                === HKObjectType.categoryType(forIdentifier: .sleepAnalysis))
        #expect(HKObjectType.workoutType() === HKSampleType.workoutType())
        #expect(HKSeriesType.workoutRoute() === HKObjectType.seriesType(forIdentifier: HKWorkoutRouteTypeIdentifier))
        #expect(
            HKSeriesType.heartbeat() === HKObjectType.seriesType(forIdentifier: HKDataTypeIdentifierHeartbeatSeries))
    }

    @Test func `an unknown identifier finds no type`() {
        #expect(HKObjectType.quantityType(forIdentifier: .init(rawValue: "HKQuantityTypeIdentifierMood")) == nil)
        #expect(HKObjectType.categoryType(forIdentifier: .init(rawValue: "")) == nil)
        #expect(HKObjectType.characteristicType(forIdentifier: .init(rawValue: "x")) == nil)
        #expect(HKObjectType.correlationType(forIdentifier: .init(rawValue: "x")) == nil)
        #expect(HKObjectType.documentType(forIdentifier: .init(rawValue: "x")) == nil)
        #expect(HKObjectType.clinicalType(forIdentifier: .init(rawValue: "x")) == nil)
        #expect(HKObjectType.scoredAssessmentType(forIdentifier: .init(rawValue: "x")) == nil)
        #expect(HKObjectType.seriesType(forIdentifier: "x") == nil)
        // An identifier of another kind of type.
        #expect(HKObjectType.quantityType(forIdentifier: .init(rawValue: "HKCategoryTypeIdentifierAcne")) == nil)
        #expect(HKObjectType.seriesType(forIdentifier: HKWorkoutTypeIdentifier) == nil)
    }

    @Test func `creating a type from an unknown identifier stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantityType(HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierMood"))
        }
        await #expect(processExitsWith: .failure) {
            _ = HKCategoryType(HKCategoryTypeIdentifier(rawValue: "HKCategoryTypeIdentifierMood"))
        }
    }

    @Test func `types are equal if their identifiers are`() throws {
        let made = HKQuantityType(.heartRate)
        let found = try #require(HKObjectType.quantityType(forIdentifier: .heartRate))
        #expect(made == found)
        #expect(made.hash == found.hash)
        #expect(made != HKQuantityType(.stepCount))
        #expect(!made.isEqual("HKQuantityTypeIdentifierHeartRate"))
        #expect(Set<HKObjectType>([made, found, HKQuantityType(.stepCount), .workoutType()]).count == 3)
        #expect([found: 1][made] == 1)
    }

    @Test func `a type works in a switch`() {
        func name(of type: HKObjectType) -> String {
            switch type {
            case HKQuantityType(.stepCount): "steps"
            case HKObjectType.quantityType(forIdentifier: .heartRate): "heart rate"
            case HKObjectType.workoutType(): "workout"
            default: "other"
            }
        }
        #expect(name(of: HKQuantityType(.heartRate)) == "heart rate")
        #expect(name(of: HKQuantityType(.stepCount)) == "steps")
        #expect(name(of: HKWorkoutType.workoutType()) == "workout")
        #expect(name(of: HKCategoryType(.acne)) == "other")
    }

    @Test func `a type's description is its identifier`() {
        #expect("\(HKQuantityType(.heartRate))" == "HKQuantityTypeIdentifierHeartRate")
        #expect(HKObjectType.workoutType().description == "HKWorkoutTypeIdentifier")
    }

    @Test func `every type has Apple's class`() {
        #expect(HKObjectType.activitySummaryType() as HKObjectType is HKSampleType == false)
        #expect(HKObjectType.userAnnotatedMedicationType() as HKObjectType is HKSampleType == false)
        #expect(HKCharacteristicType(.dateOfBirth) as HKObjectType is HKSampleType == false)
        let samples: [HKSampleType] = [
            HKQuantityType(.height), HKCategoryType(.fever), HKCorrelationType(.bloodPressure), HKDocumentType(.CDA),
            HKClinicalType(.labResultRecord), HKScoredAssessmentType(.GAD7), .workoutType(), HKSeriesType.heartbeat(),
            .audiogramSampleType(), .electrocardiogramType(), .visionPrescriptionType(), .stateOfMindType(),
            .medicationDoseEventType(),
        ]
        for type in samples { #expect(TypeCatalogue.objectType(identifier: type.identifier) == type) }
    }

    @Test func `irregular identifier strings are Apple's`() {
        #expect(HKObjectType.stateOfMindType().identifier == "HKDataTypeStateOfMind")
        #expect(HKDataTypeIdentifierStateOfMind == "HKDataTypeStateOfMind")
        #expect(
            HKObjectType.userAnnotatedMedicationType().identifier == "HKDataTypeUserAnnotatedMedicationConcept")
        #expect(
            HKCategoryTypeIdentifier.environmentalAudioExposureEvent.rawValue
                == "HKCategoryTypeIdentifierAudioExposureEvent")
    }

    @Test func `only prescriptions and medications are authorized per object`() {
        let types = TypeCatalogue.objectTypes.filter { $0.requiresPerObjectAuthorization() }
        #expect(Set(types) == [HKObjectType.visionPrescriptionType(), HKObjectType.userAnnotatedMedicationType()])
    }

    @Test func `no type limits the duration of its samples, and asking for the limit stops the program`() async {
        for case let type as HKSampleType in TypeCatalogue.objectTypes {
            #expect(!type.isMaximumDurationRestricted && !type.isMinimumDurationRestricted)
            #expect(!type.allowsRecalibrationForEstimates)
        }
        await #expect(processExitsWith: .failure) { _ = HKQuantityType(.heartRate).maximumAllowedDuration }
        await #expect(processExitsWith: .failure) { _ = HKQuantityType(.heartRate).minimumAllowedDuration }
    }

    @Test(arguments: [
        (HKQuantityTypeIdentifier.heartRate, "count/min", true), (.heartRate, "Hz", false),
        (.heartRate, "count", false),
        (.distanceCycling, "mi", true), (.distanceCycling, "L", false), (.bodyTemperature, "degF", true),
        (.activeEnergyBurned, "kJ", true), (.bloodGlucose, "mg/dL", true),
        (.bloodGlucose, "mmol<180.15588000005408>/L", true), (.oxygenSaturation, "%", true),
        (.vo2Max, "ml/(kg*min)", true),
    ])
    func `a quantity type accepts only units of its dimension`(
        identifier: HKQuantityTypeIdentifier, unit: String, isCompatible: Bool
    ) {
        #expect(HKQuantityType(identifier).is(compatibleWith: HKUnit(from: unit)) == isCompatible)
    }

    // MARK: Archives

    @Test func `every type survives archiving`() throws {
        for type in TypeCatalogue.objectTypes {
            let data = try NSKeyedArchiver.archivedData(withRootObject: type, requiringSecureCoding: true)
            let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKObjectType.self, from: data)
            #expect(back == type)
            #expect(back.map { Swift.type(of: $0) } == Swift.type(of: type))
            #expect(back?.swiftName == type.swiftName)
            if let type = type as? HKQuantityType, let back = back as? HKQuantityType {
                #expect(back.aggregationStyle == type.aggregationStyle)
                #expect(back.canonicalUnit == type.canonicalUnit)
            }
            if let type = type as? HKCategoryType {
                #expect((back as? HKCategoryType)?.allowedValues == type.allowedValues)
            }
        }
    }

    @Test func `an archive with an unknown type, or one of another class, is rejected`() throws {
        let mood = HKWorkoutType(identifier: "HKMood", swiftName: "mood", isShareableByApps: true)
        let workout = HKSeriesType(identifier: HKWorkoutTypeIdentifier, swiftName: "workout", isShareableByApps: true)
        for forged in [mood, workout] as [HKObjectType] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: forged, requiringSecureCoding: true)
            #expect(throws: (any Error).self) {
                try NSKeyedUnarchiver.unarchivedObject(ofClass: HKObjectType.self, from: data)
            }
        }
    }

    @Test func `copying a type returns itself`() {
        let type = HKQuantityType(.heartRate)
        #expect(type.copy() as? HKQuantityType === type)
    }
}

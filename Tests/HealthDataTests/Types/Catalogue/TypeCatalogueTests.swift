import Testing

@testable import HealthData

struct TypeCatalogueTests {
    @Test func `no two types share an identifier or a Swift name`() {
        #expect(Set(TypeCatalogue.objectTypes.map(\.identifier)).count == TypeCatalogue.objectTypes.count)
        #expect(Set(TypeCatalogue.objectTypes.map(\.swiftName)).count == TypeCatalogue.objectTypes.count)
    }

    @Test func `every type is found by its identifier and by its Swift name`() {
        for type in TypeCatalogue.objectTypes {
            #expect(TypeCatalogue.objectType(identifier: type.identifier) === type)
            #expect(TypeCatalogue.objectType(named: type.swiftName) === type)
        }
        for type in TypeCatalogue.quantityTypes {
            #expect(TypeCatalogue.quantityType(identifier: type.identifier) === type)
            #expect(TypeCatalogue.quantityType(named: type.swiftName) === type)
        }
        for type in TypeCatalogue.categoryTypes {
            #expect(TypeCatalogue.categoryType(identifier: type.identifier) === type)
            #expect(TypeCatalogue.categoryType(named: type.swiftName) === type)
        }
    }

    @Test func `an unknown name finds nothing`() {
        #expect(TypeCatalogue.quantityType(named: "heartrate") == nil)
        #expect(TypeCatalogue.quantityType(named: "sleepAnalysis") == nil)
        #expect(TypeCatalogue.categoryType(named: "heartRate") == nil)
        #expect(TypeCatalogue.objectType(named: "") == nil)
        #expect(TypeCatalogue.objectType(identifier: "heartRate") == nil)
    }

    @Test func `a deprecated name finds its successor`() {
        let type = TypeCatalogue.categoryType(named: "environmentalAudioExposureEvent")
        #expect(type?.identifier == "HKCategoryTypeIdentifierAudioExposureEvent")
        #expect(TypeCatalogue.categoryType(named: "audioExposureEvent") === type)
        #expect(TypeCatalogue.objectType(named: "audioExposureEvent") === type)
    }

    @Test(arguments: [
        ("HKQuantityTypeIdentifierHeartRate", "heartRate"), ("HKQuantityTypeIdentifierUVExposure", "uvExposure"),
        ("HKQuantityTypeIdentifierVO2Max", "vo2Max"),
        ("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "heartRateVariabilitySDNN"),
    ])
    func `the Swift name of an identifier begins with a lower-case letter`(identifier: String, name: String) {
        #expect(TypeCatalogue.swiftName(ofIdentifier: identifier, after: "HKQuantityTypeIdentifier") == name)
    }

    @Test(arguments: [
        ("heartRate", "count/s", "count/min", HKQuantityAggregationStyle.discreteTemporallyWeighted),
        ("respiratoryRate", "count/s", "count/min", .discreteArithmetic),
        ("restingHeartRate", "count/min", "count/min", .discreteTemporallyWeighted),
        ("cyclingCadence", "count/min", "count/min", .discreteTemporallyWeighted),
        ("stepCount", "count", "count", .cumulative),
        ("distanceWalkingRunning", "m", "m", .cumulative),
        ("activeEnergyBurned", "kcal", "kcal", .cumulative),
        ("runningPower", "W", "W", .discreteArithmetic),
        ("environmentalAudioExposure", "dBASPL", "dBASPL", .discreteEquivalentContinuousLevel),
    ])
    func `a quantity type knows its units and its style`(
        name: String, canonical: String, recording: String, style: HKQuantityAggregationStyle
    ) throws {
        let type = try #require(TypeCatalogue.quantityType(named: name))
        #expect(type.canonicalUnit == HKUnit(from: canonical))
        #expect(type.recordingUnit == HKUnit(from: recording))
        #expect(type.aggregationStyle == style)
    }

    @Test(arguments: [
        "appleExerciseTime", "appleMoveTime", "appleStandHour", "nikeFuel", "walkingHeartRateAverage",
        "appleSleepingWristTemperature", "bloodPressure", "electrocardiogram", "dateOfBirth", "allergyRecord",
    ])
    func `an app may not request to write types that only the system or the user writes`(name: String) throws {
        #expect(try !#require(TypeCatalogue.objectType(named: name)).isShareableByApps)
    }

    @Test(arguments: ["heartRate", "workout", "workoutRoute", "heartbeatSeries", "mindfulSession", "sleepAnalysis"])
    func `an app may request to write what it measures`(name: String) throws {
        #expect(try #require(TypeCatalogue.objectType(named: name)).isShareableByApps)
    }
}

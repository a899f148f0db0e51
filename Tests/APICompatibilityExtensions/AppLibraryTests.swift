import Foundation
import HealthKit
import Testing

@Suite struct AppLibraryTests {
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    // MARK: Types

    @Test func `every identifier that apps use has its type`() throws {
        #expect(ReadableTypes.quantityTypes().count == HKQuantityTypeIdentifier.allCases.count)
        #expect(ReadableTypes.categoryTypes().count == HKCategoryTypeIdentifier.allCases.count)
        for type in ReadableTypes.quantityTypes() + ReadableTypes.categoryTypes() {
            #expect(ReadableTypes.sampleType(named: type.identifier) === type)
        }
        #expect(ReadableTypes.sampleType(named: "HKQuantityTypeIdentifierNone") == nil)
        #expect(ReadableTypes.sampleType(named: HKWorkoutRouteTypeIdentifier) is HKSeriesType)
        #expect(HKCorrelationTypeIdentifier.bloodPressure.sampleTypes.count == 2)
        #expect("\(HKQuantityTypeIdentifier.heartRate)" == "HeartRate")
        #expect(Set(ReadableTypes.toRead().map(ReadableTypes.kind)).contains("unknown") == false)
        #expect(ReadableTypes.toShare().contains(HKObjectType.workoutType()))
    }

    @Test func `the statistics of a type follow its aggregation style`() {
        #expect(HKQuantityType(.stepCount).statisticsOptions.contains(.cumulativeSum))
        #expect(HKQuantityType(.heartRate).statisticsOptions.contains(.discreteAverage))
        #expect(HKQuantityType(.bodyMass).isDiscrete)
    }

    @Test func `a type matches the optional result of a lookup in a switch`() {
        #expect(HKWorkoutActivityType.cycling.distanceType == HKQuantityType(.distanceCycling))
        #expect(HKWorkoutActivityType.yoga.distanceType == nil)
        #expect(HKWorkoutActivityType.running.description == "running")
        #expect(HKWorkoutSessionState.paused.description == "Paused")
    }

    // MARK: Units

    @Test(arguments: UnitLibrary.simple + UnitLibrary.prefixed)
    func `a unit can be recreated from the string that an app stored`(unit: HKUnit) {
        #expect(UnitLibrary.unit(stored: unit.unitString) == unit)
        #expect(HKQuantity(unit: unit, doubleValue: 12).doubleValue(for: unit) == 12)
    }

    @Test(arguments: UnitLibrary.strings)
    func `unit strings of apps are parsed`(string: String) {
        let unit = HKUnit(from: string)
        #expect(HKUnit(from: unit.unitString) == unit)
    }

    @Test func `quantities compare, convert and print`() {
        let glucose = HKQuantity(unit: .milligramsPerDeciliter, doubleValue: 90)
        #expect(abs(glucose.doubleValue(for: .millimolesPerLiter) - 4.9957) < 0.001)
        #expect(HKUnit(from: "count/min") == .beatsPerMinute)
        #expect(HKUnit.bpm() == HKUnit.beatsPerMinute)
        #expect(HKUnit(from: "mL/kg*min") == HKUnit(from: "ml/kg*min"))
        #expect(HKQuantity(unit: .mile(), doubleValue: 1) > HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 1.5))
        #expect([3.0, 1, 2].map { HKQuantity(unit: .meter(), doubleValue: $0) }.max()?.doubleValue(for: .meter()) == 3)
        #expect(HKUnit.milligramsPerDeciliter.shortLocalizedUnitString == "mg/dL")
        #expect(HKUnit.internationalUnit().shortLocalizedUnitString == "U")
        #expect(UnitLibrary.massUnit() == .gramUnit(with: .kilo))
        #expect(HKQuantity(unit: .percent(), doubleValue: 0.97).doubleValue(for: .percent()) == 0.97)
        #expect(UnitLibrary.text(of: HKQuantity(unit: .meter(), doubleValue: 1500), in: .gram()) == "–")
        #expect(UnitLibrary.text(of: HKQuantity(unit: .meter(), doubleValue: 1500), in: HKUnit(from: "km")) == "1.5 km")
        #expect(UnitLibrary.dictionary(of: glucose, unit: .milligramsPerDeciliter)["unit"] as? String == "mg/dL")
        let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 1) + HKQuantity(unit: .joule(), doubleValue: 4184)
        #expect(energy.doubleValue(for: .kilocalorie(), withRounding: true) == 2)
    }

    // MARK: Samples

    @Test func `samples keep the values they were created with`() throws {
        let weight = SampleFactory.weight(70, at: start)
        #expect(weight.isUserEntered)
        #expect(weight.wasEnteredByHand)
        #expect(weight.syncVersion == 1)
        #expect(weight.syncIdentifier == "weight")
        #expect(weight.createdByCurrentApp)
        #expect(weight.count == 1)
        let insulin = SampleFactory.insulin(2, at: start, provenance: "pump")
        #expect(insulin.provenance == "pump")
        #expect(insulin.metadata?[HKMetadataKeyInsulinDeliveryReason] as? Int == HKInsulinDeliveryReason.basal.rawValue)
        let pressure = try #require(SampleFactory.bloodPressure(120, 80, at: start))
        #expect(SampleExport.systolic(of: pressure) == 120)
        #expect(SampleFactory.meal(30, at: start).metadata?[HKMetadataKeyFoodType] as? String == "bread")
        #expect(SampleFactory.steps(100, from: start, to: start + 60).device == .local())
        #expect(SampleFactory.night(from: start).map(\.words) == ["Core", "Awake", "na"])
    }

    @Test func `an export contains every property of each kind of sample`() throws {
        let heartRates = SampleFactory.heartRates([70, 71, 72], from: start)
        let record = SampleExport.record(try #require(heartRates.first))
        #expect(record["quantity"] as? String == "70 count/min")
        #expect(record["average"] as? String == "70 count/min")
        #expect(SampleExport.record(SampleFactory.steps(9, from: start, to: start + 1))["sum"] as? String == "9 count")
        #expect(SampleExport.sorted(heartRates).first?.startDate == start + 2)
        #expect(SampleExport.newest(heartRates)?.startDate == start + 2)
        #expect(SampleExport.byApp(heartRates)[.default()]?.count == 3)
        #expect(heartRates[0].interval.duration == 0)
        #expect(JSONSerialization.isValidJSONObject(record))
        let device = try JSONEncoder().encode(SampleFactory.device())
        #expect(String(data: device, encoding: .utf8)?.contains("\"Strap\"") == true)
    }

    @Test func `workouts created as a whole have the given totals`() throws {
        let workouts = SampleFactory.workouts(start: start, end: start + 600)
        #expect(workouts.map(\.duration) == [600, 500, 570, 600, 570, 600])
        #expect(workouts[1].totalDistance?.doubleValue(for: .meter()) == 3000)
        #expect(workouts[4].totalSwimmingStrokeCount?.doubleValue(for: .count()) == 400)
        #expect(workouts[5].totalFlightsClimbed?.doubleValue(for: .count()) == 12)
        #expect(MetadataReport.weather(workouts[1]).climb == 80)
        #expect(SampleExport.record(workouts[2])["events"] as? [Int] == [1, 2])
    }

    @Test func `objects survive archiving`() throws {
        let weight = SampleFactory.weight(70, at: start)
        #expect(try SampleExport.archived(weight)?.quantity == weight.quantity)
        #expect(try SampleExport.archived(HKUnit.beatsPerMinute) == .beatsPerMinute)
        #expect(try SampleExport.archived(HKQuantityType(.heartRate)) == HKQuantityType(.heartRate))
        #expect(try SampleExport.archived(SampleFactory.device()) == SampleFactory.device())
        let workout = SampleFactory.workouts(start: start, end: start + 600)[2]
        #expect(try SampleExport.archived(workout)?.workoutEvents?.count == 2)
    }

    // MARK: Metadata

    @Test func `the metadata keys are distinct and accept what apps store`() {
        #expect(Set(MetadataReport.keys).count == MetadataReport.keys.count)
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: .bpm(), doubleValue: 60), start: start,
            end: start,
            metadata: MetadataReport.everyKindOfValue(at: start))
        #expect(MetadataReport.motion(sample) == .sedentary)
        let text = MetadataReport.text(sample.metadata)
        #expect(text.count == MetadataReport.everyKindOfValue(at: start).count)
        #expect(text[HKMetadataKeyLapLength] == "25 m")
        #expect(text[HKMetadataKeyWasUserEntered] == "1")
        #expect(text[HKMetadataKeyWorkoutBrandName] == "Morning")
        #expect(text[HKMetadataKeyHeartRateSensorLocation] == "1")
        let lap = HKWorkoutEvent(
            type: .lap, dateInterval: DateInterval(start: start, duration: 30),
            metadata: [HKMetadataKeySwimmingStrokeStyle: HKSwimmingStrokeStyle.freestyle.rawValue as NSNumber])
        #expect(MetadataReport.strokeStyle(lap) == "freestyle")
    }

    // MARK: Characteristics, clinical, errors

    @Test func `characteristics the user never entered are not set`() throws {
        #expect(Wearer().name == "na")
        #expect(
            Wearer.words(
                sex: .init(), blood: HKBloodTypeObject(), skin: nil, chair: HKWheelchairUseObject(), mode: nil)
                == ["na", "na", "false"])
        #expect(try JSONEncoder().encode([HKBloodType.oNegative]) == Data("[8]".utf8))
        #expect(walkingSteadiness(2) == "Low")
        #expect(walkingSteadiness(9) == nil)
    }

    @Test func `moods and hearing tests read back as they were created`() throws {
        #expect(ClinicalNotes.words(of: ClinicalNotes.mood(0.9, at: start)) == "emotion pleasant 0.9 3 3")
        #expect(ClinicalNotes.labels.map(\.rawValue) == Array(1...38))
        #expect(ClinicalNotes.associations.map(\.rawValue) == Array(1...18))
        #expect(ClinicalNotes.loss(try ClinicalNotes.hearing(at: start)) == [15, 15, 15])
        #expect(ClinicalNotes.recordTypes.count == 9)
        #expect(HKFHIRVersion.primaryR4().stringRepresentation == "4.0.1")
    }

    @Test func `errors can be matched in every way that apps use`() {
        #expect(ErrorMessages.text(for: ErrorMessages.unavailable()) == "not available")
        #expect(ErrorMessages.isLocked(HKError(.errorDatabaseInaccessible)))
        #expect(!ErrorMessages.isLocked(nil))
        #expect(!ErrorMessages.isLocked(HKError(.errorNoData)))
        #expect(ErrorMessages.bridged(HKError(.errorAuthorizationDenied)))
        #expect(ErrorMessages.attempt { throw HKError(.errorAuthorizationNotDetermined) } == "rights")
        #expect(ErrorMessages.attempt { throw HKError(.errorNoData) } == "empty")
        #expect(ErrorMessages.attempt { throw HKError(.errorInvalidArgument) } == "code 3")
        #expect(ErrorMessages.attempt { throw CancellationError() } == "else")
        #expect(ErrorMessages.unavailableCode() == .errorHealthDataUnavailable)
    }

    // MARK: Architecture

    @Test func `samples pass through actors, streams and key paths`() async throws {
        let cache = SampleCache()
        let samples = SampleFactory.heartRates([70, 71, 72], from: start)
        for await sample in cache.stream(samples.reversed()) { await cache.insert([sample]) }
        #expect(await cache.all(by: \.startDate) == samples)
        let workout = SampleFactory.workouts(start: start, end: start + 600)[1]
        #expect(workout.length == 600)
        #expect(Columns.ofWorkouts().map { $0.text(workout) } == ["8", "37", "app", "–"])
        let model = await SummaryModel()
        await model.show(workout)
        #expect(await model.rows.count == 2)
        #expect([HKStatisticsOptions.cumulativeSum: 1][.cumulativeSum] == 1)
        let meters = HKQuantity(unit: .meter(), doubleValue: 3)
        #expect(Series.old(HKQuantityType(.distanceCycling), meters, at: start).allSatisfy { $0.quantity == meters })
        #expect(ClinicalNotes.words(of: Series.vision(at: start)).hasPrefix("glasses"))
        #expect(Series.shared(ReadableTypes.toRead()).contains(HKQuantityType(.stepCount)))
        #expect(Series.limits(HKQuantityType(.stepCount)) == (false, false, false))
    }

    @Test func `a number in metadata reads as any number type that can represent it`() {
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .gram(), doubleValue: 1), start: start,
            end: start,
            metadata: ["whole": 3, "fraction": 2.5, "yes": true, "float": Float(1.5), "number": NSNumber(value: 7)])
        #expect(sample.metadata?["whole"] as? Int == 3)
        #expect(sample.metadata?["whole"] as? Double == 3)
        #expect(sample.metadata?["whole"] as? NSNumber == 3)
        #expect(sample.metadata?["fraction"] as? Double == 2.5)
        #expect((sample.metadata?["fraction"] as? NSNumber)?.doubleValue == 2.5)
        #expect(sample.metadata?["yes"] as? Bool == true)
        #expect(sample.metadata?["yes"] as? Int == 1)
        #expect(sample.metadata?["float"] as? Double == 1.5)
        #expect(sample.metadata?["number"] as? Int == 7)
    }

    @Test func `Apple modules the app does not depend on are invisible, even if they are built`() {
        #if canImport(os) || canImport(OSLog) || canImport(SwiftUI) || canImport(WatchConnectivity) || canImport(WatchKit)
        Issue.record("A module is seen that this target does not depend on.")
        #endif
    }

    @Test func `the page of a day shows its rings`() throws {
        #expect(HKActivitySummary.example().fractions == [0.5, 0.5, 0.5])
        #expect(HKActivitySummary().moveMinutes == 0)
        #expect(DaySummary.mass(70, prefix: .kilo) == DaySummary.mass(70_000, prefix: .none))
        #expect(DaySummary.revision(of: .default()).dictionary["system"] as? String == "10.2.0")
        #expect(DaySummary.formatterUnit(of: .pound()) == .pound)
        #expect(DaySummary.decode(state: 2, event: 3) == (.running, .lap))
        #expect(DaySummary.characteristic("HKCharacteristicTypeIdentifierBloodType") != nil)
        #expect(DaySummary.characteristic("none") == nil)
        #expect(DaySummary.isElevated(1))
        #expect(DaySummary.readOnly.count == 2)
        #expect(HKVisionPrescriptionType.contacts.description == "contacts")
        let workouts = SampleFactory.workouts(start: start, end: start + 600)
        #expect(Set(workouts.map(\.id)).count == workouts.count)
        #expect(try JSONEncoder().encode([HKWorkoutActivityType.running]) == Data("[37]".utf8))
    }
}

import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Reads exports for tests.
struct HealthExportContent {
    var records: [HealthRecord] = []
    var workouts: [HealthWorkout] = []
    var correlations: [HealthCorrelation] = []
    var activitySummaries: [HealthActivitySummary] = []
    var clinicalRecords: [HealthClinicalRecord] = []
    var characteristics: HealthCharacteristics?
    var summary = HealthExportSummary()
    /// In the order of the file.
    var elements: [HealthExportElement] = []

    mutating func take(_ element: HealthExportElement) {
        elements.append(element)
        switch element {
        case .record(let record): records.append(record)
        case .workout(let workout): workouts.append(workout)
        case .correlation(let correlation): correlations.append(correlation)
        case .activitySummary(let summary): activitySummaries.append(summary)
        case .clinicalRecord(let record): clinicalRecords.append(record)
        case .characteristics(let me): characteristics = me
        }
    }

    init(_ url: URL) throws {
        var content = self
        summary = try HealthExport.read(url) { content.take($0) }
        content.summary = summary
        self = content
    }

    /// XML in pieces and with tags of the given sizes.
    init(xml: [UInt8], pieceSize: Int = .max, capacity: Int = 1 << 16) throws {
        var reader = HealthExportReader(MemoryStream(xml, pieceSize: pieceSize), capacity: capacity)
        while let element = try reader.next() { take(element) }
        summary = reader.summary
    }

    /// The content of the root element.
    init(_ body: String) throws {
        try self.init(xml: Array("<HealthData locale=\"en_US\">\n\(body)\n</HealthData>\n".utf8))
    }
}

/// A small export with one of everything.
enum SmallExport {
    static let record = """
        <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" sourceVersion="10.2" \
        device="&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch&gt;" unit="count/min" \
        creationDate="2024-01-01 01:01:42 +0200" startDate="2024-01-01 01:01:36 +0200" \
        endDate="2024-01-01 01:01:36 +0200" value="74">
          <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
        </Record>
        """

    static let step = """
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
        startDate="2024-01-01 01:00:00 +0200" endDate="2024-01-01 01:05:00 +0200" value="412"/>
        """

    static let workout = """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="Watch" \
        startDate="2024-01-01 10:00:00 +0200" endDate="2024-01-01 10:31:00 +0200">
         <MetadataEntry key="HKIndoorWorkout" value="0"/>
         <WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-01-01 10:00:00 +0200" duration="5.5" durationUnit="min">
          <MetadataEntry key="HKSWOLFScore" value="60"/>
         </WorkoutEvent>
         <WorkoutActivity uuid="01234567-89AB-4CDE-8F01-23456789ABCD" startDate="2024-01-01 10:00:00 +0200" \
        endDate="2024-01-01 10:31:00 +0200" duration="30" durationUnit="min">
          <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-01-01 10:10:00 +0200"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="2024-01-01 10:00:00 +0200" \
        endDate="2024-01-01 10:31:00 +0200" average="150.5" minimum="90" maximum="181" unit="count/min"/>
          <MetadataEntry key="HKAverageMETs" value="9 kcal/hr·kg"/>
         </WorkoutActivity>
         <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="2024-01-01 10:00:00 +0200" \
        endDate="2024-01-01 10:31:00 +0200" sum="5.25" unit="km"/>
         <WorkoutRoute sourceName="Phone" startDate="2024-01-01 10:00:00 +0200" endDate="2024-01-01 10:31:00 +0200">
          <MetadataEntry key="HKMetadataKeySyncVersion" value="2"/>
          <FileReference path="/workout-routes/route_1.gpx"/>
          <Location date="2024-01-01 10:00:01 +0200" latitude="37.5" longitude="-122.25" altitude="21.5" \
        horizontalAccuracy="2.5" verticalAccuracy="-1" course="-1" speed="2.5"/>
         </WorkoutRoute>
         <MetadataEntry key="HKIndoorWorkout" value="0"/>
        </Workout>
        """

    static let correlation = """
        <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \
        startDate="2024-01-01 08:00:00 +0200" endDate="2024-01-01 08:00:00 +0200">
         <MetadataEntry key="HKWasUserEntered" value="1"/>
         \(pressure)
        </Correlation>
        """

    static let pressure = """
        <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" \
        startDate="2024-01-01 08:00:00 +0200" endDate="2024-01-01 08:00:00 +0200" value="121"/>
        """

    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record)*)>
        <!ATTLIST HealthData
          locale CDATA #REQUIRED
        >
        <!-- Note: isn't it [odd]? -->
        ]>
        <HealthData locale="en_US">
         <ExportDate value="2024-06-01 08:10:05 +0200"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1985-02-28" \
        HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
        \(step)
        \(record)
        \(pressure)
        \(correlation)
        \(workout)
         <ActivitySummary dateComponents="2024-01-01" activeEnergyBurned="590.5" activeEnergyBurnedGoal="630" \
        activeEnergyBurnedUnit="kcal" appleExerciseTime="68" appleExerciseTimeGoal="30" appleStandHours="13" \
        appleStandHoursGoal="12"/>
         <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="Ears"><MetadataEntry key="a" value="b"/></Audiogram>
        </HealthData>

        """
}

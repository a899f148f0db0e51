// App code: makes, describes and takes apart samples, as importers and exporters do.

import HealthKit

enum SampleFactory {
    static func device() -> HKDevice {
        HKDevice(
            name: "Strap", manufacturer: "Maker", model: "S1", hardwareVersion: "1", firmwareVersion: "2",
            softwareVersion: "3", localIdentifier: "AA", udiDeviceIdentifier: nil)
    }

    static func heartRates(_ values: [Double], from start: Date) -> [HKQuantitySample] {
        guard let type = HKQuantityType.quantityType(forIdentifier: .heartRate) else { return [] }
        return values.enumerated().map { index, value in
            let date = start.addingTimeInterval(Double(index))
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: value), start: date,
                end: date)
        }
    }

    static func weight(_ kilograms: Double, at date: Date) -> HKQuantitySample {
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: .init(unit: .gramUnit(with: .kilo), doubleValue: kilograms), start: date, end: date,
            metadata: [
                HKMetadataKeyWasUserEntered: true, HKMetadataKeyTimeZone: TimeZone.current.identifier,
                HKMetadataKeySyncIdentifier: "weight", HKMetadataKeySyncVersion: 1,
            ])
        return sample
    }

    static func steps(_ count: Int, from start: Date, to end: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType.quantityType(forIdentifier: .stepCount)!,
            quantity: HKQuantity(unit: HKUnit.count(), doubleValue: Double(count)), start: start, end: end,
            device: HKDevice.local(), metadata: nil)
    }

    static func insulin(_ units: Double, at date: Date, provenance: String) -> HKQuantitySample {
        let metadata: [String: Any] = [
            HKMetadataKeyInsulinDeliveryReason: HKInsulinDeliveryReason.basal.rawValue,
            HKMetadataKeyExternalUUID: UUID().uuidString, "provenance": provenance,
            HKMetadataKeySyncVersion: NSNumber(value: 2), HKMetadataKeySyncIdentifier: provenance,
        ]
        return HKQuantitySample(
            type: HKQuantityType(.insulinDelivery),
            quantity: HKQuantity(unit: .internationalUnit(), doubleValue: units), start: date, end: date + 60,
            device: .local(), metadata: metadata)
    }

    static func night(from start: Date) -> [HKCategorySample] {
        let type = HKCategoryType(.sleepAnalysis)
        return [
            HKCategorySample(
                type: type, value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: start,
                end: start.addingTimeInterval(600)),
            HKCategorySample(
                type: type, value: HKCategoryValueSleepAnalysis.awake.rawValue, start: start + 600, end: start + 700,
                metadata: [HKMetadataKeyTimeZone: "UTC"]),
            HKCategorySample(
                type: HKObjectType.categoryType(forIdentifier: .mindfulSession)!,
                value: HKCategoryValue.notApplicable.rawValue, start: start + 700, end: start + 800,
                device: HKDevice.local(), metadata: nil),
        ]
    }

    static func bloodPressure(_ systolic: Double, _ diastolic: Double, at date: Date) -> HKCorrelation? {
        guard let type = HKCorrelationType.correlationType(forIdentifier: .bloodPressure) else { return nil }
        let unit = HKUnit.millimeterOfMercury()
        let parts: Set<HKSample> = [
            HKQuantitySample(
                type: HKQuantityType(.bloodPressureSystolic), quantity: HKQuantity(unit: unit, doubleValue: systolic),
                start: date, end: date),
            HKQuantitySample(
                type: HKQuantityType(.bloodPressureDiastolic), quantity: HKQuantity(unit: unit, doubleValue: diastolic),
                start: date, end: date),
        ]
        return HKCorrelation(type: type, start: date, end: date, objects: parts)
    }

    static func meal(_ carbohydrates: Double, at date: Date) -> HKCorrelation {
        let carbs = HKQuantitySample(
            type: HKQuantityType(.dietaryCarbohydrates),
            quantity: HKQuantity(unit: .gram(), doubleValue: carbohydrates), start: date, end: date)
        let metadata = [HKMetadataKeyFoodType: "bread"]
        let food = HKCorrelationType(.food)
        _ = HKCorrelation(type: food, start: date, end: date, objects: [carbs], device: .local(), metadata: metadata)
        return HKCorrelation(type: food, start: date, end: date, objects: [carbs], metadata: metadata)
    }

    static func workouts(start: Date, end: Date) -> [HKWorkout] {
        let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 250)
        let distance = HKQuantity(unit: .meter(), doubleValue: 3000)
        let events = [
            HKWorkoutEvent(type: .pause, dateInterval: DateInterval(start: start + 60, duration: 0), metadata: nil),
            HKWorkoutEvent(type: .resume, dateInterval: DateInterval(start: start + 90, duration: 0), metadata: [:]),
        ]
        let metadata: [String: Any] = [
            HKMetadataKeyIndoorWorkout: false,
            HKMetadataKeyElevationAscended: HKQuantity(unit: .meter(), doubleValue: 80),
            HKMetadataKeyAverageMETs: HKQuantity(unit: HKUnit(from: "kcal/hr*kg"), doubleValue: 9),
        ]
        return [
            HKWorkout(activityType: .running, start: start, end: end),
            HKWorkout(
                activityType: .running, start: start, end: end, duration: 500, totalEnergyBurned: energy,
                totalDistance: distance, metadata: metadata),
            HKWorkout(
                activityType: .cycling, start: start, end: end, workoutEvents: events, totalEnergyBurned: energy,
                totalDistance: distance, metadata: nil),
            HKWorkout(
                activityType: .walking, start: start, end: end, workoutEvents: nil, totalEnergyBurned: energy,
                totalDistance: distance, device: .local(), metadata: nil),
            HKWorkout(
                activityType: .swimming, start: start, end: end, workoutEvents: events, totalEnergyBurned: nil,
                totalDistance: distance, totalSwimmingStrokeCount: HKQuantity(unit: .count(), doubleValue: 400),
                device: device(), metadata: nil),
            HKWorkout(
                activityType: .stairClimbing, start: start, end: end, workoutEvents: [], totalEnergyBurned: energy,
                totalDistance: nil, totalFlightsClimbed: HKQuantity(unit: .count(), doubleValue: 12), device: nil,
                metadata: ["floors": 12 as NSNumber]),
        ]
    }
}

extension HKSample {
    var interval: DateInterval { DateInterval(start: startDate, end: endDate) }

    var isUserEntered: Bool {
        (metadata?[HKMetadataKeyWasUserEntered] as? NSNumber)?.boolValue ?? false
    }

    var wasEnteredByHand: Bool { metadata?[HKMetadataKeyWasUserEntered] as? Bool ?? false }

    var createdByCurrentApp: Bool { sourceRevision.source == HKSource.default() }
}

extension HKObject {
    var provenance: String {
        metadata?["provenance"] as? String ?? sourceRevision.source.bundleIdentifier
    }

    var syncIdentifier: String? { metadata?[HKMetadataKeySyncIdentifier] as? String }
    var syncVersion: Int? { metadata?[HKMetadataKeySyncVersion] as? Int }
}

extension HKSourceRevision {
    var dictionary: [String: Any] {
        var system: String {
            let version = operatingSystemVersion
            return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        }
        return [
            "name": source.name, "bundleIdentifier": source.bundleIdentifier, "version": version as Any,
            "productType": productType ?? "unknown", "system": system,
        ]
    }
}

extension HKDevice: @retroactive Encodable {
    enum CodingKeys: String, CodingKey {
        case name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion, localIdentifier
        case udiDeviceIdentifier
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(manufacturer, forKey: .manufacturer)
        try container.encodeIfPresent(model, forKey: .model)
        try container.encodeIfPresent(hardwareVersion, forKey: .hardwareVersion)
        try container.encodeIfPresent(firmwareVersion, forKey: .firmwareVersion)
        try container.encodeIfPresent(softwareVersion, forKey: .softwareVersion)
        try container.encodeIfPresent(localIdentifier, forKey: .localIdentifier)
        try container.encodeIfPresent(udiDeviceIdentifier, forKey: .udiDeviceIdentifier)
    }
}

enum SampleExport {
    static func record(_ sample: HKSample) -> [String: Any] {
        var record: [String: Any] = [
            "uuid": sample.uuid.uuidString, "type": sample.sampleType.identifier,
            "start": sample.startDate.timeIntervalSince1970, "end": sample.endDate.timeIntervalSince1970,
            "source": sample.sourceRevision.dictionary, "device": sample.device?.name ?? "",
        ]
        switch sample {
        case let sample as HKQuantitySample where sample.quantity.is(compatibleWith: .count()):
            record["count"] = sample.count
        case let sample as HKQuantitySample:
            record["quantity"] = sample.quantity.description
            record["quantityType"] = sample.quantityType.identifier
        case let sample as HKCategorySample:
            record["value"] = sample.value
            record["categoryType"] = sample.categoryType.identifier
        case let correlation as HKCorrelation:
            record["correlationType"] = correlation.correlationType.identifier
            record["objects"] = correlation.objects.map { $0.uuid.uuidString }
        case let workout as HKWorkout:
            record["activity"] = workout.workoutActivityType.rawValue
            record["duration"] = workout.duration
            record["energy"] = workout.totalEnergyBurned?.doubleValue(for: .kilocalorie())
            record["distance"] = workout.totalDistance?.doubleValue(for: .meter())
            record["strokes"] = workout.totalSwimmingStrokeCount?.doubleValue(for: .count())
            record["flights"] = workout.totalFlightsClimbed?.doubleValue(for: .count())
            record["events"] = workout.workoutEvents?.map(\.type.rawValue)
            record["parts"] = workout.workoutActivities.count
            if let statistics = workout.statistics(for: HKQuantityType(.heartRate)) {
                record["heartRate"] = statistics.averageQuantity()?.doubleValue(for: .bpm())
            }
        default:
            break
        }
        if let cumulative = sample as? HKCumulativeQuantitySample { record["sum"] = cumulative.sumQuantity.description }
        if let discrete = sample as? HKDiscreteQuantitySample {
            record["average"] = discrete.averageQuantity.description
            record["maximum"] = discrete.maximumQuantity.description
            record["minimum"] = discrete.minimumQuantity.description
            record["mostRecent"] = discrete.mostRecentQuantity.description
            record["mostRecentDate"] = discrete.mostRecentQuantityDateInterval.end.timeIntervalSince1970
        }
        return record
    }

    static func systolic(of correlation: HKCorrelation) -> Double? {
        let type = HKQuantityType(.bloodPressureSystolic)
        let sample = correlation.objects(for: type).first as? HKQuantitySample
        return sample?.quantity.doubleValue(for: .millimeterOfMercury())
    }

    static func sorted(_ samples: [HKQuantitySample]) -> [HKQuantitySample] {
        samples.sorted(using: [SortDescriptor(\.startDate, order: .reverse), SortDescriptor(\.endDate)])
    }

    static func newest(_ samples: [HKSample]) -> HKSample? {
        samples.max(by: { $0.startDate < $1.startDate })
    }

    static func byApp(_ samples: [HKSample]) -> [HKSource: [HKSample]] {
        Dictionary(grouping: samples, by: \.sourceRevision.source)
    }

    static func archived<T: NSObject & NSSecureCoding>(_ object: T) throws -> T? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data)
    }
}

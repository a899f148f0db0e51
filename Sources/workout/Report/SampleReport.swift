import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// Samples, one per line.
struct SampleReport {
    var samples: [HKSample]

    /// - Parameter continues: Whether the titles were printed before.
    func lines(_ page: Page, continues: Bool = false) -> [String] {
        let zone = page.zoneName(ofAll: samples.lazy.map { ($0.startDate, nil) })
        let showsZone = zone == nil && !continues
        var table = ColumnTable(columns: [
            .init(title: zone.map { localized("start %1", $0) } ?? "start", minimumWidth: 19),
            .init(title: "value", isNumber: true, minimumWidth: 12),
            .init(title: "length", isNumber: true, minimumWidth: 8), .init(title: "source", minimumWidth: 12),
            .init(title: "device"),
        ])
        table.rows = samples.map { sample in
            .values([
                page.second(sample.startDate, showsZone: showsZone), Self.value(sample), Self.length(sample),
                sample.sourceRevision.source.name, sample.device?.bestName ?? "",
            ])
        }
        return table.lines(page, showsTitles: !continues)
    }

    /// One object per sample.
    var jsonLines: [String] { samples.map { Self.json($0).text } }

    // MARK: A sample

    private static func length(_ sample: HKSample) -> String {
        if sample.hasUndeterminedDuration { return localized("open") }
        let seconds = sample.endDate.timeIntervalSince(sample.startDate)
        return seconds == 0 ? "" : seconds < 1 ? "\(MetricFormat.short(seconds)) s" : MetricFormat.time(seconds)
    }

    private static func value(_ sample: HKSample) -> String {
        switch sample {
        case let sample as HKQuantitySample: QuantityText.of(sample.quantity, sample.quantityType)
        // If a type has only one value, its presence is the information.
        case let sample as HKCategorySample where sample.categoryType.allowedValues.count == 1: ""
        case let sample as HKCategorySample: sample.categoryType.caseName(of: sample.value) ?? "\(sample.value)"
        case let sample as HKWorkout: ActivityTitle.of(sample.workoutActivityType.caseName)
        case let sample as HKHeartbeatSeriesSample: Page.counted(sample.count, "beat")
        case let sample as HKSeriesSample: Page.counted(sample.count, "position")
        case let sample as HKCorrelation:
            sample.objects.compactMap { $0 as? HKQuantitySample }.sorted { order(of: $0) < order(of: $1) }
                .map { QuantityText.of($0.quantity, $0.quantityType) }.joined(separator: " / ")
        default: ""
        }
    }

    /// Sorts by name, except that the systolic blood pressure comes first, as people state it.
    private static func order(of sample: HKQuantitySample) -> String {
        sample.quantityType == HKQuantityType(.bloodPressureSystolic) ? "" : sample.quantityType.swiftName
    }

    static func json(_ sample: HKSample) -> JSONText {
        var members: [(String, JSONText?)] = [
            ("id", .string(sample.uuid.uuidString)), ("type", .string(sample.sampleType.identifier)),
            ("start", .date(sample.startDate)),
            ("end", sample.hasUndeterminedDuration ? nil : .date(sample.endDate)),
        ]
        switch sample {
        case let sample as HKQuantitySample:
            let unit = sample.quantityType.recordingUnit
            members += [
                ("value", .optional(sample.quantity.doubleValue(for: unit))), ("unit", .string(unit.unitString)),
                ("count", sample.count > 1 ? .integer(sample.count) : nil),
            ]
        case let sample as HKCategorySample:
            members += [
                ("value", .integer(sample.value)),
                ("name", sample.categoryType.caseName(of: sample.value).map(JSONText.string)),
            ]
        case let sample as HKWorkout: members.append(("activity", .string(sample.workoutActivityType.caseName)))
        case let sample as HKSeriesSample: members.append(("count", .integer(sample.count)))
        case let sample as HKCorrelation:
            members.append(
                (
                    "objects",
                    .array(sample.objects.sorted { $0.sampleType.identifier < $1.sampleType.identifier }.map(json))
                ))
        default: break
        }
        members += [
            ("source", json(sample.sourceRevision)), ("device", sample.device.flatMap(json)),
            ("metadata", json(sample.metadata)),
        ]
        return .object(members)
    }

    static func json(_ revision: HKSourceRevision) -> JSONText {
        .object([
            ("name", .string(revision.source.name)), ("bundleIdentifier", .string(revision.source.bundleIdentifier)),
            ("version", revision.version.map(JSONText.string)),
            ("productType", revision.productType.map(JSONText.string)),
        ])
    }

    private static func json(_ device: HKDevice) -> JSONText? {
        let members: [(String, String?)] = [
            ("name", device.name), ("manufacturer", device.manufacturer), ("model", device.model),
            ("hardwareVersion", device.hardwareVersion), ("firmwareVersion", device.firmwareVersion),
            ("softwareVersion", device.softwareVersion), ("localIdentifier", device.localIdentifier),
        ]
        return .object(members.map { ($0, $1.map(JSONText.string)) })
    }

    private static func json(_ metadata: [String: Any]?) -> JSONText? {
        guard let metadata, !metadata.isEmpty, let values = try? MetadataCoding.neutral(metadata) else { return nil }
        return .object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
    }

    private static func json(_ value: MetadataValue) -> JSONText? {
        switch value {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .bool(let flag): .boolean(flag)
        case .date(let date): .date(date)
        case .quantity(let number, let unit): .object([("value", .optional(number)), ("unit", .string(unit))])
        }
    }
}

/// Formats quantities for people, in the unit that their type is recorded in.
enum QuantityText {
    static func of(_ quantity: HKQuantity, _ type: HKQuantityType) -> String {
        of(quantity.doubleValue(for: type.recordingUnit), type)
    }

    /// - Parameter value: The value in ``HKQuantityType/recordingUnit``.
    static func of(_ value: Double, _ type: HKQuantityType) -> String {
        "\(number(value, type)) \(unit(of: type))"
    }

    /// Returns the value without its unit. Averages of large values have one decimal place, so that a column of them is
    /// even.
    static func number(_ value: Double, _ type: HKQuantityType, isAverage: Bool = false) -> String {
        // HealthKit's percent ranges from 0 to 1.
        let value = type.recordingUnit == .percent() ? value * 100 : value
        if isAverage, abs(value) >= 10 { return MetricFormat.fixed(value, 1) }
        return abs(value) < 0.1 && value != 0 ? String(format: "%.2g", value) : MetricFormat.short(value)
    }

    /// Returns a sum without its unit. Large sums need no hundredths.
    static func sum(_ value: Double, _ type: HKQuantityType) -> String {
        abs(value) >= 100 && type.recordingUnit != .percent()
            ? MetricFormat.fixed(value, abs(value) >= 1_000 ? 0 : 1) : number(value, type)
    }

    static func unit(of type: HKQuantityType) -> String {
        type.swiftName.lowercased().contains("heartrate") && type.recordingUnit.unitString == "count/min"
            ? "bpm" : type.recordingUnit.unitString
    }
}

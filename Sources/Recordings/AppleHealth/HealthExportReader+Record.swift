import Foundation
import XML

extension HealthExportReader {
    mutating func beginRecord() -> Bool {
        guard let type = value(.type), !type.isEmpty else { return skipped(.record, "it has no type") }
        guard let start = date(.startDate), let end = date(.endDate) else {
            return skipped(.record, "its start or end is missing or not readable as a date")
        }
        let kind = kinds.kind(
            type: type, unit: value(.unit), name: value(.sourceName), version: value(.sourceVersion),
            device: value(.device))
        var content = HealthRecordValue.none
        if let bytes = value(.value), !bytes.isEmpty {
            content = XMLNumber.value(of: bytes).map(HealthRecordValue.number) ?? .text(text(bytes))
        }
        record = HealthRecord(
            kind: kind, value: content, startDate: start, endDate: end, creationDate: date(.creationDate),
            byte: scanner.tokenByte)
        return true
    }

    mutating func skipped(_ tag: HealthExportTag, _ reason: String) -> Bool {
        skip(tag, reason)
        return false
    }

    mutating func addMetadata() {
        guard let key = text(.key), let value = text(.value) else {
            return skip(.metadataEntry, "it has no key or no value")
        }
        let entry = HealthMetadata.Entry(key: key, value: value)
        if record != nil {
            recordEntries.append(entry)
        } else if correlation != nil {
            correlationEntries.append(entry)
        } else {
            workout?.add(entry)
        }
    }

    mutating func addBeat() {
        guard let start = record?.startDate, let end = record?.endDate, let rate = number(.bpm) else {
            return skip(.instantaneousBeatsPerMinute, "it has no readable rate")
        }
        let date = value(.time).flatMap { HealthExportDate.beat($0, from: start, to: end) }
        record?.beats.append(HealthBeat(beatsPerMinute: rate, date: date))
    }

    mutating func beginCorrelation() -> Bool {
        guard let type = text(.type), !type.isEmpty else { return skipped(.correlation, "it has no type") }
        guard let start = date(.startDate), let end = date(.endDate) else {
            return skipped(.correlation, "its start or end is missing or not readable as a date")
        }
        correlation = HealthCorrelation(
            type: type, source: source(), startDate: start, endDate: end, creationDate: date(.creationDate),
            byte: scanner.tokenByte)
        return true
    }

    mutating func addActivitySummary() -> Bool {
        guard let day = text(.dateComponents).flatMap(HealthExportDate.day) else {
            return skipped(.activitySummary, "its date is missing or not readable")
        }
        let unit = text(.activeEnergyBurnedUnit) ?? ""
        func energy(_ value: Double?) -> HealthQuantity? { value.map { HealthQuantity(value: $0, unit: unit) } }
        deliver(
            .activitySummary(
                HealthActivitySummary(
                    year: day.year, month: day.month, day: day.day,
                    activeEnergyBurned: energy(number(.activeEnergyBurned)),
                    activeEnergyBurnedGoal: energy(number(.activeEnergyBurnedGoal)),
                    appleMoveTimeInMinutes: number(.appleMoveTime),
                    appleMoveTimeGoalInMinutes: number(.appleMoveTimeGoal),
                    appleExerciseTimeInMinutes: number(.appleExerciseTime),
                    appleExerciseTimeGoalInMinutes: number(.appleExerciseTimeGoal),
                    appleStandHours: number(.appleStandHours), appleStandHoursGoal: number(.appleStandHoursGoal))))
        return true
    }

    mutating func addCharacteristics() {
        var values: [String: String] = [:]
        for place in 0..<scanner.attributeCount {
            values[scanner.attributeName(at: place)] = XMLText.string(scanner.value(at: place))
        }
        deliver(.characteristics(HealthCharacteristics(values: values)))
    }
}

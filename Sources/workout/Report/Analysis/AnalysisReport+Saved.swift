import Analytics
import HealthKit

extension AnalysisReport {
    /// What `--save-figures` did, a line each; none where it was not asked for.
    func savedLines(_ page: Page) -> [(label: String, value: String?, remark: String)] {
        (saved?.rows ?? []).map { row in
            let label = Self.savedLabels[row.type] ?? row.type.swiftName
            switch row.outcome {
            case .failure(let reason): return (label, nil, reason.sentence)
            case .success(let sample):
                var remarks = [row.wasStored ? "already stored" : "saved"]
                if row.type == HKQuantityType(.heartRateVariabilitySDNN) {
                    remarks.append(
                        "of the minute at rest, \(page.clock(sample.startDate)) \(page.zoneName(sample.startDate))")
                }
                return (label, Self.savedValue(sample), remarks.joined(separator: ", "))
            }
        }
    }

    private static let savedLabels = [
        HKQuantityType(.heartRateVariabilitySDNN): "SDNN", HKQuantityType(.heartRateRecoveryOneMinute): "recovery",
        HKQuantityType(.vo2Max): "VO2 max", HKQuantityType(.estimatedWorkoutEffortScore): "effort",
    ]

    private static func savedValue(_ sample: HKQuantitySample) -> String {
        let value = sample.quantity.doubleValue(for: sample.quantityType.recordingUnit)
        switch sample.quantityType {
        case HKQuantityType(.heartRateVariabilitySDNN): return MetricFormat.milliseconds(value)
        case HKQuantityType(.heartRateRecoveryOneMinute): return "-" + MetricFormat.heartRate(value)
        case HKQuantityType(.vo2Max): return MetricFormat.fixed(value, 1) + " mL/kg·min"
        default: return MetricFormat.short(value) + " of 10"
        }
    }

    /// The samples as `workout samples --json` has them, and whether they were stored before.
    var savedJSON: JSONText? {
        saved.map { saved in
            .array(
                saved.rows.compactMap { row in
                    guard case .success(let sample) = row.outcome, case .object(let members) = SampleReport.json(sample)
                    else { return nil }
                    return .object(members + [("wasStored", .boolean(row.wasStored))])
                })
        }
    }

    /// Types without a sample, and why.
    var unsaved: [(String, MissingFigure)] {
        (saved?.rows ?? []).compactMap { row in
            guard case .failure(let reason) = row.outcome else { return nil }
            return ("savedFigures.\(row.type.swiftName)", reason)
        }
    }
}

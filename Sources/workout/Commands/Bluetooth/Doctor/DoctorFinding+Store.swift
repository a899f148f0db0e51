import Foundation
import HealthKit

extension DoctorFinding {
    /// Whether all that the store holds can be read; nil where there is none yet. Makes none.
    static func store(_ environment: HealthEnvironment) -> DoctorFinding? {
        guard let path = environment.storeFile, FileManager.default.fileExists(atPath: path) else { return nil }
        let problems: [String]
        do { problems = try environment.database.checkIntegrity() } catch {
            return DoctorFinding(
                subject: "store", state: .obstacle, message: CommandFailure.describe(error),
                remedy: "workouts cannot be stored until this is fixed; to use another store, set HEALTHKIT_STORE")
        }
        guard let first = problems.first else {
            return DoctorFinding(subject: "store", state: .good, message: "\(path) is intact")
        }
        let others = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        return DoctorFinding(
            subject: "store", state: .warning, message: "\(path) is damaged: \(first)\(others)",
            remedy: "stop all workouts and replace it with a backup; until then, the rest can still be read")
    }
}

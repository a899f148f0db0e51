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
                remedy: "no workout is stored before that; HEALTHKIT_STORE names another store")
        }
        guard let first = problems.first else {
            return DoctorFinding(subject: "store", state: .good, message: "all of \(path) can be read")
        }
        let others = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        return DoctorFinding(
            subject: "store", state: .warning, message: "\(path) is damaged: \(first)\(others)",
            remedy: "put a copy of before in its place, with no workout running; the rest can be read meanwhile")
    }
}

import Foundation

package enum TemporaryFolder {
    package static func with<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }
}

import Foundation

/// Installed programs that the command calls.
enum InstalledProgram {
    /// Returns the path of the first of `names` that is installed, or nil if none is.
    ///
    /// - Parameter path: Folders separated by colons, as in the environment.
    static func first(of names: [String], path: String) -> String? {
        let folders = path.split(separator: ":")
        return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}

import Foundation

/// Programs of the machine that the command calls.
enum InstalledProgram {
    /// Where the first of them is, in the order in which they are named; nil where none is.
    ///
    /// - Parameter path: Folders between colons, as in the environment.
    static func first(of names: [String], path: String) -> String? {
        let folders = path.split(separator: ":")
        return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}

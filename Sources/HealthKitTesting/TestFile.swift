import Foundation

/// Finds the files named in tests: beside the test, in a folder above it up to its package's, or in the working folder.
enum TestFile {
    /// - Parameter test: The file of the test.
    /// - Throws: ``WorldError`` with all places where it could be.
    static func find(_ path: String, beside test: String) throws -> URL {
        let places = places(of: path, beside: test)
        guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw WorldError(
                "The file \(path) does not exist. Searched: \(places.map(\.path).joined(separator: ", ")).")
        }
        return found
    }

    static func places(of path: String, beside test: String) -> [URL] {
        if path.hasPrefix("/") { return [URL(fileURLWithPath: path)] }
        var places: [URL] = []
        var folder = URL(fileURLWithPath: test).deletingLastPathComponent()
        while folder.pathComponents.count > 1 {
            places.append(folder.appendingPathComponent(path))
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) { break }
            folder = folder.deletingLastPathComponent()
        }
        let here = URL(fileURLWithPath: path)
        return places.contains { $0.path == here.path } ? places : places + [here]
    }
}

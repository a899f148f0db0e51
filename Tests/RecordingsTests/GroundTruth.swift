import Foundation

/// Results of other people's tools for recorded files. Their folder is beside the repository and not part of it;
/// without it, tests that need it are skipped.
enum GroundTruth {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data")

    static let isPresent = FileManager.default.fileExists(atPath: folder.appending(path: "ground-truth.json").path)

    /// By the names of the files in some folders. Empty without the folder.
    static func truths<Truth: Decodable>(
        of folders: String..., as truth: Truth.Type = Truth.self,
        dates: JSONDecoder.DateDecodingStrategy = .deferredToDate
    ) -> [String: Truth] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dates
        guard let data = try? Data(contentsOf: folder.appending(path: "ground-truth.json")),
            let all = try? decoder.decode([Lenient<Truth>].self, from: data)
        else { return [:] }
        let files = all.compactMap(\.file).filter { file in folders.contains { file.file.hasPrefix("\($0)/") } }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.file, $0.truth) })
    }

    private struct File<Truth: Decodable>: Decodable {
        var file: String
        var truth: Truth
    }

    /// Entries for other formats have a different structure.
    private struct Lenient<Truth: Decodable>: Decodable {
        var file: File<Truth>?
        init(from decoder: any Decoder) throws { file = try? File(from: decoder) }
    }
}

import Foundation

/// What other people's tools found in recorded files. The folder with them lies beside the repository and is not part of it;
/// without it the tests that need it are skipped.
enum GroundTruth {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data")

    static let isPresent = FileManager.default.fileExists(atPath: folder.appending(path: "ground-truth.json").path)

    /// By the names of the files, of those in some folders; empty where there is none.
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

    /// Entries for other formats have other shapes.
    private struct Lenient<Truth: Decodable>: Decodable {
        var file: File<Truth>?
        init(from decoder: any Decoder) throws { file = try? File(from: decoder) }
    }
}

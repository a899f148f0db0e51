import Foundation
import Recordings
import SessionLog

/// What the lists in a takeout state about the files beside them.
struct TakeoutIndex {
    private var activities: [String: ActivityIndex.Activity] = [:]
    /// The lists themselves, which are not recordings.
    private var lists: Set<String> = []
    /// The readings beside lists of exercises.
    let files: TakeoutFiles

    /// - Parameter items: All items of a folder or an archive. A list that cannot be read is ignored.
    init(_ items: [ImportItem]) {
        files = TakeoutFiles(
            items.lazy.compactMap { item in
                guard case .recording(let source) = item.content else { return nil }
                return (item.name, source)
            })
        for item in items where !item.isNamed {
            guard case .recording(let source) = item.content,
                item.name.split(separator: "/").last.map({ $0 == ActivityIndex.fileName }) == true,
                let index = try? ActivityIndex(source)
            else { continue }
            lists.insert(item.name)
            let folder = String(item.name.dropLast(ActivityIndex.fileName.count))
            for (file, activity) in index.activities { activities[Self.plain(folder + file)] = activity }
        }
    }

    /// Returns whether the item holds no workout, but describes or completes those of other items.
    func isPart(_ item: ImportItem) -> Bool {
        !item.isNamed && (lists.contains(item.name) || files.holdsNoWorkout(item.name))
    }

    subscript(item: ImportItem) -> ActivityIndex.Activity? { activities[Self.plain(item.name)] }

    /// Removes `.gz`, since files may have been unpacked since.
    private static func plain(_ name: String) -> String { name.hasSuffix(".gz") ? String(name.dropLast(3)) : name }
}

extension TableOptions {
    /// Adds what a takeout's list states about the recording, unless the user states it.
    func adding(_ said: ActivityIndex.Activity?) -> TableOptions {
        var options = self
        options.activity = activity ?? said?.activity
        return options
    }
}

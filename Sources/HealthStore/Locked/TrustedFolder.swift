import Foundation
import Glibc

/// The folders beside a store, in which a process finds what it will read, save and believe.
package enum TrustedFolder {
    /// Checks that it was this user who made the folder. In a folder that several users write to (a store under /tmp), another one
    /// may have made it, or a link, beforehand. Where nobody but the store's owner can write, it may be that one's.
    ///
    /// A folder that is not there is in order; check again once it is made.
    /// - Throws: ``HKError/Code/errorDatabaseInaccessible``, saying whose it is.
    package static func check(_ path: String) throws {
        guard let entry = Entry(path) else { return }
        // A link that the user made leads where the user wants.
        guard let folder = Entry(URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
            folder.type != .typeSymbolicLink
        else { throw refusal(path, "its link target does not exist") }
        for (entry, what) in [(entry, "it"), (folder, "its link target")] where !isTrusted(entry, at: path) {
            throw refusal(path, "\(what) belongs to \(name(entry.owner))")
        }
        guard folder.type == .typeDirectory else { throw refusal(path, "it is not a folder") }
    }

    private static func isTrusted(_ entry: Entry, at path: String) -> Bool {
        if entry.owner == geteuid() { return true }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
        guard let above = Entry(parent) else { return false }
        return entry.owner == above.owner && above.mode & 0o022 == 0
    }

    /// What stands under a name, itself rather than what a link leads to. Nil for what is not there.
    private struct Entry {
        var owner: uid_t
        var mode: Int
        var type: FileAttributeType

        init?(_ path: String) {
            guard let found = try? FileManager.default.attributesOfItem(atPath: path),
                let owner = found[.ownerAccountID] as? Int, let mode = found[.posixPermissions] as? Int,
                let type = found[.type] as? FileAttributeType
            else { return nil }
            self.owner = uid_t(owner)
            self.mode = mode
            self.type = type
        }
    }

    private static func name(_ user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { "the user " + String(cString: $0) } ?? "user \(user)"
    }

    private static func refusal(_ path: String, _ reason: String) -> HKError {
        HKError.make(
            .errorDatabaseInaccessible,
            "\(path) is not used: \(reason), so somebody else may control its content. Keep the store in a folder that only you can "
                + "write to (HEALTHKIT_STORE), or have its owner remove it.")
    }
}

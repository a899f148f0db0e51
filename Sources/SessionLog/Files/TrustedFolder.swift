import Foundation
import Glibc

/// The folders beside a store, whose content a process trusts.
package enum TrustedFolder {
    /// Checks that this user created the folder. If several users can write to the parent folder (a store under /tmp), another one
    /// may have created it, or a link, beforehand. If only the owner of the store can write there, the folder may be the owner's.
    ///
    /// A missing folder is accepted; check again after creating it.
    /// - Throws: ``UntrustedFolder``, which names the owner.
    package static func check(_ path: String) throws {
        guard let entry = Entry(path) else { return }
        // The user's own link is trusted.
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

    /// The properties of a path, without following a link. Nil if it does not exist.
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

    private static func refusal(_ path: String, _ reason: String) -> UntrustedFolder {
        UntrustedFolder(
            description:
                "\(path) is not used: \(reason), so somebody else may control its content. Keep the store in a folder "
                + "that only you can write to (HEALTHKIT_STORE), or have its owner remove it.")
    }
}

/// A folder that another user may control. HealthKit reports it as an inaccessible store.
package struct UntrustedFolder: Error, CustomStringConvertible {
    package let description: String
}

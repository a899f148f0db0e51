import Foundation
import HealthKit

/// The file system that a folder is on.
struct StoreFileSystem: Equatable {
    /// The kernel's name of the type: `ext4`, `nfs4`, `fuse.sshfs`.
    var type: String
    var mountPoint: String

    /// - Parameters:
    ///   - path: Absolute, without symbolic links.
    ///   - mounts: `/proc/self/mountinfo` (proc(5)): `36 35 98:0 /root /mount/point options optional - type source options`.
    /// - Returns: Nil if no mount contains the path.
    init?(of path: String, mounts: String) {
        var found: StoreFileSystem?
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let separator = fields.firstIndex(of: "-"), separator >= 6, fields.count > separator + 1 else {
                continue
            }
            let point = Self.unescaped(fields[4])
            guard point == "/" || path == point || path.hasPrefix(point + "/") else { continue }
            // A later mount covers an earlier one at the same place.
            if point.utf8.count >= (found?.mountPoint.utf8.count ?? 0) {
                found = StoreFileSystem(type: String(fields[separator + 1]), mountPoint: point)
            }
        }
        guard let found else { return nil }
        self = found
    }

    private init(type: String, mountPoint: String) { (self.type, self.mountPoint) = (type, mountPoint) }

    /// Decodes spaces, tabs, line breaks and backslashes, which are octal numbers: `\040` is a space.
    private static func unescaped(_ field: Substring) -> String {
        String(field).replacing(#/\\([0-7]{3})/#) { match in
            UInt8(match.1, radix: 8).map { String(UnicodeScalar($0)) } ?? String(match.0)
        }
    }

    /// Whether files are on another machine.
    var isRemote: Bool {
        let names: Set = [
            "9p", "afs", "ceph", "cifs", "coda", "davfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3",
            "smbfs",
            "fuse.ceph", "fuse.davfs", "fuse.davfs2", "fuse.glusterfs", "fuse.goofys", "fuse.rclone", "fuse.s3fs",
            "fuse.smbnetfs",
            "fuse.sshfs",
        ]
        return names.contains(type)
    }
}

extension DoctorFinding {
    /// A warning if the store is on another machine's file system; nil otherwise.
    ///
    /// SQLite's write-ahead log shares memory between processes, which a network file system does not
    /// (https://www.sqlite.org/wal.html, "Overview"), and the locks of such file systems often fail
    /// (https://www.sqlite.org/faq.html, question 5).
    static func fileSystem(ofStore path: String, mounts: String) -> DoctorFinding? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
        guard let system = StoreFileSystem(of: folder, mounts: mounts), system.isRemote else { return nil }
        return DoctorFinding(
            subject: "store", state: .warning,
            message:
                "\(folder) is on a network file system (\(system.type)): two machines that use the store at once damage it",
            remedy: "move the store to a local disk: workout backup FILE, set HEALTHKIT_STORE, workout restore FILE")
    }
}

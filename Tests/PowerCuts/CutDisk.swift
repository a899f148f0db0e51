import Analytics
import Foundation

/// A disk that can lose power at any moment: synced data is on it, and any part of the rest.
///
/// The model is that of SQLite's own crash tests (sqlite.org/testing.html#crash_testing): of the writes to a file
/// since its last sync, each sector of 512 bytes is on the disk or not. Changes of folders happen in order, as in the
/// journals of file systems, and are certain when the folder was synced. A file without an entry in its folder does
/// not exist.
package struct CutDisk {
    /// The part of the unsynced data that remains.
    package enum Luck: Equatable {
        case everything
        case nothing
        /// A part that the seed chooses.
        case some(UInt64)
    }

    private struct Node {
        let isFolder: Bool
        var synced: [UInt8] = []
        var changes: [Change] = []
        /// The entries of a folder: on the disk, and as the process sees them.
        var syncedEntries: [String: Int] = [:]
        var entries: [String: Int] = [:]

        init(isFolder: Bool) { self.isFolder = isFolder }
    }

    private enum Change {
        case write(offset: Int, [UInt8])
        case cut(Int)
    }

    /// Entries of folders that change together. Nil means that the entry is removed.
    private typealias Entries = [(folder: Int, name: String, node: Int?)]

    private let root: String
    private var nodes: [Node] = [Node(isFolder: true)]
    private var byInode: [UInt64: Int] = [:]
    private var unsynced: [Entries] = []

    /// Takes the folder as it is, with everything on the disk.
    package init(of root: String) throws {
        self.root = root
        byInode[try Self.inode(root)] = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() where !Self.isLeftOut(path) {
            let whole = root + "/" + path
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder) else { continue }
            let node = add(isFolder: isFolder.boolValue, try Self.inode(whole))
            if !isFolder.boolValue { nodes[node].synced = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole))) }
            guard let (folder, name) = place(whole) else { continue }
            nodes[folder].entries[name] = node
            nodes[folder].syncedEntries[name] = node
        }
    }

    private static func inode(_ path: String) throws -> UInt64 {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    }

    /// SQLite's index of the write-ahead log is shared memory, and unused after a crash.
    private static func isLeftOut(_ path: String) -> Bool { path.hasSuffix("-shm") }

    private mutating func add(isFolder: Bool, _ inode: UInt64) -> Int {
        nodes.append(Node(isFolder: isFolder))
        byInode[inode] = nodes.count - 1
        return nodes.count - 1
    }

    /// The folder of a path's last name, as the process sees it. Nil for a path outside of the disk, or one that is
    /// left out.
    private func place(_ path: String) -> (folder: Int, name: String)? {
        guard path.hasPrefix(root + "/"), !Self.isLeftOut(path) else { return nil }
        var names = path.dropFirst(root.count).split(separator: "/").map(String.init)
        guard let name = names.popLast() else { return nil }
        var folder = 0
        for name in names {
            guard let next = nodes[folder].entries[name] else { return nil }
            folder = next
        }
        return (folder, name)
    }

    // MARK: Operations of the process

    package mutating func apply(_ event: DiskEvent) {
        switch event {
        case .made(let path, let inode, let isFolder):
            guard let (folder, name) = place(path) else {
                byInode[inode] = nil
                return
            }
            change([(folder, name, add(isFolder: isFolder, inode))])
        case .write(let inode, let offset, let bytes):
            if let node = byInode[inode] { nodes[node].changes.append(.write(offset: offset, bytes)) }
        case .cut(let inode, let size):
            if let node = byInode[inode] { nodes[node].changes.append(.cut(size)) }
        case .sync(let inode):
            if let node = byInode[inode] { sync(node) }
        case .rename(let path, let other):
            guard let (folder, name) = place(path), let (otherFolder, otherName) = place(other),
                let node = nodes[folder].entries[name]
            else { return }
            change([(folder, name, nil), (otherFolder, otherName, node)])
        case .link(let path, let other):
            guard let (folder, name) = place(path), let (otherFolder, otherName) = place(other),
                let node = nodes[folder].entries[name]
            else { return }
            change([(otherFolder, otherName, node)])
        case .remove(let path):
            guard let (folder, name) = place(path) else { return }
            // Another file may get the same number.
            let node = nodes[folder].entries[name]
            byInode = byInode.filter { $0.value != node }
            change([(folder, name, nil)])
        case .acknowledged: break
        }
    }

    private mutating func change(_ entries: Entries) {
        for entry in entries { nodes[entry.folder].entries[entry.name] = entry.node }
        unsynced.append(entries)
    }

    private mutating func sync(_ node: Int) {
        guard nodes[node].isFolder else {
            nodes[node].synced = content(nodes[node], .everything)
            nodes[node].changes = []
            return
        }
        for entries in unsynced where entries.contains(where: { $0.folder == node }) {
            for entry in entries { nodes[entry.folder].syncedEntries[entry.name] = entry.node }
        }
        unsynced.removeAll { entries in entries.contains { $0.folder == node } }
    }

    // MARK: Contents of the disk

    /// Each file after the power is back, by its path below the root. Nil for a folder.
    package func image(_ luck: Luck) -> [String: [UInt8]?] {
        var random = SeededGenerator(seed: 0)
        if case .some(let seed) = luck { random = SeededGenerator(seed: seed) }
        var entries = nodes.map(\.syncedEntries)
        let survivors =
            switch luck {
            case .everything: unsynced.count
            case .nothing: 0
            case .some: Int.random(in: 0...unsynced.count, using: &random)
            }
        for change in unsynced.prefix(survivors) {
            for entry in change { entries[entry.folder][entry.name] = entry.node }
        }
        var files: [String: [UInt8]?] = [:]
        func walk(_ folder: Int, _ path: String) {
            for (name, node) in entries[folder].sorted(by: { $0.key < $1.key }) {
                let whole = path.isEmpty ? name : path + "/" + name
                if nodes[node].isFolder {
                    files[whole] = .some(nil)
                    walk(node, whole)
                } else {
                    files[whole] = content(nodes[node], luck, &random)
                }
            }
        }
        walk(0, "")
        return files
    }

    private func content(_ node: Node, _ luck: Luck) -> [UInt8] {
        var random = SeededGenerator(seed: 0)
        return content(node, luck, &random)
    }

    private func content(_ node: Node, _ luck: Luck, _ random: inout SeededGenerator) -> [UInt8] {
        if luck == .nothing { return node.synced }
        var bytes = node.synced
        for change in node.changes {
            switch change {
            case .cut(let size):
                guard luck == .everything || Bool.random(using: &random) else { continue }
                if size < bytes.count { bytes.removeLast(bytes.count - size) } else { Self.grow(&bytes, to: size) }
            case .write(let offset, let new):
                for (start, end) in Self.sectors(offset, offset + new.count)
                where luck == .everything || Bool.random(using: &random) {
                    Self.grow(&bytes, to: end)
                    bytes.replaceSubrange(start..<end, with: new[start - offset..<end - offset])
                }
            }
        }
        return bytes
    }

    private static func grow(_ bytes: inout [UInt8], to size: Int) {
        if bytes.count < size { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
    }

    /// The parts of a write between the borders of sectors.
    private static func sectors(_ start: Int, _ end: Int) -> [(Int, Int)] {
        let sector = 512
        return stride(from: start / sector * sector, to: end, by: sector).map {
            (max(start, $0), min(end, $0 + sector))
        }
    }

    /// Whether the folder has the contents of this disk if nothing is lost, which shows that every change was
    /// recorded.
    package func isAll(of folder: String) throws -> Bool {
        try CutDisk(of: folder).image(.everything) == image(.everything)
    }
}

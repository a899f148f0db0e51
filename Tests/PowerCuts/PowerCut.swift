import DiskRecorder
import Foundation
import Testing

/// Cuts the power of a recorded process at every moment between two syncs, and checks what the next one finds.
package struct PowerCut {
    /// The folder in which the process keeps everything.
    package let root: String
    /// The moment of the power cut.
    package var moment = ""
    /// `HEALTHKIT_CUTS=100000` tests every moment; the default is those around syncs and acknowledgements, and some
    /// others.
    private static let cuts = ProcessInfo.processInfo.environment["HEALTHKIT_CUTS"].flatMap { Int($0) } ?? 40

    package init(root: String) { self.root = root }

    package var store: String { root + "/share/healthkit/health.sqlite" }

    /// Calls `body` with an empty disk.
    package static func with(_ body: (PowerCut) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "power-\(UUID())").path
        defer {
            try? FileManager.default.removeItem(atPath: root)
            try? FileManager.default.removeItem(atPath: root + ".events")
            try? FileManager.default.removeItem(atPath: root + ".cut")
        }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try await body(PowerCut(root: root))
    }

    /// Runs `body` in this process, records its disk operations, and ends the process, which should be one that a
    /// test started. `body` calls its argument whenever something has been acknowledged.
    package func record(_ body: (_ acknowledged: () -> Void) async throws -> Void) async throws {
        try #require(disk_recorder_start(root + ".events") == 0)
        try await body { disk_recorder_mark() }
        disk_recorder_stop()
        _exit(EXIT_SUCCESS)
    }

    /// - Parameters:
    ///   - before: The disk before the process began.
    ///   - check: Called with a folder that the next process finds, and with the number of acknowledgements before
    /// the cut.
    package func cut(
        _ before: CutDisk, _ check: (_ cut: PowerCut, _ acknowledged: Int) async throws -> Void
    ) async throws {
        let events = try DiskEvent.all(in: URL(fileURLWithPath: root + ".events"))
        var end = before
        for event in events { end.apply(event) }
        try #require(try end.isAll(of: root), "the recording lacks changes of the disk")

        var disk = before
        var acknowledged = 0
        var seen: Set<Int> = []
        let stride = max(1, events.count / Self.cuts)
        for (number, event) in events.enumerated() {
            disk.apply(event)
            if event == .acknowledged { acknowledged += 1 }
            var luck: [CutDisk.Luck] = []
            switch event {
            case .write, .cut: break
            default: luck += [.nothing]
            }
            if event == .acknowledged { luck += [.everything] }
            if number % stride == 0 { luck += [.some(UInt64(number))] }
            for luck in luck {
                let image = disk.image(luck)
                var hasher = Hasher()
                hasher.combine(acknowledged)
                hasher.combine(image)
                guard seen.insert(hasher.finalize()).inserted else { continue }
                try await look(at: image, "the power went after event \(number), with \(luck) of what was not synced") {
                    try await check($0, acknowledged)
                }
            }
        }
        #expect(acknowledged > 0)
    }

    private func look(
        at image: [String: [UInt8]?], _ moment: String, _ check: (PowerCut) async throws -> Void
    ) async throws {
        // A separate path, because a process that still has an earlier one open removes files of the same names when
        // it closes.
        var cut = PowerCut(root: root + ".cut/\(UUID())")
        cut.moment = moment
        defer { try? FileManager.default.removeItem(atPath: cut.root) }
        try FileManager.default.createDirectory(atPath: cut.root, withIntermediateDirectories: true)
        for (path, bytes) in image.sorted(by: { $0.key < $1.key }) {
            let whole = cut.root + "/" + path
            if let bytes {
                try Data(bytes).write(to: URL(fileURLWithPath: whole))
            } else {
                try FileManager.default.createDirectory(atPath: whole, withIntermediateDirectories: true)
            }
        }
        do {
            try await check(cut)
        } catch {
            Issue.record(error, "\(moment)")
        }
    }
}

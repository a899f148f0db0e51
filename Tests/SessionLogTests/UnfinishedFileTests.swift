import Foundation
import Glibc
import Testing

@testable import SessionLog

@Suite struct UnfinishedFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("unfinished-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    @Test func `temporary files of a killed process are removed, and no others`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let others = ["other.tcx.4711.part", "movie.2024.part", "ride.fit.part", "ride.fit", "notes.fit.x1.part"]
        for name in others + ["ride.fit.4711.part", "walk.fit.4712.part"] {
            try Data("x".utf8).write(to: folder.appendingPathComponent(name))
        }
        try DurableFile.write(Data("new".utf8), to: folder.appendingPathComponent("run.fit"))
        #expect(try names() == Set(others + ["run.fit"]))
    }

    @Test func `temporary files of a live process stay`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Of another process, which ends on its own.
        let folder = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let url = URL(fileURLWithPath: folder)
            let written = try UnfinishedFile(url.appendingPathComponent("ride.fit"))
            try written.write([1])
            kill(getpid(), SIGKILL)
        }
        let left = try names().first ?? ""
        #expect(left.hasSuffix(".part"))
        let held = try OpenFile(reading: folder + "/" + left)
        #expect(try held.lock())
        try DurableFile.write(Data(), to: self.folder.appendingPathComponent("run.fit"))
        #expect(try names() == [left, "run.fit"])
    }

    @Test func `temporary files of a killed process are removed by the next one`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder.path as String] in
            let written = try UnfinishedFile(URL(fileURLWithPath: folder).appendingPathComponent("ride.fit"))
            try written.write([1])
            kill(getpid(), SIGKILL)
        }
        #expect(try names().count == 1)
        try DurableFile.write(Data(), to: folder.appendingPathComponent("run.fit"))
        #expect(try names() == ["run.fit"])
    }

    @Test(arguments: [
        ("a.fit.1.part", true), ("a.b.fit.12345.part", true), ("a.fit.part", false), ("a.fit.12x.part", false),
        ("fit.1.part", false), ("a.tcx.1.part", false), ("a.fit.12345678901.part", false),
    ])
    func `only our names are recognized`(name: String, isOurs: Bool) {
        #expect(UnfinishedFile.isUnfinished(name, like: URL(fileURLWithPath: "/x/new.fit")) == isOurs)
    }

    @Test func `a file without an extension counts by its own name`() {
        let file = URL(fileURLWithPath: "/x/key")
        #expect(UnfinishedFile.isUnfinished("key.7.part", like: file))
        #expect(!UnfinishedFile.isUnfinished("other.7.part", like: file))
    }
}

import Foundation
import GRDB
import Testing

@testable import workout

/// What `workout doctor` reports about the location and version of the store, and about services.
@Suite struct DoctorInstallationTests {
    private static func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.resolvingSymlinksInPath())
    }

    // MARK: File systems

    private static let mounts = """
        22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
        40 22 0:35 / /home rw,relatime shared:20 - nfs4 server:/export/home rw,vers=4.2
        41 40 254:1 / /home/me/local\\040disk rw shared:21 master:3 - xfs /dev/vdb rw
        42 22 0:40 / /srv/strap rw,nosuid - fuse.sshfs me@host:/ rw
        43 22 0:41 / /home2 rw - ext4 /dev/vdc rw
        broken line - nfs
        """

    @Test(
        arguments: [
            ("/var/lib/healthkit", "ext4", false), ("/home/me/.local/share/healthkit", "nfs4", true),
            ("/home/me/local disk/healthkit", "xfs", false), ("/home/me/local disks", "nfs4", true),
            ("/srv/strap", "fuse.sshfs", true), ("/home2/me", "ext4", false), ("/homes", "ext4", false),
        ])
    func `a path is on the file system with the longest mount point above it`(
        path: String, type: String, isRemote: Bool
    ) {
        let system = StoreFileSystem(of: path, mounts: Self.mounts)
        #expect(system?.type == type)
        #expect(system?.isRemote == isRemote)
    }

    @Test func `a store on a network file system is a warning, also behind a link`() throws {
        try Self.withFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("remote"), withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent("link"), withDestinationURL: folder.appendingPathComponent("remote"))
            let mounts = """
                22 1 254:0 / / rw - ext4 /dev/vda rw
                40 22 0:35 / \(folder.path)/remote rw - cifs //server/share rw
                """
            let linked = DoctorFinding.fileSystem(ofStore: folder.path + "/link/health.sqlite", mounts: mounts)
            #expect(linked?.state == .warning)
            #expect(linked?.message.contains("(cifs)") == true && linked?.remedy?.contains("workout backup") == true)
            #expect(DoctorFinding.fileSystem(ofStore: folder.path + "/health.sqlite", mounts: mounts) == nil)
            #expect(DoctorFinding.fileSystem(ofStore: folder.path + "/health.sqlite", mounts: "") == nil)
        }
    }

    // MARK: Services

    /// Folders with units, some of them enabled. The first folder takes precedence.
    private static func services(in folder: URL) throws -> InstalledServices {
        func write(_ file: String, _ text: String) throws {
            let url = folder.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        func unit(_ command: String) -> String { "[Unit]\nDescription=ExecStart=no\n[Service]\nExecStart=\(command)\n" }
        try write("own/healthkit-mirror.service", unit("\"/opt/old tools/workout\" \"mirror\" \"listen\" \"--save\""))
        try write("all/healthkit-mirror.service", unit("/usr/bin/workout mirror listen --save"))
        try write("all/healthkit-report.service", unit("/usr/bin/workout report --week"))
        try write("all/healthkit-delivery.service", unit("/usr/bin/gone/workout delivery run"))
        try write("all/healthkit-app-local.mine.service", unit("/home/me/mine"))
        for enabled in [
            "own/default.target.wants/healthkit-mirror.service", "own/timers.target.wants/healthkit-report.timer",
            "own/default.target.wants/healthkit-app-local.mine.service", "own/default.target.wants/other.service",
        ] { try write(enabled, "") }
        return InstalledServices(
            folders: ["own", "all"].map(folder.appendingPathComponent), processes: folder.appendingPathComponent("proc")
        )
    }

    @Test func `an enabled unit that runs another version is a warning`() throws {
        try Self.withFolder { folder in
            let services = try Self.services(in: folder)
            #expect(services.programs.map(\.unit) == ["healthkit-mirror.service", "healthkit-report.service"])
            #expect(services.programs.map(\.program) == ["/opt/old tools/workout", "/usr/bin/workout"])
            let findings = DoctorFinding.services(services, version: "workout 2.0.0 (b)") {
                $0 == "/usr/bin/workout" ? "workout 2.0.0 (b)" : "workout 1.0.0 (a)"
            }
            #expect(findings.map(\.subject) == ["healthkit-mirror.service"])
            #expect(findings.first?.state == .warning)
            #expect(
                findings.first?.message.contains("workout 1.0.0 (a), but this command is workout 2.0.0 (b)") == true)
            let missing = DoctorFinding.services(services, version: "workout 2.0.0 (b)") { _ in nil }
            #expect(missing.map(\.message).allSatisfy { $0.hasSuffix("which cannot be run") } && missing.count == 2)
        }
    }

    @Test func `a service that was not restarted after an update is a warning`() throws {
        try Self.withFolder { folder in
            let services = try Self.services(in: folder)
            for (process, program, words) in [
                ("12", "/usr/bin/workout (deleted)", ["/usr/bin/workout", "mirror", "listen", "--save"]),
                ("13", "/usr/bin/workout", ["workout", "serve"]), ("14", "/usr/bin/cat (deleted)", ["cat"]),
            ] {
                let entry = folder.appendingPathComponent("proc/\(process)")
                try FileManager.default.createDirectory(at: entry, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: entry.path + "/exe", withDestinationPath: program)
                try Data(words.map { $0 + "\0" }.joined().utf8).write(to: entry.appendingPathComponent("cmdline"))
            }
            let findings = DoctorFinding.services(services, version: "same") { _ in "same" }
            #expect(findings.map(\.subject) == ["process 12"])
            #expect(findings.first?.message.contains("'workout mirror listen'") == true)
        }
    }

    @Test(.needsCommand) func `a command prints its version, and other programs do not`() {
        #expect(DoctorFinding.version(of: BuiltCommand.executable.path) == Version.line)
        #expect(DoctorFinding.version(of: "/bin/true") == nil)
        #expect(DoctorFinding.version(of: "/nowhere/workout") == nil)
    }

    // MARK: The store's version

    @Test(.needsCommand) func `a newer store is named and left unchanged`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        #expect(try await command.run("simulate", "--speed", "max", "--duration", "1m", "--save").status == 0)
        let path = command.home.appendingPathComponent("health.sqlite").path
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of the year 2030')") }
        try queue.close()
        let doctor = try await command.run("doctor", "--json", "--wait", "0.1s")
        #expect(doctor.status == 69)
        let finding = doctor.output.components(separatedBy: #"{"subject":"#).first { $0.hasPrefix(#""store""#) }
        #expect(finding?.contains(#""state":"obstacle""#) == true && finding?.contains("newer version") == true)
        #expect(finding?.contains("Update this program") == true, "\(doctor.output)")
        let list = try await command.run("list")
        #expect(list.status == 69 && list.errors.contains("newer version"))
    }
}

import Foundation
import Glibc
import HealthKit
import Testing

/// An app started by the runner behaves like one started by a shell.
@Suite(.timeLimit(.minutes(5))) struct AppProcessTests {
    @Test func `an app started by a thread that blocks signals receives them, and inherits no descriptor`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = folder + "/started"
        #expect(mkfifo(pipe, 0o600) == 0)
        // A descriptor that a library might have opened.
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        // Read by the shell itself, because it blocks all signals while it starts a program.
        let script = """
            exec >started
            while read -r line; do case $line in SigBlk:* | SigIgn:*) echo "$line" ;; esac; done </proc/$$/status
            ls /proc/$$/fd
            readlink /proc/$$/fd/0
            pwd
            """
        let app = DeliveryApp(
            bundleIdentifier: "test.signals", name: "signals", executable: "/bin/sh", arguments: ["-c", script],
            workingDirectory: folder, environment: ["PATH": "/usr/bin:/bin"])
        let launcher = AppLauncher(DeliveryFolders(variables: ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder]))
        let way = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<AppLauncher.Method, any Error>) in
            Thread.detachNewThread {
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                continuation.resume(with: Result { try launcher.start(app) })
            }
        }
        #expect(way == .process)
        let handle = try #require(FileHandle(forReadingAtPath: pipe))
        let said = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        let none = "0000000000000000"
        // Two signals belong to the C library (SIGCANCEL, SIGSETXID), which lets no program have them.
        let ignored = "0000000180000000"
        let real = String(cString: try #require(realpath(folder, nil)))
        #expect(said == "SigBlk:\t\(none)\nSigIgn:\t\(ignored)\n0\n1\n2\n/dev/null\n\(real)\n")
    }

    @Test func `a missing working folder is reported, and the app is not started elsewhere`() {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        let app = DeliveryApp(
            bundleIdentifier: "test.gone", name: "gone", executable: "/bin/true", workingDirectory: folder)
        let launcher = AppLauncher(DeliveryFolders(variables: ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder]))
        let error = #expect(throws: DeliveryError.self) { try launcher.start(app) }
        #expect(error?.description.contains("in \(folder): ") == true)
    }

    /// A service is in a sandbox, and so would be its child processes. The script replaces systemd-run, because test
    /// machines have no user instance of systemd.
    @Test func `systemd starts the app through a service, and no variable's value becomes a word of a command`() throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let systemdRun = folder + "/systemd-run"
        let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >'\(folder)/words'\nprintf %s \"$TOKEN\" >'\(folder)/token'\n"
        try Data(script.utf8).write(to: URL(fileURLWithPath: systemdRun))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: systemdRun)
        let app = DeliveryApp(
            bundleIdentifier: "test.app", name: "app", executable: "/bin/false", arguments: ["--costs", "$5"],
            workingDirectory: folder, environment: ["TOKEN": "secret", "PATH": "/opt", "not a name": "1"])
        let folders = DeliveryFolders(variables: ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder])
        #expect(try AppLauncher(folders, systemdRun: systemdRun).start(app) == .unit)
        let words = try String(contentsOfFile: folder + "/words", encoding: .utf8).split(separator: "\n").map(
            String.init)
        #expect(
            words == [
                "--user", "--quiet", "--collect", "--service-type=exec", "--unit=healthkit-app-test.app.service",
                "--working-directory=\(folder)", "--setenv=PATH=/opt", "--setenv=TOKEN", "--", "/bin/false", "--costs",
                "$$5",
            ])
        #expect(try String(contentsOfFile: folder + "/token", encoding: .utf8) == "secret")
    }

    @Test func `an app that systemd cannot start is started directly`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let app = DeliveryApp(
            bundleIdentifier: "test.direct", name: "app", executable: "/bin/true", workingDirectory: folder)
        let folders = DeliveryFolders(variables: [
            "XDG_CONFIG_HOME": folder + "/none", "XDG_DATA_HOME": folder + "/none",
        ])
        for systemdRun in ["/bin/false", "/nowhere/systemd-run"] {
            #expect(try AppLauncher(folders, systemdRun: systemdRun).start(app) == .process)
        }
    }
}

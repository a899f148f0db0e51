import Foundation
import Glibc
import HealthKit
import Testing

/// An app that the runner starts is as one that a shell starts.
@Suite(.timeLimit(.minutes(5))) struct AppProcessTests {
    @Test func `an app that a thread starts which hears no signals hears them, and has no descriptor of the runner's`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = folder + "/started"
        #expect(mkfifo(pipe, 0o600) == 0)
        // One that a library might have opened.
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        // Read by the shell itself, which blocks all signals as long as it begins a program.
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
        // Two signals are the C library's own (SIGCANCEL, SIGSETXID), which it lets no program have.
        let ignored = "0000000180000000"
        let real = String(cString: try #require(realpath(folder, nil)))
        #expect(said == "SigBlk:\t\(none)\nSigIgn:\t\(ignored)\n0\n1\n2\n/dev/null\n\(real)\n")
    }

    @Test func `an app whose folder is gone is said to be, and not started elsewhere`() {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        let app = DeliveryApp(
            bundleIdentifier: "test.gone", name: "gone", executable: "/bin/true", workingDirectory: folder)
        let launcher = AppLauncher(DeliveryFolders(variables: ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder]))
        let error = #expect(throws: DeliveryError.self) { try launcher.start(app) }
        #expect(error?.description.contains("in \(folder): ") == true)
    }
}

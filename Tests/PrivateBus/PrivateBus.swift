import Foundation
import Glibc
import Synchronization
package import Testing

/// A separate dbus-daemon in its own directory, for one test. It ends with the test.
package final class PrivateBus: Sendable {
    package let address: String
    private let directory: String
    private let process: pid_t
    private let isRunning = Atomic(true)

    /// The path of dbus-daemon. Nil if it is not installed: tests that need it are skipped.
    package static let executable: String? = ["/usr/bin/dbus-daemon", "/usr/local/bin/dbus-daemon", "/bin/dbus-daemon"]
        .first { (path: String) in access(path, X_OK) == 0 }

    package init() async throws {
        (directory, process) = try await Self.apart { try Self.launch() }
        address = Self.address(in: directory)
    }

    private static func address(in directory: String) -> String { "unix:path=\(directory)/socket" }

    /// On a separate thread, because those of tests and the bus must not wait for a process.
    private static func apart<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }

    private static func launch() throws -> (directory: String, process: pid_t) {
        let executable = Self.executable ?? ""
        var template = Array((FileManager.default.temporaryDirectory.path + "/bus-XXXXXX").utf8CString)
        let made = try #require(mkdtemp(&template).map { String(cString: $0) })
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>custom</type>
              <listen>\(address(in: made))</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        try configuration.write(toFile: made + "/bus.conf", atomically: false, encoding: .utf8)
        // It writes its address when it is ready.
        var ready: [Int32] = [0, 0]
        try #require(pipe(&ready) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ready[1], 3)
        // A program that waits for the end of the tests' output must not wait for a daemon.
        // More descriptors than are open now, because other tests open some meanwhile. Closing one that is not open
        // is no error (posix_spawn of the GNU C library).
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        for descriptor in 4...(open.max() ?? 4) + 100 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        for output in [1, 2] as [Int32] { posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0) }
        let arguments = [executable, "--config-file=\(made)/bus.conf", "--nofork", "--nopidfile", "--print-address=3"]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var pid = pid_t()
        let started = posix_spawn(&pid, executable, &actions, nil, &words, environ)
        close(ready[1])
        defer { close(ready[0]) }
        try #require(started == 0, "cannot start \(executable): \(started)")
        var byte: UInt8 = 0
        let count = read(ready[0], &byte, 1)
        try #require(count == 1, "dbus-daemon did not come up")
        return (made, pid)
    }

    /// Ends the daemon, as a crash would. Calling it again does nothing; the end of the test calls it, too.
    package func kill() {
        let isFirst = isRunning.exchange(false, ordering: .sequentiallyConsistent)
        guard isFirst else { return }
        Glibc.kill(process, SIGKILL)
        Thread.detachNewThread { [process, directory] in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            try? FileManager.default.removeItem(atPath: directory)
        }
    }

    deinit { kill() }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test with a message if dbus-daemon is not installed.
    package static var needsBus: Self {
        .enabled(if: PrivateBus.executable != nil, "needs dbus-daemon, which is not installed here")
    }
}

import CSpawn
import Foundation
import Glibc
import Synchronization

/// Starts apps in the installed way: by activation on the session bus for an app that owns a name there, as a systemd
/// user unit, or directly as a process. A systemd service does not start apps directly, because they would be in its
/// sandbox.
package final class AppLauncher: Sendable {
    package enum Method: String, Sendable {
        case bus = "D-Bus"
        case unit = "systemd"
        case process
    }

    private let folders: DeliveryFolders
    /// The program that starts a unit for an app that has none. Nil if this process is no systemd service.
    private let systemdRun: String?
    /// Apps that were started directly and may still run.
    private let children = Mutex<[String: AppProcess]>([:])
    /// The processes that wait for the bus's answer, by name.
    private let callers = Mutex<[String: Process]>([:])

    package init(_ folders: DeliveryFolders, systemdRun: String? = isService ? "systemd-run" : nil) {
        self.folders = folders
        self.systemdRun = systemdRun
    }

    /// Whether systemd started this very process (systemd.exec(5), `SYSTEMD_EXEC_PID`).
    package static var isService: Bool { ProcessInfo.processInfo.environment["SYSTEMD_EXEC_PID"] == "\(getpid())" }

    /// Returns whether the app was started directly and still runs.
    package func isRunning(_ bundleIdentifier: String) -> Bool {
        children.withLock { $0[bundleIdentifier]?.isRunning ?? false }
    }

    /// Starts an app in an installed way, or else directly.
    /// - Throws: ``DeliveryError/failed(_:)`` if none of the ways works.
    package func start(_ app: DeliveryApp) throws -> Method {
        if let name = app.busName, DeliveryFolders.isBusName(name), exists(folders.busService(name)), activate(name) {
            return .bus
        }
        if exists(folders.unit(of: app)), succeeds("systemctl", "--user", "start", DeliveryFolders.unitName(of: app)) {
            return .unit
        }
        if let systemdRun, startUnit(of: app, systemdRun) { return .unit }
        try startDirectly(app)
        return .process
    }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    /// Asks the bus to start the app, and does not wait until it appears: an app that takes its name late, or never,
    /// must neither delay the others nor be started twice (D-Bus specification, "Message Bus Messages").
    private func activate(_ name: String) -> Bool {
        func isKnown() -> Bool { output(Self.call("ListActivatableNames"))?.contains("\"\(name)\"") == true }
        // A bus that started before its folder of services existed does not watch the folder.
        guard isKnown() || output(Self.call("ReloadConfig")) != nil && isKnown() else { return false }
        // The bus starts nothing for a caller that has disconnected, so this process waits for the answer.
        let caller = process(Self.call("StartServiceByName", "string:\(name)", "uint32:0"))
        caller.standardOutput = FileHandle.nullDevice
        do { try caller.run() } catch { return false }
        callers.withLock { $0[name] = caller }
        return true
    }

    /// Starts an app in a unit that exists as long as it runs (systemd-run(1)). Returns false if that is not possible.
    private func startUnit(of app: DeliveryApp, _ systemdRun: String) -> Bool {
        guard DeliveryFolders.obstacle(to: app) == nil, !app.executable.contains("$") else { return false }
        let unit = DeliveryFolders.unitName(of: app)
        if succeeds("systemctl", "--user", "--quiet", "is-active", unit) { return true }
        // Values are passed in the environment, because everybody can read the words of a command; those that systemd-run needs
        // for itself are not secret.
        let (own, passed) = Self.split(app.environment)
        let options =
            ["--user", "--quiet", "--collect", "--service-type=exec", "--unit=\(unit)"]
            + ["--working-directory=\(app.workingDirectory)"]
            + (own.map { "--setenv=\($0.key)=\($0.value)" } + passed.map { "--setenv=\($0.key)" }).sorted()
        // systemd.service(5): a dollar sign begins a variable.
        let arguments = app.arguments.map { $0.replacingOccurrences(of: "$", with: "$$") }
        let process = process([systemdRun] + options + ["--", app.executable] + arguments)
        process.environment = ProcessInfo.processInfo.environment.merging(passed) { $1 }
        process.standardOutput = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    private static func split(_ environment: [String: String]) -> (own: [String: String], passed: [String: String]) {
        let valid = environment.filter { UnitText.isVariable($0.key) }
        let own: Set = ["PATH", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]
        return (valid.filter { own.contains($0.key) }, valid.filter { !own.contains($0.key) })
    }

    private static func call(_ method: String, _ arguments: String...) -> [String] {
        let words = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus"]
        return words + ["/org/freedesktop/DBus", "org.freedesktop.DBus.\(method)"] + arguments
    }

    private func succeeds(_ words: String...) -> Bool { output(words) != nil }

    /// Runs a program and returns its output, or nil if it is missing or fails.
    private func output(_ words: [String]) -> String? {
        let process = process(words)
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    private func process(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    /// Starts the app directly. Its output goes to the runner's standard error.
    private func startDirectly(_ app: DeliveryApp) throws {
        let process: AppProcess
        do {
            process = try AppProcess(app)
        } catch {
            throw DeliveryError.failed(
                "\(app.bundleIdentifier) cannot be started as \(app.executable) in \(app.workingDirectory): "
                    + "\((error as NSError).localizedDescription). Run the app once, so that it registers its new place."
            )
        }
        children.withLock { $0[app.bundleIdentifier] = process }
    }
}

/// An app that was started directly, like a process of a shell, whatever thread starts it.
///
/// Swift's and libdispatch's threads block signals, and a child inherits the mask of the thread that starts it: an app
/// started with it would receive neither SIGTERM nor SIGINT. So it gets an empty mask, every signal's default, and only
/// its own three descriptors.
final class AppProcess: Sendable {
    private let hasEnded = Flag()

    /// Starts the app. It reads nothing, and its output goes to this process's standard error.
    /// - Throws: `POSIXError` if the program or the folder does not exist or may not be used.
    init(_ app: DeliveryApp) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        try Self.check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        try Self.check(posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }

        try Self.check(posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0))
        try Self.check(posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO))
        try Self.check(posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
        try Self.check(posix_spawn_file_actions_addchdir_np(&actions, app.workingDirectory))

        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        try Self.check(posix_spawnattr_setsigmask(&attributes, &none))
        try Self.check(posix_spawnattr_setsigdefault(&attributes, &all))
        // It gets its own process group, so that keys on the runner's terminal do not reach it.
        try Self.check(posix_spawnattr_setpgroup(&attributes, 0))
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        try Self.check(posix_spawnattr_setflags(&attributes, Int16(flags)))

        let variables = app.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var identifier: pid_t = 0
        try Self.withWords([app.executable] + app.arguments) { arguments in
            try Self.withWords(variables) { environment in
                try Self.check(
                    posix_spawn(&identifier, app.executable, &actions, &attributes, arguments, environment))
            }
        }
        // A process without a waiting parent would stay in the system's table as long as this one.
        let child = identifier
        Thread.detachNewThread { [hasEnded] in
            while waitpid(child, nil, 0) < 0, errno == EINTR {}
            hasEnded.value.store(true, ordering: .relaxed)
        }
    }

    var isRunning: Bool { !hasEnded.value.load(ordering: .relaxed) }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private static func check(_ code: Int32) throws {
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }

    /// Calls `body` with a list of words as in C: pointers, and a null at the end.
    private static func withWords(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Void
    ) rethrows {
        let pointers = words.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        try body(pointers + [nil])
    }
}

import CSpawn
import Foundation
import Glibc
import Synchronization

/// An app that was started directly: a process as a shell would begin one, whatever thread it is started from.
///
/// Swift's and libdispatch's threads block signals, and a child inherits its starter's mask: an app begun like that would hear
/// neither SIGTERM nor SIGINT. So it gets an empty mask, every signal's default, and no descriptor but its own three.
final class AppProcess: Sendable {
    private let hasEnded = Flag()

    /// Reads nothing; what it prints goes to this process's standard error.
    /// - Throws: `POSIXError` when there is no such program or folder, or it may not be used.
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
        // A group of its own: what is typed at the runner's terminal is not for it.
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
        // A process that nobody waits for stays in the system's table as long as this one.
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

    /// As C has lists of words: pointers, and a null at the end.
    private static func withWords(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Void
    ) rethrows {
        let pointers = words.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        try body(pointers + [nil])
    }
}

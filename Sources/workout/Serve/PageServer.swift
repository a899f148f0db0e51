import Foundation
import Glibc
import HealthKit
import Mirroring
import Reports
import Web

/// The web server of one process, from its start to its end: its address, its key and its sessions.
struct PageServer: Sendable {
    /// How long browsers get to receive the end of a session before the server closes.
    private static let farewell = Duration.milliseconds(400)

    let sessions = ServedSessions()
    let access: WebAccess
    /// The fingerprint of the certificate. Nil without TLS.
    let fingerprint: PeerFingerprint?
    let address: MirrorAddress
    private let work: Task<Void, Never>

    /// Listens and answers requests from then on.
    ///
    /// Beyond this machine, pages are served over TLS with the machine's own certificate, and only to browsers with the
    /// key.
    /// - Parameter names: Further names of this machine.
    /// - Parameter option: The option that names the address, for the message if it cannot be used.
    init(
        on address: MirrorAddress, option: String, names: [String], _ environment: HealthEnvironment
    ) async throws {
        let sessions = sessions
        let key = try CommandFailure.mirroring { try WebKey.kept(in: environment.keyFolder()) }
        let server: WebServer
        do {
            server = try await WebServer.listen(
                on: address, hasKey: { key.isShown(by: $0) }, report: { Self.warn($0, in: sessions) }
            ) {
                try CommandFailure.mirroring { try environment.companions.host().identity }
            }
        } catch let error as MirrorError {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message: "\(Self.sentence(error, option))")
        }
        fingerprint = server.fingerprint
        self.address = server.address
        let own = Self.hostName.map { [$0, $0 + ".local"] } ?? []
        access = WebAccess(
            key: key, isLoopback: server.isLoopback, isSecure: !server.isLoopback,
            names: names + own + [address.host])
        let site = ServeSite(
            access, sessions, environment, language: .of(locale: ProcessInfo.processInfo.environment))
        work = Task { try? await server.run { await site.answer($0) } }
    }

    /// Shows a warning in the live view, or on standard error if there is none.
    private static func warn(_ sentence: String, in sessions: ServedSessions) {
        if ScreenMode.isOn {
            for session in sessions.all { session.warn(sentence) }
        } else {
            CommandOutput.error.print("warning: \(sentence)")
        }
    }

    /// The machine's own name. No name service is queried, since that may take long.
    private static var hostName: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    /// Shows a session that is about to run.
    @discardableResult
    func show(
        _ run: WorkoutRun, athlete: String? = nil, speed: Double?, target: HeartRateTarget?,
        _ course: LiveTimeline = LiveTimeline()
    ) async -> ServedSession {
        let session = ServedSession(
            run, athlete: athlete, speed: speed, target: target, course, changes: sessions.changes)
        await session.follow()
        sessions.add(session)
        return session
    }

    /// Closes the server after browsers had time to receive the end of their sessions.
    func close() async {
        sessions.changes.notify()
        try? await Task.sleep(for: Self.farewell)
        work.cancel()
        await work.value
    }

    // MARK: Where it is

    /// The addresses to type, the likeliest first.
    var links: [String] {
        let scheme = access.isSecure ? "https" : "http"
        let reachable = address.reachable
        return (reachable.isEmpty ? [address] : reachable).map { "\(scheme)://\($0)/" }
    }

    /// The likeliest address, with the key in it.
    var linkWithKey: String { Self.link(links[0], access.key) }

    static func link(_ address: String, _ key: WebKey) -> String { address + "?key=" + key.text }

    /// The notice without the key, for a screen that others may see.
    var notice: String {
        "live page: \(links[0])" + (access.isLoopback ? "" : "  ('workout serve --qr' shows its key)")
    }
}

extension PageServer {
    private static func sentence(_ error: MirrorError, _ option: String) -> String {
        guard case .listen(let address, let reason) = error else { return "\(error)" }
        return reason.lowercased().contains("in use")
            ? "port \(address.port) is in use; choose another with \(option) PORT"
            : "cannot listen on \(address): \(reason); choose another address with \(option) HOST:PORT"
    }
}

extension HealthEnvironment {
    /// Returns the folder of the key that browsers need, which is also that of this machine's identity for mirroring.
    func keyFolder() throws(MirrorError) -> URL {
        guard let folder = companions.settings.folder else {
            throw .file(path: "web.key", reason: "no folder to keep it in: set HOME or XDG_CONFIG_HOME")
        }
        return folder
    }
}

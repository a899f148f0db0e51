import ArgumentParser
import Foundation
import HealthKit
import Mirroring
import Recordings
import Web

/// `workout serve`: pages of sessions and of what is stored.
struct Serve: AsyncParsableCommand, TellsDistances {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Shows sessions and stored workouts in the browser, until Ctrl-C.",
        discussion: """
            Pages: / is the live view, /board has a tile for each session, /overlay is for OBS (?show=heartRate,zone&theme=light), \
            /history has the stored workouts and their reports. Programs read /api (described by /openapi.json), /heart-rate and \
            /metrics (Prometheus).

            Shown are the sessions that paired machines mirror to this one ('workout record --mirror' there), and recordings that \
            are named here. A session that is recorded on this machine is shown by 'workout record --serve'.

            Only this machine reaches the pages, unless --on says more: 'workout serve --on everywhere'. Then they come by TLS with \
            the machine's own certificate, of which a browser warns once, and only for those who have the key: it is in the link and \
            its QR code. Pausing and ending a session needs the key everywhere.
            """)

    @Argument(help: "Recordings to replay, a session each.", completion: .file())
    var files: [String] = []

    @Option(help: "How many times faster than recorded, 0.001 to 1000000.")
    var speed = SpeedArgument(1)

    @Option(
        help: ArgumentHelp(
            "Where to serve: 'everywhere', HOST:PORT or PORT; port 0 takes a free one.", valueName: "HOST[:PORT]"),
        transform: ServeOptions.address)
    var on = WebAddress.standard

    @Option(help: "A name by which browsers call this machine, besides its own. Repeatable.")
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where to listen for mirrored sessions. Default: HEALTHKIT_MIRROR_LISTEN, or port 7654 where a machine is paired.",
            valueName: "HOST:PORT"))
    var listen: String?

    @Flag(help: "Store mirrored workouts here too, once they are finished there.")
    var save = false

    @Flag(help: "Only say the link with its key, as a QR code too, and end.")
    var qr = false

    @Flag(help: "Make a new key: who has the old one is out.")
    var newKey = false

    @Flag(help: "Print one JSON object that says where, and nothing else.")
    var json = false

    @OptionGroup var distances: UnitOptions

    func validate() throws {
        if speed.factor.isInfinite { throw ValidationError("--speed is a number: nobody could watch 'max'.") }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        if newKey {
            _ = try CommandFailure.mirroring { try WebKey.kept(in: environment.keyFolder(), isRenewed: true) }
        }
        if qr { return try showLink(environment) }
        let pages = try await PageServer(on: on, names: name, environment)
        let runs = try files.flatMap { try ImportSearch.names($0) }.map { try replayed($0, environment) }
        let listening = try await mirrored(to: pages, environment)
        tell(pages, listening)
        var work: [Task<Void, Never>] = []
        for (run, file) in runs {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            await pages.show(run, athlete: name, speed: speed.factor, target: nil)
            work.append(
                Task {
                    do { _ = try await run.run() } catch {
                        CommandOutput.error.print("workout: \(file): \(CommandFailure.describe(error))")
                    }
                })
        }
        let over = AsyncStream.makeStream(of: Void.self)
        let interrupted = try await Interruption.calling({ over.continuation.finish() }) {
            for await _ in over.stream {}
        }
        for (run, _) in runs { run.end() }
        for task in work { await task.value }
        listening.store?.workoutSessionMirroringStartHandler = nil
        await listening.store?.stopListeningForMirroredSessions()
        await pages.close()
        if interrupted { throw ExitCode.interrupted }
    }

    private func replayed(_ file: String, _ environment: HealthEnvironment) throws -> (WorkoutRun, String) {
        let argument = try RecordingArgument(file)
        let recording = try argument.reading { try RecordingFile.read($0) }
        guard recording.facts.start != nil else { throw CommandFailure(noWorkoutIn: [recording], of: file) }
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                replaying: recording, speed: speed.factor, keepsDates: true, saves: false, outlives: false,
                environment: environment.beside)
        }
        return (run, file)
    }

    // MARK: Mirrored sessions

    private struct Listening {
        var store: HKHealthStore?
        var address: String?
        var sentence: String
    }

    /// Listens where a machine is paired, or where the user said so.
    private func mirrored(to pages: PageServer, _ environment: HealthEnvironment) async throws -> Listening {
        var settings = environment.companions.settings
        settings.listen = listen ?? settings.listen
        settings.savesWorkouts = save
        let isAsked = settings.listen != nil
        let peers = try CommandFailure.mirroring { try environment.companions.paired().map(\.name) }
        guard isAsked || !peers.isEmpty else {
            return Listening(sentence: "No machine is paired, so none can mirror to this one: 'workout mirror pair'.")
        }
        var environment = environment
        environment.companions = Companions(settings, report: Companions.tellOnStandardError)
        let store = HKHealthStore(environment: environment)
        let isStored: @Sendable (UUID) -> Bool = { [database = environment.database] in
            (try? database.contains($0)) == true
        }
        let board = MirrorBoard(
            printsEntries: false, endsWithSession: false, isStored: save ? isStored : nil, served: pages.sessions)
        do {
            let address = try await store.listenForMirroredSessions()
            store.workoutSessionMirroringStartHandler = { board.add($0) }
            let names = peers.map(DisplayWidth.printable).joined(separator: ", ")
            return Listening(
                store: store, address: address, sentence: "Listening on \(address) for sessions of \(names).")
        } catch let error as HKError where error.code == .errorInvalidArgument {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        } catch {
            // What nobody asked for is no reason to serve nothing.
            guard isAsked else {
                return Listening(sentence: "Mirrored sessions are not shown: \(CommandFailure.describe(error))")
            }
            throw CommandFailure(exitCode: .serviceMissing, message: CommandFailure.describe(error))
        }
    }

    // MARK: What is said

    private func tell(_ pages: PageServer, _ listening: Listening) {
        if json {
            let fingerprint = pages.fingerprint.map { "\($0)" }
            CommandOutput.standard.print(
                JSONText.object([
                    ("address", .string(pages.links[0])), ("key", .string(pages.access.key.text)),
                    ("fingerprint", .orNull(fingerprint)), ("listening", .orNull(listening.address)),
                ]).text)
        } else {
            let page = Page.standard(columnsInPipe: 100)
            var lines = Self.heading(pages.links, pages.access.key, pages.fingerprint, page)
            lines += [listening.sentence, "Ctrl-C ends."]
            CommandOutput.standard.print(styled: lines)
        }
        CommandOutput.standard.flush()
    }

    /// The link, and for a phone its code where it is of use there.
    private static func heading(
        _ links: [String], _ key: WebKey, _ fingerprint: PeerFingerprint?, _ page: Page
    ) -> [String] {
        let link = PageServer.link(links[0], key)
        var lines = ["Live page: \(link)"]
        if links.count > 1 { lines.append("       or: " + links.dropFirst().prefix(3).joined(separator: "  ")) }
        guard let fingerprint else { return lines }
        if page.capability.unicode {
            let code = QRCode(link)?.lines(page.capability)
            if let code, code.allSatisfy({ DisplayWidth.of($0) <= page.columns }) { lines += [""] + code + [""] }
            if code == nil { lines.append(QRCode.absence) }
        }
        lines.append("Browsers warn of the certificate, which is this machine's own; its SHA-256 is \(fingerprint).")
        return lines
    }

    private func showLink(_ environment: HealthEnvironment) throws {
        let key = try CommandFailure.mirroring { try WebKey.kept(in: environment.keyFolder()) }
        var address = on
        // Whoever scans a code holds another machine.
        if address.host == WebAddress.standard.host { address.host = MirrorAddress.everywhere.host }
        let link = PageServer.link("https://\(address.reachable.first ?? address)/", key)
        let page = Page.standard(columnsInPipe: 100)
        CommandOutput.standard.print(styled: [link, ""] + (QRCode(link)?.lines(page.capability) ?? [QRCode.absence]))
    }
}

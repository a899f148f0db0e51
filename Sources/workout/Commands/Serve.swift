import ArgumentParser
import Foundation
import HealthKit
import Mirroring
import Recordings
import StoredWorkouts
import Web

/// `workout serve`: serves pages about sessions and stored data.
struct Serve: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show sessions and stored workouts in the browser, until Ctrl-C.",
        discussion: """
            Pages: / is the live view, /board has a tile per session, /overlay is for OBS (?show=heartRate,zone&theme=light), \
            /history lists stored workouts and their reports. Programs read /api (described by /openapi.json), /heart-rate \
            and /metrics (Prometheus).

            Shows sessions that paired machines mirror to this one ('workout record --mirror' there) and recordings given as \
            FILES. To show a session recorded on this machine, use 'workout record --serve'.

            By default only this machine can open the pages. 'workout serve --on everywhere' opens them to the network. They \
            are served over TLS with a self-signed certificate; your browser will warn once. The key in the link (and its QR \
            code) lets viewers in. Pausing and ending a session always needs the key.

            With --from, it also shows all sessions that run anywhere and are published to a stream of NATS.

            Examples:
              workout serve
              workout serve --on everywhere
              workout serve --from nats://nats1,nats2,nats3
            """)

    @Argument(help: "Recordings to replay, one session each.", completion: .file())
    var files: [String] = []

    @Option(help: "Speed factor, 0.001 to 1000000.")
    var speed = SpeedArgument(1)

    @Option(
        help: ArgumentHelp(
            "Address to serve on: 'everywhere', HOST:PORT or PORT (0 picks a free one).", valueName: "HOST[:PORT]"),
        transform: ServeOptions.address)
    var on = WebAddress.standard

    @Option(help: "Another host name that browsers use for this machine. Repeatable.")
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Address to listen on for mirrored sessions. Default: HEALTHKIT_MIRROR_LISTEN, or port 7654 if a machine is \
            paired.
            """,
            valueName: "HOST:PORT"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Also show the running sessions that others publish to NATS.",
            valueName: "nats[s]://[USER@]HOST[/PREFIX]"))
    var from: String?

    @Flag(help: "Also save mirrored workouts on this machine once they are finished.")
    var save = false

    @Flag(
        help: """
            Print the link to what 'workout serve --on everywhere' (or 'record --serve') serves now, as a QR code too, and exit.
            """)
    var qr = false

    @Flag(help: "Create a new key; the old one stops working.")
    var newKey = false

    @Flag(help: "Print one JSON object with the addresses.")
    var json = false

    @OptionGroup var distances: UnitOptions

    func validate() throws {
        if speed.factor.isInfinite { throw ValidationError("--speed must be a number; 'max' is too fast to watch.") }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        if newKey {
            _ = try CommandFailure.mirroring { try WebKey.kept(in: environment.keyFolder(), isRenewed: true) }
        }
        if qr { return try showLink(environment) }
        let pages = try await PageServer(on: on, option: "--on", names: name, environment)
        let stream: StreamedSessions? = if let from { try await StreamedSessions(from, environment) } else { nil }
        let runs = try files.flatMap { try ImportSearch.names($0) }.map { try replayed($0, environment) }
        let (listening, sentence) = try await mirrored(to: pages, environment)
        notify(pages, listening?.address, sentence)
        var work: [Task<Void, Never>] = []
        for (run, file) in runs {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            await pages.show(run, athlete: name, speed: speed.factor, target: nil)
            work.append(
                Task {
                    do { _ = try await run.run() } catch {
                        CommandOutput.error.print("error: \(file): \(CommandFailure.describe(error))")
                    }
                })
        }
        let following = stream.map { stream in Task { await stream.show(on: pages) } }
        let over = AsyncStream.makeStream(of: Void.self)
        let interrupted = try await Interruption.calling({ over.continuation.finish() }) {
            for await _ in over.stream {}
        }
        following?.cancel()
        for (run, _) in runs { run.end() }
        for task in work { await task.value }
        await listening?.close()
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

    /// Listens if a machine is paired or the user asked for it, and reports the state.
    private func mirrored(
        to pages: PageServer, _ environment: HealthEnvironment
    ) async throws -> (MirrorListening?, String) {
        let isAsked = listen != nil || environment.companions.settings.listen != nil
        let arePaired = try CommandFailure.mirroring { try !environment.companions.paired().isEmpty }
        guard isAsked || arePaired else {
            return (nil, "(No paired machines. To show another machine's sessions: workout mirror pair)")
        }
        let board = MirrorBoard(
            printsEntries: false, endsWithSession: false, isStored: save ? environment.isStored : nil,
            served: pages.sessions)
        do {
            let listening = try await MirrorListening(
                to: board, on: listen, saves: save, environment, report: Companions.notifyOnStandardError)
            let names = listening.peers.map(DisplayWidth.printable).joined(separator: ", ")
            let whose =
                names.isEmpty ? "; no machine is paired yet (workout mirror pair)" : " for sessions of \(names)"
            return (listening, "Listening on \(listening.address)\(whose).")
        } catch let failure as CommandFailure where failure.exitCode != .wrongUsage && !isAsked {
            // The user did not ask for it, so the rest is served without it.
            return (nil, "warning: mirrored sessions are not shown: \(failure.message)")
        }
    }

    // MARK: Output

    private func notify(_ pages: PageServer, _ listening: String?, _ sentence: String) {
        if json {
            let fingerprint = pages.fingerprint.map { "\($0)" }
            CommandOutput.standard.print(
                JSONText.object([
                    ("address", .string(pages.links[0])),
                    ("key", .orNull(CommandOutput.isJournal() ? nil : pages.access.key.text)),
                    ("fingerprint", .orNull(fingerprint)), ("listening", .orNull(listening)),
                ]).text)
        } else {
            let page = Page.standard(columnsInPipe: 100)
            var lines = Self.heading(
                pages.links, CommandOutput.isJournal() ? nil : pages.access.key, pages.fingerprint, page)
            lines += [sentence, "Ctrl-C ends."]
            CommandOutput.standard.print(styled: lines)
        }
        CommandOutput.standard.flush()
    }

    /// Returns the link, and a QR code for a phone if that is of use there.
    ///
    /// - Parameter key: Nil if the lines go to a log, which is kept and may be read by others.
    static func heading(
        _ links: [String], _ key: WebKey?, _ fingerprint: PeerFingerprint?, _ page: Page
    ) -> [String] {
        guard let key else {
            return ["Live page: \(links[0])", "The key is not logged. To see it, run: workout serve --qr"]
        }
        let link = PageServer.link(links[0], key)
        var lines = ["Live page: \(link)"]
        if links.count > 1 { lines.append("       or: " + links.dropFirst().prefix(3).joined(separator: "  ")) }
        guard let fingerprint else { return lines }
        if page.capability.unicode {
            let code = QRCode(link)?.lines(page.capability)
            if let code, code.allSatisfy({ DisplayWidth.of($0) <= page.columns }) { lines += [""] + code + [""] }
            if code == nil { lines.append(QRCode.absence) }
        }
        lines.append("Your browser will warn once about the self-signed certificate. Its SHA-256: \(fingerprint)")
        return lines
    }

    private func showLink(_ environment: HealthEnvironment) throws {
        let key = try CommandFailure.mirroring { try WebKey.kept(in: environment.keyFolder()) }
        var address = on
        // A QR code is scanned with another machine.
        if address.host == WebAddress.standard.host { address.host = MirrorAddress.everywhere.host }
        let reachable = address.reachable.first ?? address
        guard reachable.isListening else {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message: """
                    nothing is served on \(reachable.typed); start 'workout serve --on everywhere' first, or name the \
                    address that is served: workout serve --qr --on HOST:PORT
                    """)
        }
        let link = PageServer.link("https://\(reachable)/", key)
        let page = Page.standard(columnsInPipe: 100)
        CommandOutput.standard.print(styled: [link, ""] + (QRCode(link)?.lines(page.capability) ?? [QRCode.absence]))
    }
}

extension MirrorAddress {
    /// Returns whether something accepts connections there. Also tries an address of another machine.
    fileprivate var isListening: Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return false }
        defer { freeaddrinfo(found) }
        for candidate in sequence(first: found, next: { $0?.pointee.ai_next }) {
            guard let candidate else { break }
            let address = candidate.pointee
            let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
        }
        return false
    }
}

/// A QR code (ISO/IEC 18004) for a terminal. The program qrencode makes it, if it is installed.
struct QRCode {
    /// The rows of modules. True is a dark one.
    let modules: [[Bool]]

    /// The light modules around the code that readers need to find it: four by the standard, but two suffice for
    /// cameras.
    private static let quietZone = 2

    /// Returns nil if qrencode is not installed, and for a text that is too long for a code.
    init?(_ text: String, path: String = ProcessInfo.processInfo.environment["PATH"] ?? "") {
        guard let program = InstalledProgram.first(of: ["qrencode"], path: path) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        // Two characters per module and no margin.
        process.arguments = ["-t", "ASCII", "-m", "0", "-l", "L", "-o", "-"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // Passed by standard input, because everybody on the machine can read arguments.
        guard (try? process.run()) != nil, (try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))) != nil
        else { return nil }
        try? input.fileHandleForWriting.close()
        let drawn = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let rows = drawn.split(separator: "\n").map { line in
            let characters = Array(line.utf8)
            return stride(from: 0, to: characters.count, by: 2).map { characters[$0] == UInt8(ascii: "#") }
        }
        guard process.terminationStatus == 0, let width = rows.first?.count, rows.count == width,
            rows.allSatisfy({ $0.count == width })
        else { return nil }
        modules = rows
    }

    /// The message if qrencode is not installed.
    static let absence = "Install qrencode to also see the link as a QR code."

    /// Draws two rows of modules as one line of half blocks. It draws the light modules, since most terminals are dark,
    /// and sets the colours if there are any.
    func lines(_ capability: TerminalCapability) -> [String] {
        let width = modules.count + 2 * Self.quietZone
        func isLight(_ row: Int, _ column: Int) -> Bool {
            let (row, column) = (row - Self.quietZone, column - Self.quietZone)
            guard modules.indices.contains(row), modules.indices.contains(column) else { return true }
            return !modules[row][column]
        }
        return stride(from: 0, to: width, by: 2).map { row in
            let blocks = (0..<width).map { column -> String in
                switch (isLight(row, column), row + 1 < width && isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            let line = blocks.joined()
            // White on black, whatever the terminal's own colours are.
            return capability.colour == .none ? line : "\u{1B}[97;40m\(line)\u{1B}[0m"
        }
    }
}

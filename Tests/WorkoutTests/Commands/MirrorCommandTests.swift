import Foundation
import Mirroring
import Testing

@testable import workout

/// `workout mirror` with the built command: two home folders are two machines.
@Suite(.needsCommand, .timeLimit(.minutes(5)))
struct MirrorCommandTests {
    private let watch: BuiltCommand
    private let phone: BuiltCommand

    init() throws {
        watch = try BuiltCommand()
        phone = try BuiltCommand()
    }

    private func remove() {
        watch.remove()
        phone.remove()
    }

    /// Returns the beginning of the phone's fingerprint.
    private func pair() async throws -> String {
        let waiting = try phone.start(["mirror", "pair", "--yes", "--listen", "127.0.0.1:0"])
        let address = try #require(await waiting.text(after: "Waiting on ", until: ". "))
        let dialing = try await watch.run("mirror", "pair", "--yes", address)
        #expect(dialing.status == 0)
        let met = await waiting.end()
        #expect(met.status == 0)
        #expect(met.output.contains("Paired with"))
        let fingerprint = dialing.output.firstMatch(of: /Paired with .*\((.{8})\)/)?.1
        return String(try #require(fingerprint))
    }

    @Test func `two people who type the digits on both machines pair them`() async throws {
        defer { remove() }
        let waiting = try phone.start(["mirror", "pair", "--listen", "127.0.0.1:0"], onTerminal: true)
        let address = try #require(await waiting.text(after: "workout mirror pair ", until: "\r\n"))
        let dialing = try watch.start(["mirror", "pair", address], onTerminal: true)
        let code = try #require(await waiting.text(after: "\r\n    ", until: "\r\n"))
        #expect(await dialing.says("    \(code)\r\n"))
        #expect(await dialing.says("or n if not: "))
        // A short answer that other questions accept is not enough for this one.
        try dialing.type("y\n")
        #expect(await dialing.says("or n if they differ: "))
        try dialing.type(code + "\n")
        #expect(await waiting.says("or n if not: "))
        try waiting.type(code.filter(\.isNumber) + "\n")
        #expect(await waiting.end().errors.contains("Paired with"))
        #expect(await dialing.end().status == 0)
    }

    @Test func `digits of another attempt pair nothing`() async throws {
        defer { remove() }
        let waiting = try phone.start(["mirror", "pair", "--yes", "--listen", "127.0.0.1:0"])
        let address = try #require(await waiting.text(after: "workout mirror pair ", until: "\n"))
        let dialing = try watch.start(["mirror", "pair", address], onTerminal: true)
        let code = try #require(await dialing.text(after: "\r\n    ", until: "\r\n"))
        #expect(await dialing.says("or n if not: "))
        let other = code.filter(\.isNumber) == "000000" ? "000001" : "000000"
        try dialing.type(other + "\n")
        let end = await dialing.end()
        #expect(end.status == 69)
        #expect(end.errors.contains("Wrong code"))
        #expect(try await watch.run("mirror", "peers").output.hasPrefix("No machine is paired."))
        waiting.kill()
        _ = await waiting.end()
    }

    @Test func `an answer is its digits, with any separators`() {
        #expect(PairingAnswer("123456", to: "123456") == .same)
        #expect(PairingAnswer(" 123 456 ", to: "123456") == .same)
        #expect(PairingAnswer("123-456", to: "123456") == .same)
        #expect(PairingAnswer("123457", to: "123456") == .otherDigits)
        #expect(PairingAnswer("No", to: "123456") == .different)
        for text in ["y", "yes", "", "12345", "١٢٣٤٥٦"] { #expect(PairingAnswer(text, to: "123456") == .unclear) }
    }

    @Test func `a listener on all addresses names one that can be typed elsewhere`() {
        let everywhere = MirrorAddress(host: "::", port: 7_654)
        let reachable = [MirrorAddress(host: "192.168.1.20"), MirrorAddress(host: "fd00::5")]
        #expect(
            MirrorPair.invitation(to: everywhere, reachable: reachable)
                == "Waiting on port 7654 on all addresses. On the other machine: workout mirror pair 192.168.1.20 (or fd00::5)"
        )
        let own = MirrorAddress(host: "10.0.0.1", port: 7_700)
        #expect(
            MirrorPair.invitation(to: own, reachable: [own])
                == "Waiting on 10.0.0.1:7700. On the other machine: workout mirror pair 10.0.0.1:7700")
        #expect(MirrorPair.invitation(to: everywhere, reachable: []).contains("no network address"))
    }

    @Test func `paired machines are listed, renamed and forgotten`() async throws {
        defer { remove() }
        let phone = try await pair()
        #expect(try await watch.run("mirror", "peers").output.contains("127.0.0.1:7654"))
        #expect(try await watch.run("mirror", "rename", phone, "kitchen").status == 0)
        #expect(try await watch.run("mirror", "peers", "--json").output.contains(#""name":"kitchen""#))
        #expect(try await watch.run("mirror", "forget", "kitchen").status == 0)
        #expect(try await watch.run("mirror", "peers").output.hasPrefix("No machine is paired."))
        let unknown = try await watch.run("mirror", "forget", "kitchen")
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("no paired machine is called kitchen"))
    }

    @Test func `a mirrored replay is stored on both machines, sample for sample`() async throws {
        defer { remove() }
        _ = try await pair()
        let listening = try phone.start(["mirror", "listen", "--listen", "127.0.0.1:0", "--json", "--once", "--save"])
        let address = try #require(await listening.text(after: "Listening on ", until: ";"))
        let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        #expect(try await watch.run("replay", recording + ".none", "--mirror", address).status == 65)
        let replay = try await watch.run("replay", recording, "--speed", "max", "--save", "--mirror", address)
        #expect(replay.status == 0, "\(replay.all)")
        let end = await listening.end()
        #expect(end.status == 0)
        #expect(end.output.contains(#""mirror":"ended""#))
        let own = try await watch.run("samples", "heartRate", "--limit", "all", "--json")
        let mirrored = try await phone.run("samples", "heartRate", "--limit", "all", "--json")
        #expect(own.output.split(separator: "\n").count > 800)
        #expect(own.output == mirrored.output)
    }

    @Test func `without a listening machine, mirroring fails and names where it searched`() async throws {
        defer { remove() }
        #expect(try await watch.run("mirror", "pair", "here").status == 64)
        #expect(try await watch.run("mirror", "pair", "--yes", "not an address").status == 64)
        #expect(try await watch.run("mirror", "peers").status == 0)
    }

    @Test func `keys on the second machine pause, resume, mark a lap and end the session on the first`() async throws {
        defer { remove() }
        _ = try await pair()
        let listening = try phone.start(["mirror", "listen", "--listen", "127.0.0.1:0", "--once"], onTerminal: true)
        let address = try #require(await listening.text(after: "Listening on ", until: "\u{1B}"))
        let recording = SampleRecordingsTests.folder.appendingPathComponent("intervals.jsonl").path
        let replay = try watch.start([
            "replay", recording, "--speed", "2", "--json", "--mirror", address.trimmingCharacters(in: .whitespaces),
        ])
        // By the name of the state, because sensors have a dot, too.
        #expect(await listening.says("running"))
        try listening.type("p")
        #expect(await listening.says("paused"))
        try listening.type("r")
        #expect(await listening.says("running"))
        try listening.type("L")
        #expect(await listening.says("lap 2"))
        // A single key, or the same key held down, ends nothing.
        try listening.type("eeee")
        #expect(await listening.says("End the session on"))
        try listening.type("l")
        #expect(await listening.says("lap 3"))
        try listening.type("e")
        #expect(await listening.says("End the session on"))
        try listening.type("y")
        let ended = await listening.end()
        #expect(ended.status == 0)
        #expect(ended.all.contains(" on "))
        let outcome = await replay.end()
        #expect(outcome.status == 0, "\(outcome.all)")
        // Far from the recording's end, with a pause that the recording doesn't have.
        let elapsed = try #require(outcome.output.firstMatch(of: /"elapsed":([0-9.]+)/).flatMap { Double($0.1) })
        #expect(elapsed < 1_200)
        #expect(outcome.output.contains("\"pauses\":[{"))
    }

    @Test func `a session that cannot be stored is reported before anybody listens`() async throws {
        defer { remove() }
        _ = try await pair()
        let store = ["HEALTHKIT_STORE": "/proc/none/x.sqlite"]
        let refused = try await phone.run("mirror", "listen", "--listen", "127.0.0.1:0", "--save", variables: store)
        #expect(refused.status == 69)
        #expect(refused.errors.contains("/proc/none"))
    }
}

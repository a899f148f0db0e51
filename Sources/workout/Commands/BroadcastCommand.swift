import ArgumentParser
import Engine
import HealthKit

/// `workout broadcast`: this machine as a Bluetooth sensor.
struct BroadcastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Be a Bluetooth heart-rate sensor for watches, phones, apps and machines.",
        discussion: """
            Other devices find this machine as a sensor and receive the heart rate with its RR intervals, and speed, cadence \
            and power if the source has them. Several devices can listen at the same time. Needs bluetoothd and an adapter \
            that can be a peripheral.

            Examples:
              workout broadcast replay run.fit --name "Test strap"
              workout broadcast from C0:DE:00:00:00:01
            """,
        subcommands: [BroadcastReplay.self, BroadcastSimulate.self, BroadcastFrom.self, BroadcastMirror.self])
}

/// `workout broadcast replay`: a recording as a sensor.
struct BroadcastReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Broadcast a recording at its own pace.",
        discussion: """
            FILE is anything that 'workout replay' reads. Bytes that a sensor sent are passed on unchanged if the recording \
            has them. p pauses, r resumes, q ends.

            Example:
              workout broadcast replay run.fit --name "Test strap"
            """)

    @Argument(help: "The recording to broadcast.", completion: .file())
    var file: String

    @OptionGroup var settings: BroadcastSettingsOptions

    func run() async throws {
        let replay = try Replay.parse(settings.asSessionArguments + ["--", file])
        try await replay.run()
    }
}

/// `workout broadcast simulate`: a simulated athlete as a sensor.
struct BroadcastSimulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Broadcast a simulated workout.",
        discussion: """
            PROFILE is anything that 'workout simulate --profile' takes.

            Example:
              workout broadcast simulate easyRun --seed 7
            """)

    @Argument(
        help: "A built-in profile, or a JSON file with a profile.",
        completion: .list(WorkoutProfile.builtIn.map(\.name)))
    var profile = "easyRun"

    @Option(help: "Random seed; each number gives a different workout.")
    var seed: UInt64 = 1

    @OptionGroup var settings: BroadcastSettingsOptions

    func run() async throws {
        let simulate = try Simulate.parse(
            settings.asSessionArguments + ["--profile=\(profile)", "--seed=\(seed)"])
        try await simulate.run()
    }
}

/// `workout broadcast mirror`: a session of another machine as a sensor.
struct BroadcastMirror: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Broadcast sessions that a paired machine mirrors to this one.",
        discussion: """
            A strap that is heard in one room is a sensor in the next: this machine listens as 'workout mirror listen' does, \
            and the other one records with --mirror. PEER is the name of the other machine in 'workout mirror peers'; \
            without it, every paired machine is broadcast.

            Example:
              workout broadcast mirror
            """)

    @Argument(help: "The name of a paired machine.")
    var peer: String?

    @Option(help: "Address to listen on: HOST:PORT. Default: HEALTHKIT_MIRROR_LISTEN, or port 7654 on all addresses.")
    var listen: String?

    @OptionGroup var settings: BroadcastSettingsOptions

    func run() async throws {
        let listening = try MirrorListen.parse(
            settings.asSessionArguments + (listen.map { ["--listen=\($0)"] } ?? [])
                + (peer.map { ["--broadcast-peer=\($0)"] } ?? []))
        try await listening.run()
    }
}

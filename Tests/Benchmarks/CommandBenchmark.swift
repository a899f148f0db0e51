import Foundation

/// Measures the command as a whole process: its start, and a recording of one hour from start to summary.
func benchmarkCommand() throws {
    let workout = Bundle.main.bundleURL.appendingPathComponent("workout")
    guard FileManager.default.isExecutableFile(atPath: workout.path) else {
        print("workout: not built beside the benchmarks; `swift build -c release` builds it")
        return
    }
    let recording = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: recording) }
    _ = try milliseconds(workout, ["simulate", "--duration", "1h", "-o", recording.path], runs: 1)
    let nothing = try milliseconds(URL(fileURLWithPath: "/bin/true"), [], runs: 21)
    let help = try milliseconds(workout, ["--help"], runs: 21)
    let replay = try milliseconds(workout, ["replay", recording.path, "--speed", "max", "--json"], runs: 11)
    func report(_ name: String, _ median: Double, aim: Int) {
        print(
            String(
                format: "%@: %.1f ms, %.1f times /bin/true (aim: under %d ms)", name, median, median / nothing, aim))
    }
    report("workout --help", help, aim: 20)
    report("one hour at --speed max, process start to summary", replay, aim: 100)
}

/// The median of several runs.
func milliseconds(
    _ program: URL, _ arguments: [String], runs: Int, variables: [String: String] = [:]
) throws -> Double {
    let times = try (0..<runs).map { _ in
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = FileHandle.nullDevice
        return try ContinuousClock().measure {
            try process.run()
            process.waitUntilExit()
        } / .milliseconds(1)
    }
    return times.sorted()[times.count / 2]
}

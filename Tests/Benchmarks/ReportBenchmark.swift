import Foundation

/// Pages from process start to file: of an hour, of a day, and of ten years of workouts.
func benchmarkReports() throws {
    let workout = Bundle.main.bundleURL.appendingPathComponent("workout")
    guard FileManager.default.isExecutableFile(atPath: workout.path) else {
        print("workout: not built beside the benchmarks; `swift build -c release` builds it")
        return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let variables = ["HEALTHKIT_STORE": folder.appendingPathComponent("health.sqlite").path]
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func report(_ name: String, _ arguments: [String], runs: Int, aim: Int) throws {
        let page = path("page.html")
        let median = try milliseconds(
            workout, ["report"] + arguments + ["-o", page, "--force"], runs: runs, variables: variables)
        let bytes = try FileManager.default.attributesOfItem(atPath: page)[.size] as? Int ?? 0
        print(String(format: "page of %@: %.0f ms, %d kB (aim: under %d ms)", name, median, bytes / 1000, aim))
    }
    for (name, duration, aim) in [("an hour", "1h", 150), ("24 hours", "24h", 3000)] {
        _ = try milliseconds(workout, ["simulate", "--duration", duration, "-o", path("\(duration).jsonl")], runs: 1)
        if duration == "1h" {
            _ = try milliseconds(
                workout, ["replay", path("1h.jsonl"), "--speed", "max", "--save", "--json"], runs: 1,
                variables: variables)
            try report("an hour, stored", [try onlyWorkout(workout, variables)], runs: 7, aim: aim)
        }
        try report("\(name), from its recording", [path("\(duration).jsonl")], runs: 7, aim: aim)
    }
    _ = try milliseconds(
        workout,
        [
            "simulate", "--start", "2016-01-01", "--every", "2d", "--count", "1826", "--duration", "10m", "--save",
            "--json",
        ],
        runs: 1, variables: variables)
    try report("ten years, 1826 workouts of ten minutes", ["--all", "--to", "2026-01-01"], runs: 3, aim: 3000)
}

/// The ID of the one workout that is stored.
private func onlyWorkout(_ workout: URL, _ variables: [String: String]) throws -> String {
    let process = Process()
    process.executableURL = workout
    process.arguments = ["list", "--json"]
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    struct Listed: Decodable { var id: String }
    return try JSONDecoder().decode(Listed.self, from: line).id
}

import Foundation
import Synchronization

/// Measures the memory of a session that lasts a day: five entries a second, with RR intervals and positions, by the
/// command as a user runs it, on a store on disk. Recorded; recorded while locked; imported; mirrored to a second
/// machine; and on that machine, with and without saving.
///
/// The figure is the peak resident memory (`VmHWM`) beyond that of a process which only lists workouts. Throws if it
/// exceeds the aim.
func benchmarkMemory(hours: Int) throws {
    let program = Bundle.main.bundleURL.appendingPathComponent("workout")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
        print("workout: not built beside the benchmarks; `swift build -c release` builds it")
        return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let primary = Home(folder.appendingPathComponent("primary"), program)
    let companion = Home(folder.appendingPathComponent("companion"), program)
    let idle = try primary.run(["list"]).peakInMegabytes()
    var above: [String] = []
    func report(_ what: String, _ peak: Double) {
        if peak - idle >= aimInMegabytes { above.append(what) }
        print(
            String(
                format: "memory, %@, %d h: %.1f MB beyond the idle process's %.1f MB (aim: under %.0f MB)%@", what,
                hours,
                peak - idle, idle, aimInMegabytes, peak - idle < aimInMegabytes ? "" : ": MISSED"))
    }
    let session = ["simulate", "--duration", "\(hours)h", "--speed", "max", "--save", "--json"]
    report("recorded", try primary.run(session).peakInMegabytes())
    report("recorded while locked", try primary.run(session, ["HEALTHKIT_SIMULATE": "locked"]).peakInMegabytes())
    report("unlocked", try primary.run(["list"]).peakInMegabytes())
    let file = folder.appendingPathComponent("day.jsonl").path
    report(
        "simulated to a file", try primary.run(["simulate", "--duration", "\(hours)h", "-o", file]).peakInMegabytes())
    report("imported", try primary.run(["import", file]).peakInMegabytes())

    let pairing = try companion.run(["mirror", "pair", "--yes", "--listen", "127.0.0.1:0"])
    _ = try primary.run(["mirror", "pair", "--yes", pairing.address(after: "Waiting on ")]).peakInMegabytes()
    _ = try pairing.peakInMegabytes()
    for saves in [true, false] {
        let listening = try companion.run(
            ["mirror", "listen", "--listen", "127.0.0.1:0", "--once", "--json"] + (saves ? ["--save"] : []))
        let mirroring = try primary.run(session + ["--mirror", listening.address(after: "Listening on ")])
        report("recorded and mirrored", try mirroring.peakInMegabytes())
        report("followed\(saves ? " and saved" : "")", try listening.peakInMegabytes())
    }
    guard above.isEmpty else {
        let reason = "memory: above the aim of \(Int(aimInMegabytes)) MB: \(above.joined(separator: ", "))"
        throw CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}

private let aimInMegabytes = 40.0

/// The files of one machine.
private struct Home {
    let folder: URL
    let program: URL

    init(_ folder: URL, _ program: URL) {
        self.folder = folder
        self.program = program
    }

    func run(_ arguments: [String], _ more: [String: String] = [:]) throws -> Run {
        var variables = ProcessInfo.processInfo.environment
        variables["XDG_DATA_HOME"] = folder.appendingPathComponent("data").path
        variables["XDG_CONFIG_HOME"] = folder.appendingPathComponent("config").path
        variables["HEALTHKIT_AUTHORIZATION"] = "allow"
        variables["HEALTHKIT_MIRROR_DISCOVERY"] = "off"
        return try Run(program, arguments, variables.merging(more) { $1 })
    }
}

/// A process, its output, and its peak resident memory.
private final class Run: Sendable {
    private let process = Process()
    private let said = Mutex("")
    private let peak = Mutex(0.0)

    init(_ program: URL, _ arguments: [String], _ variables: [String: String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.environment = variables
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        errors.fileHandleForReading.readabilityHandler = { [weak self] in
            let text = String(decoding: $0.availableData, as: UTF8.self)
            self?.said.withLock { $0 += text }
        }
        try process.run()
        Thread.detachNewThread { [self] in
            while process.isRunning {
                measure()
                usleep(5_000)
            }
        }
    }

    private func measure() {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kilobytes = line?.split(separator: " ").dropLast().last.flatMap({ Double($0) }) else { return }
        peak.withLock { $0 = max($0, kilobytes / 1_024) }
    }

    /// The address that it prints after these words.
    func address(after words: String) throws -> String {
        while process.isRunning {
            let text = said.withLock { $0 }
            if let range = text.range(of: words) {
                let rest = text[range.upperBound...]
                if let end = rest.firstIndex(where: { " ;\n".contains($0) }) {
                    return rest[..<end].trimmingCharacters(in: ["."])
                }
            }
            usleep(10_000)
        }
        throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: said.withLock { $0 }])
    }

    /// Waits until it ends. Throws its output if it failed.
    func peakInMegabytes() throws -> Double {
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: said.withLock { $0 }])
        }
        return peak.withLock { $0 }
    }
}

import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Synchronization

/// `workout monitor`: shows readings without a session.
struct Monitor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Print live readings without a session, until Ctrl-C.",
        discussion: """
            Waits for sensors that are away and reports what happens. Without SENSOR, uses those of HEALTHKIT_SENSORS, or all \
            paired sensors. With --json, each line has a "type": "heartRate" and the other measurements, "state", "battery", \
            "device", "contact", "missed", "unreadable".

            Example:
              workout monitor --duration 5m --json
            """
    )

    @Argument(help: SensorArgument.help, completion: StoredCompletion.sensors)
    var sensor: [String] = []

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Add the raw bytes that the sensor sent.")
    var raw = false

    @Flag(help: "Reset the sensor's energy counter to 0.")
    var resetEnergy = false

    @Option(help: "How long: seconds, or with units: 90s, 5m, 1h30m (366 days at most). Default: until Ctrl-C.")
    var duration: DurationArgument?

    @OptionGroup var bluetooth: BluetoothOptions

    func run() async throws {
        let environment = try bluetooth.environment
        let sensors = try SensorArgument.sensors(sensor, in: environment)
        try await environment.requireRadio(of: sensors.map(\.address))
        let output = MonitorOutput(
            MonitorReport(
                json: json, raw: raw, namesSensors: sensors.count > 1, page: Page.standard(columnsInPipe: .max)),
            sensors)
        let known = Set(sensors.map(\.address))
        let work = Task { [resetEnergy] in
            await withTaskGroup(of: Void.self) { group in
                for sensor in sensors {
                    var link = SensorLink(
                        sensor.address, kind: sensor.addressKind, name: sensor.name, central: environment.central)
                    link.others = known.subtracting([sensor.address])
                    link.resetsEnergy = resetEnergy
                    group.addTask { [link] in await link.run { output.happened($0, sensor) } }
                }
            }
        }
        let interrupted = try await Interruption.calling(
            endsWithOutput: true, after: duration?.seconds, { work.cancel() }
        ) { await work.value }
        await environment.central.close()
        if let pairing = try? environment.pairing { output.learn(pairing) }
        if interrupted { throw ExitCode.interrupted }
    }
}

/// Prints the lines of several links as they arrive, and collects what the links report about their sensors.
private final class MonitorOutput: Sendable {
    private let state: Mutex<State>

    private struct State {
        var report: MonitorReport
        var sensors: [DeviceAddress: PairedSensor]
    }

    init(_ report: MonitorReport, _ sensors: [PairedSensor]) {
        let known = Dictionary(sensors.map { ($0.address, $0) }) { first, _ in first }
        state = Mutex(State(report: report, sensors: known))
    }

    func happened(_ event: SensorLinkEvent, _ sensor: PairedSensor) {
        state.withLock { state in
            state.sensors[sensor.address]?.update(with: event)
            for line in state.report.lines(for: event, of: sensor, at: Date()) { print(line) }
            CommandOutput.standard.flush()
        }
        // The sensor has sent its details and measures. From here on the work repeats.
        if case .details = event { StartupPages.giveBack() }
    }

    /// Saves battery, model and when each sensor was last seen. Ignores failures, since they do not matter to a
    /// monitor.
    func learn(_ pairing: PairedSensors) {
        for sensor in state.withLock({ Array($0.sensors.values) }) { try? pairing.note(sensor) }
    }
}

/// Memory that only the start of the program needed.
///
/// A start touches some 20 MB of code and tables: of the dynamic linker, of the runtime's scan of conformances, of
/// libraries that initialise themselves. All of it stays mapped, although a monitor then uses a fifth. If a page that
/// was given back is needed after all, it is read again from the file or from the kernel's cache.
enum StartupPages {
    /// Gives the pages back to the kernel. Nothing is lost: these pages cannot be written and never were.
    static func giveBack() {
        guard let file = fopen("/proc/self/smaps", "re") else { return }
        defer { fclose(file) }
        for range in unwritten(mappings: text(of: file)) {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// Reads all of a file. A file in /proc has the size 0 and gives one piece per read, so reading once or by size
    /// returns only the beginning.
    static func text(of file: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 14) { piece in
            while case let count = fread(piece.baseAddress, 1, piece.count, file), count > 0 {
                bytes.append(contentsOf: piece[..<count])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the mappings of files that cannot be written and are as in the file. Leaves out pages that the dynamic
    /// linker relocated before it made the mapping read-only.
    /// - Parameter mappings: The content of /proc/self/smaps (proc_pid_smaps(5)).
    static func unwritten(mappings: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in mappings.split(separator: "\n") {
            if line.hasPrefix("Anonymous:") {
                if line.split(separator: " ").dropFirst().first == "0", let candidate { ranges.append(candidate) }
                candidate = nil
                continue
            }
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard let bounds = fields.first.flatMap(range) else { continue }
            let isFile = fields.count == 6 && fields[5].drop { $0 == " " }.hasPrefix("/")
            candidate = isFile && fields[1].hasPrefix("r-") && fields[1].hasSuffix("p") ? bounds : nil
        }
        return ranges
    }

    private static func range(_ text: Substring) -> Range<UInt>? {
        let bounds = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
        return bounds.count == 2 && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : nil
    }
}

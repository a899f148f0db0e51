import Foundation
import HealthKit

/// The user's enabled systemd units that run the command, and processes that still run from before an update.
struct InstalledServices {
    /// The folders in the order in which systemd looks (systemd.unit(5), "User Unit Search Path"). The first unit of a
    /// name counts.
    var folders: [URL]
    /// The kernel's list of processes (proc(5)).
    var processes = URL(fileURLWithPath: "/proc")

    init(folders: [URL], processes: URL = URL(fileURLWithPath: "/proc")) {
        (self.folders, self.processes) = (folders, processes)
    }

    init(variables: [String: String]) {
        let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        folders =
            [DeliveryFolders(variables: variables).units, URL(fileURLWithPath: "/etc/systemd/user")]
            + [
                URL(fileURLWithPath: data ?? (variables["HOME"] ?? NSHomeDirectory()) + "/.local/share")
                    .appendingPathComponent("systemd/user")
            ]
            + ["/usr/local/lib/systemd/user", "/usr/lib/systemd/user"].map { URL(fileURLWithPath: $0) }
    }

    /// The programs of the enabled units, with the units' names.
    var programs: [(unit: String, program: String)] {
        enabledNames.sorted().compactMap { name in
            let texts = folders.lazy.compactMap {
                try? String(contentsOf: $0.appendingPathComponent(name), encoding: .utf8)
            }
            guard let program = texts.first.flatMap(Self.program), program.hasSuffix("/workout") else { return nil }
            return (name, program)
        }
    }

    /// Units that another unit wants: `default.target.wants/healthkit-mirror.service`. A timer stands for its service.
    private var enabledNames: Set<String> {
        let files = FileManager.default
        var names: Set<String> = []
        for folder in folders {
            let wants = (try? files.contentsOfDirectory(atPath: folder.path))?.filter { $0.hasSuffix(".wants") } ?? []
            for want in wants {
                let units = (try? files.contentsOfDirectory(atPath: folder.path + "/" + want)) ?? []
                names.formUnion(
                    units.map { $0.hasSuffix(".timer") ? $0.dropLast("timer".count) + "service" : $0 }
                        .filter { $0.hasPrefix("healthkit-") && $0.hasSuffix(".service") })
            }
        }
        return names
    }

    /// Returns the first word of `ExecStart`, which may be in quotation marks (systemd.syntax(7), "Quoting").
    static func program(of unit: String) -> String? {
        guard
            let line = unit.split(separator: "\n").last(where: {
                $0.hasPrefix("ExecStart=/") || $0.hasPrefix("ExecStart=\"/")
            })
        else { return nil }
        let command = line.dropFirst("ExecStart=".count)
        let word = command.first == "\"" ? command.dropFirst().prefix { $0 != "\"" } : command.prefix { $0 != " " }
        return word.replacingOccurrences(of: "%%", with: "%").replacingOccurrences(of: "\\\\", with: "\\")
    }

    /// Running processes whose program was replaced or removed since they started, with their subcommands.
    var outdated: [(process: Int, command: String)] {
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: processes.path)) ?? []).compactMap(
            Int.init)
        return numbers.sorted().compactMap { number in
            let folder = processes.appendingPathComponent("\(number)").path
            // The kernel appends this to the name of a deleted file (proc(5)).
            guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/exe"),
                program.hasSuffix("/workout (deleted)"),
                let line = FileManager.default.contents(atPath: folder + "/cmdline")
            else { return nil }
            let words = line.split(separator: 0).dropFirst().prefix { $0.first != UInt8(ascii: "-") }
            return (number, words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
        }
    }
}

extension DoctorFinding {
    /// - Parameters:
    ///   - version: The version of this command.
    ///   - versionOf: Returns the version of the command at a path, or nil if it cannot be run.
    static func services(
        _ services: InstalledServices, version: String = Version.line, versionOf: (String) -> String?
    ) -> [DoctorFinding] {
        let units = services.programs.compactMap { unit, program -> DoctorFinding? in
            let other = versionOf(program)
            guard other != version else { return nil }
            let fault = other.map { "is \($0), but this command is \(version)" } ?? "cannot be run"
            return DoctorFinding(
                subject: unit, state: .warning, message: "it runs \(program), which \(fault)",
                remedy: "install this version there too, or disable the service: systemctl --user disable --now \(unit)"
            )
        }
        let running = services.outdated.map { process, command in
            DoctorFinding(
                subject: "process \(process)", state: .warning,
                message: "'workout \(command)' still runs the version from before an update",
                remedy: "systemctl --user try-restart 'healthkit-*', or stop it and start it again")
        }
        return units + running
    }

    /// Returns the version of the command at a path.
    static func version(of program: String) -> String? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--version"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, text.hasPrefix("workout ") else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

import ArgumentParser
import Foundation
import HealthKit

extension Delivery {
    struct Install: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Write systemd user units and D-Bus activation files for the runner and the apps.",
            discussion: """
                Units are written to $XDG_CONFIG_HOME/systemd/user, activation files (for apps that registered with a name in \
                HEALTHKIT_BUS_NAME) to $XDG_DATA_HOME/dbus-1/services. Apps that register later are started directly; run \
                'install' again to give them a unit. If the runner's unit came with the command and fits this user's store, \
                it is kept. Nothing is enabled; the command that does so is printed.

                Example:
                  workout delivery install --print
                """)

        @Flag(help: "Print the files instead of writing them.")
        var print = false

        func run() throws {
            let environment = HealthEnvironment.current
            let variables = ProcessInfo.processInfo.environment
            let folders = DeliveryFolders(variables: variables)
            let apps = try CommandFailure.storeFault { try environment.database.deliveries(to: nil).map(\.app) }
            let runner = Self.runner(environment, variables)
            let installed = Self.installedUnit(for: runner, folders, variables)
            if let installed { CommandOutput.standard.print("\(print ? "# " : "")existing: \(installed.path)") }
            for file in folders.files(runner: installed == nil ? runner : nil, apps: apps) {
                if print {
                    CommandOutput.standard.print("# \(file.url.path)")
                    for line in file.text.split(separator: "\n", omittingEmptySubsequences: false) {
                        CommandOutput.standard.print(String(line))
                    }
                } else {
                    try file.install(mark: DeliveryFolders.mark)
                }
            }
            for app in apps {
                guard let obstacle = DeliveryFolders.obstacle(to: app) else { continue }
                CommandOutput.error.print(
                    "notice: \(app.bundleIdentifier) gets no systemd unit: \(obstacle). 'workout delivery run' starts it directly."
                )
            }
            if !print { for line in Self.advice(variables) { CommandOutput.standard.print(line) } }
        }

        /// An app entry that runs this very program on this store.
        private static func runner(_ environment: HealthEnvironment, _ variables: [String: String]) -> DeliveryApp {
            var runner = DeliveryApp.running(as: .default())
            runner.arguments = ["delivery", "run"]
            runner.workingDirectory = variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
            runner.environment = runner.environment.filter { ["XDG_DATA_HOME", "XDG_CONFIG_HOME"].contains($0.key) }
            if case .postgreSQL = environment.location {
                runner.environment["HEALTHKIT_STORE"] = variables["HEALTHKIT_STORE"]
                runner.environment["HEALTHKIT_PERSON"] = variables["HEALTHKIT_PERSON"]
            } else {
                runner.environment["HEALTHKIT_STORE"] = environment.storeFile
            }
            return runner
        }

        /// Returns the unit that came with the command, if it suits this user: it knows no other store and no other
        /// folders. A unit written earlier is written again, because systemd prefers it.
        static func installedUnit(
            for runner: DeliveryApp, _ folders: DeliveryFolders, _ variables: [String: String]
        ) -> URL? {
            let own = folders.units.appendingPathComponent(DeliveryFolders.runnerUnit)
            guard variables["HEALTHKIT_STORE"] == nil, runner.environment.keys.elementsEqual(["HEALTHKIT_STORE"]),
                !FileManager.default.fileExists(atPath: own.path)
            else { return nil }
            return DeliveryFolders.installedUnit(besideCommand: runner.executable)
        }

        private static func advice(_ variables: [String: String]) -> [String] {
            let hasManager = variables["XDG_RUNTIME_DIR"].map {
                FileManager.default.fileExists(atPath: $0 + "/systemd/private")
            }
            guard hasManager == true else {
                return [
                    "This session has no systemd user manager, so the runner does not start by itself.",
                    "Start 'workout delivery run' another way (your session's autostart, a supervisor). If systemd "
                        + "is available, log in there and run:",
                    "  systemctl --user daemon-reload && systemctl --user enable --now \(DeliveryFolders.runnerUnit)",
                ]
            }
            return [
                "To start it now and after every login:",
                "  systemctl --user daemon-reload && systemctl --user enable --now \(DeliveryFolders.runnerUnit)",
                "To also run it without a login: loginctl enable-linger",
            ]
        }
    }

    struct Uninstall: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall",
            abstract: "Remove what 'install' wrote. Apps stay registered.",
            discussion: """
                Example:
                  workout delivery uninstall
                """)

        func run() throws {
            let files = DeliveryFolders(variables: ProcessInfo.processInfo.environment).installed()
            guard !files.isEmpty else { return CommandOutput.standard.print("Nothing to remove.") }
            CommandOutput.standard.print(
                "If the runner is enabled, disable it: systemctl --user disable --now \(DeliveryFolders.runnerUnit)")
            for file in files {
                do {
                    try FileManager.default.removeItem(at: file)
                } catch {
                    throw CommandFailure(
                        exitCode: .ownFault,
                        message: "\(file.path) cannot be removed: \(CommandFailure.describe(error))")
                }
                CommandOutput.standard.print("removed: \(file.path)")
            }
        }
    }
}

extension DeliveryFolders.File {
    /// Writes the file for systemd or D-Bus. Replaces a file with this first line, and leaves any other.
    func install(mark: String) throws {
        if let other = FileManager.default.contents(atPath: url.path), !other.starts(with: Data(mark.utf8)) {
            throw CommandFailure(
                exitCode: .badInput,
                message: "\(url.path) already exists and was not written by this command; move it away and try again")
        }
        do { try DeliveryFolders.write(self) } catch {
            throw CommandFailure(
                exitCode: .outputFault, message: "\(url.path) cannot be written: \(CommandFailure.describe(error))")
        }
        CommandOutput.standard.print("written: \(url.path)")
    }
}

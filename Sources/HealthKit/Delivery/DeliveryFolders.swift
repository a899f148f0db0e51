/// Where units and bus services of a user are, and what `workout delivery install` writes there.
package struct DeliveryFolders: Sendable {
    /// `$XDG_CONFIG_HOME/systemd/user`
    package let units: URL
    /// `$XDG_DATA_HOME/dbus-1/services`
    package let services: URL

    package static let runnerUnit = "healthkit-delivery.service"
    /// The first line of every file that is ours.
    package static let mark = "# Written by workout delivery install"

    package init(variables: [String: String]) {
        // The XDG base directory specification has a path that is not absolute ignored.
        func folder(_ name: String, _ fallback: String) -> URL {
            let path = variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return URL(fileURLWithPath: path ?? (variables["HOME"] ?? NSHomeDirectory()) + fallback, isDirectory: true)
        }
        units = folder("XDG_CONFIG_HOME", "/.config").appendingPathComponent("systemd/user")
        services = folder("XDG_DATA_HOME", "/.local/share").appendingPathComponent("dbus-1/services")
    }

    package static func unitName(of app: DeliveryApp) -> String {
        let name = app.bundleIdentifier.map { character in
            character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
                ? character : "_"
        }
        return "healthkit-app-\(String(name)).service"
    }

    package func unit(of app: DeliveryApp) -> URL { units.appendingPathComponent(Self.unitName(of: app)) }
    package func busService(_ name: String) -> URL { services.appendingPathComponent(name + ".service") }

    /// D-Bus specification, "Bus names": elements of letters, digits, `_` and `-`, at least two, none beginning with a digit.
    static func isBusName(_ name: String) -> Bool {
        let elements = name.split(separator: ".", omittingEmptySubsequences: false)
        return elements.count > 1 && name.utf8.count <= 255
            && elements.allSatisfy { element in
                guard let first = element.first, !first.isNumber else { return false }
                return element.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
            }
    }

    // MARK: Files

    package struct File: Sendable, Equatable {
        package var url: URL
        package var text: String
    }

    /// The runner's unit, one for each app, and an activation file for each that owns a name on the bus.
    /// - Parameter runner: The command and what it needs of the environment.
    package func files(runner: DeliveryApp, apps: [DeliveryApp]) -> [File] {
        var files = [File(url: units.appendingPathComponent(Self.runnerUnit), text: Self.unit(runner, isRunner: true))]
        for app in apps {
            files.append(File(url: unit(of: app), text: Self.unit(app, isRunner: false)))
            if let name = app.busName { files.append(File(url: busService(name), text: Self.service(app, name))) }
        }
        return files
    }

    /// The files of ours that are there.
    package func installed() -> [URL] {
        [units, services].flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
                .filter { url in
                    guard url.pathExtension == "service", let data = FileManager.default.contents(atPath: url.path)
                    else { return false }
                    return data.starts(with: Data(Self.mark.utf8))
                }
        }.sorted { $0.path < $1.path }
    }

    /// systemd.service(5), systemd.exec(5).
    private static func unit(_ app: DeliveryApp, isRunner: Bool) -> String {
        let what = isRunner ? "Starts apps for new health data" : "\(app.name), started for new health data"
        var lines = [mark, "[Unit]", "Description=" + what.replacingOccurrences(of: "%", with: "%%"), "", "[Service]"]
        lines.append("Type=exec")
        lines.append(
            "ExecStart=" + ([app.executable] + app.arguments).map { quoted($0, isCommand: true) }.joined(separator: " ")
        )
        lines.append("WorkingDirectory=" + app.workingDirectory.replacingOccurrences(of: "%", with: "%%"))
        for (name, value) in app.environment.sorted(by: { $0.key < $1.key }) {
            lines.append("Environment=" + quoted("\(name)=\(value)", isCommand: false))
        }
        if isRunner {
            // Apps that it started directly outlive it.
            lines += [
                "KillMode=process", "Restart=on-failure", "RestartSec=10", "", "[Install]", "WantedBy=default.target",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// D-Bus specification, "Message Bus Starting Services". Bus services know neither a folder nor an environment; env(1)
    /// gives them both.
    private static func service(_ app: DeliveryApp, _ name: String) -> String {
        let variables = app.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let words = ["/usr/bin/env", "-C", app.workingDirectory] + variables + [app.executable] + app.arguments
        let command = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        return [mark, "[D-BUS Service]", "Name=\(name)", "Exec=" + command.joined(separator: " ")]
            .joined(separator: "\n") + "\n"
    }

    private static func quoted(_ word: String, isCommand: Bool) -> String {
        var text = word.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "%", with: "%%")
        if isCommand { text = text.replacingOccurrences(of: "$", with: "$$") }
        return "\"\(text)\""
    }
}

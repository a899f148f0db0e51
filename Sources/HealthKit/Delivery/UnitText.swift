/// The text of units and of activation files. A line break in them would begin another setting, so all names and
/// arguments of apps are escaped.
package enum UnitText {
    /// Returns a unit (systemd.service(5), systemd.exec(5)).
    static func unit(_ app: DeliveryApp, isRunner: Bool) -> String {
        let what = isRunner ? "Starts apps for new health data" : "\(shown(app.name)), started for new health data"
        var lines = [DeliveryFolders.mark, "[Unit]", "Description=" + what, "", "[Service]", "Type=exec"]
        lines.append(
            "ExecStart=" + ([app.executable] + app.arguments).map { quoted($0, isCommand: true) }.joined(separator: " ")
        )
        lines.append("WorkingDirectory=" + app.workingDirectory.replacingOccurrences(of: "%", with: "%%"))
        for variable in variables(app) { lines.append("Environment=" + quoted(variable, isCommand: false)) }
        if isRunner {
            // Apps that it started directly outlive it. If it is asked to end, the command exits as after Ctrl-C.
            lines += [
                "KillMode=process", "Restart=on-failure", "RestartSec=10", "SuccessExitStatus=130", "", "[Install]",
                "WantedBy=default.target",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns an activation file (D-Bus specification, "Message Bus Starting Services"). Bus services have neither a
    /// folder nor an environment, so env(1) sets both.
    static func service(_ app: DeliveryApp, _ name: String) -> String {
        let words = ["/usr/bin/env", "-C", app.workingDirectory] + variables(app) + [app.executable] + app.arguments
        let command = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }.joined(separator: " ")
        // The value is read like a shell command, after the escapes of the file itself (Desktop Entry Specification,
        // "Possible value types").
        let value = escaped(command.replacingOccurrences(of: "\\", with: "\\\\"))
        return [DeliveryFolders.mark, "[D-BUS Service]", "Name=\(name)", "Exec=" + value].joined(separator: "\n") + "\n"
    }

    /// Escapes the text in the way of both kinds of files.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\t": "\\t"
            case "\r": "\\r"
            default: String(scalar)
            }
        }.joined()
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Returns whether both kinds of files have an escape for all characters in it.
    package static func canBeWritten(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { !isControl($0) || ["\n", "\t", "\r"].contains($0) }
    }

    /// Returns `NAME=value` for each variable, sorted by name. Leaves out invalid names and values that cannot be
    /// written.
    private static func variables(_ app: DeliveryApp) -> [String] {
        app.environment.sorted { $0.key < $1.key }.filter { isVariable($0.key) && canBeWritten($0.value) }
            .map { "\($0.key)=\($0.value)" }
    }

    /// Returns whether a text is the name of an environment variable (POSIX.1-2017, 8.1).
    static func isVariable(_ name: String) -> Bool {
        name.first?.isNumber == false && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// Returns a name for a description. A backslash at its end would join the next line.
    private static func shown(_ name: String) -> String {
        let scalars = name.unicodeScalars.filter { !isControl($0) && $0 != "\\" }
        return String(String.UnicodeScalarView(scalars)).replacingOccurrences(of: "%", with: "%%")
    }

    /// Returns a word of a command, or of an environment, in quotation marks (systemd.syntax(7), "Quoting").
    package static func quoted(_ word: String, isCommand: Bool) -> String {
        let text = escaped(
            word.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
                .replacingOccurrences(of: "%", with: "%%"))
        return "\"\(isCommand ? text.replacingOccurrences(of: "$", with: "$$") : text)\""
    }
}

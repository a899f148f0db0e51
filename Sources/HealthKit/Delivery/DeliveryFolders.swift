import SessionLog

/// The folders of a user's units and bus services, in which `workout delivery install` writes files.
package struct DeliveryFolders: Sendable {
    /// `$XDG_CONFIG_HOME/systemd/user`
    package let units: URL
    /// `$XDG_DATA_HOME/dbus-1/services`
    package let services: URL

    package static let runnerUnit = "healthkit-delivery.service"
    /// The first line of all files that this library writes.
    package static let mark = "# Written by workout delivery install"

    package init(variables: [String: String]) {
        // The XDG base directory specification requires that a relative path is ignored.
        func folder(_ name: String, _ fallback: String) -> URL {
            let path = variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return URL(fileURLWithPath: path ?? (variables["HOME"] ?? NSHomeDirectory()) + fallback, isDirectory: true)
        }
        units = folder("XDG_CONFIG_HOME", "/.config").appendingPathComponent("systemd/user")
        services = folder("XDG_DATA_HOME", "/.local/share").appendingPathComponent("dbus-1/services")
    }

    /// Returns the runner's unit that was installed together with a command (`make install`, the package). It is the
    /// same as that of ``files(runner:apps:)`` for a command on its user's own store.
    package static func installedUnit(besideCommand executable: String) -> URL? {
        let prefix = URL(fileURLWithPath: executable).deletingLastPathComponent().deletingLastPathComponent()
        // See systemd.unit(5), "User Unit Search Path": lib for the system's own prefixes, share for every prefix.
        return ["lib", "share"].map { prefix.appendingPathComponent("\($0)/systemd/user/\(runnerUnit)") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
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

    /// Returns whether a name is a bus name (D-Bus specification, "Bus names"): elements of letters, digits, `_` and
    /// `-`, at least two, none beginning with a digit.
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

        package init(url: URL, text: String) {
            self.url = url
            self.text = text
        }
    }

    /// Returns the runner's unit, one for each app, and an activation file for each app that owns a name on the bus.
    /// Apps with an ``obstacle(to:)`` get none.
    /// - Parameter runner: The command and the part of the environment that it needs. Nil if its unit exists.
    package func files(runner: DeliveryApp?, apps: [DeliveryApp]) -> [File] {
        var files =
            runner.map { runner in
                [File(url: units.appendingPathComponent(Self.runnerUnit), text: UnitText.unit(runner, isRunner: true))]
            } ?? []
        for app in apps where Self.obstacle(to: app) == nil {
            files.append(File(url: unit(of: app), text: UnitText.unit(app, isRunner: false)))
            if let name = app.busName, Self.isBusName(name) {
                files.append(File(url: busService(name), text: UnitText.service(app, name)))
            }
        }
        return files
    }

    /// Returns why no file can express how the app is started, or nil. The runner then starts it directly.
    package static func obstacle(to app: DeliveryApp) -> String? {
        for (what, path) in [("program", app.executable), ("folder", app.workingDirectory)] {
            if !path.hasPrefix("/") || path.unicodeScalars.contains(where: UnitText.isControl) || path.hasSuffix("\\")
                || path.last?.isWhitespace == true
            {
                return "the name of its \(what) cannot be written into a unit"
            }
        }
        guard app.arguments.allSatisfy(UnitText.canBeWritten) else {
            return "one of its arguments cannot be written into a unit"
        }
        return nil
    }

    /// Writes a file completely or not at all. Only this user can read it, because it contains where their data is.
    package static func write(_ file: File) throws {
        // Missing folders get the same mode as other programs give them.
        try FileManager.default.createDirectory(
            at: file.url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try DurableFile.write(Data(file.text.utf8), to: file.url)
    }

    /// Returns the existing files of this library.
    package func installed() -> [URL] {
        let files: [URL] = [units, services].flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        }
        let ours = files.filter { url in
            guard url.pathExtension == "service", let data = FileManager.default.contents(atPath: url.path)
            else { return false }
            return data.starts(with: Data(Self.mark.utf8))
        }
        return ours.sorted { $0.path < $1.path }
    }
}

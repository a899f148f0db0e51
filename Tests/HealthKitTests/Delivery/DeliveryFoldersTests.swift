import Foundation
import HealthKit
import Testing

/// The files that `workout delivery install` writes.
@Suite struct DeliveryFoldersTests {
    private let folders = DeliveryFolders(variables: ["XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"])
    private let runner = DeliveryApp(bundleIdentifier: "local.workout", name: "workout", executable: "/bin/workout")

    @Test func `units and activation files contain everything the app was started with`() throws {
        let app = DeliveryApp(
            bundleIdentifier: "org.example.My App", name: "My App", executable: "/opt/my app",
            arguments: ["100%", #"a "b" $c \"#], workingDirectory: "/home/me", environment: ["TZ": "UTC"],
            busName: "org.example.MyApp")
        let files = folders.files(runner: runner, apps: [app])
        #expect(
            files.map(\.url.path) == [
                "/c/systemd/user/healthkit-delivery.service",
                "/c/systemd/user/healthkit-app-org.example.My_App.service",
                "/d/dbus-1/services/org.example.MyApp.service",
            ])
        #expect(files[0].text.contains("ExecStart=\"/bin/workout\"\n"))
        #expect(files[0].text.contains("WantedBy=default.target"))
        #expect(
            files[1].text.contains(#"ExecStart="/opt/my app" "100%%" "a \"b\" $$c \\""#), "\(files[1].text)")
        #expect(files[1].text.contains("WorkingDirectory=/home/me\nEnvironment=\"TZ=UTC\""))
        // The bus needs two backslashes for one: it ignores files with a single one.
        #expect(
            files[2].text.contains(#"Exec='/usr/bin/env' '-C' '/home/me' 'TZ=UTC' '/opt/my app' '100%' 'a "b" $c \\'"#),
            "\(files[2].text)")
        for file in files { #expect(file.text.hasPrefix(DeliveryFolders.mark)) }
    }

    @Test func `names and variables never begin a new line`() throws {
        let evil = "x\nExecStart=/bin/evil\r\n[Service]\u{2028}y\u{85}\\"
        let app = DeliveryApp(
            bundleIdentifier: "org.example.\(evil)", name: evil, executable: "/opt/app",
            arguments: ["a\nb\tc\rd"], workingDirectory: "/home/me",
            environment: [
                "HEALTHKIT_A": "1\n2", "HEALTHKIT_B": "\u{1B}[2J", "HEALTHKIT_C\nD": "3", "LC_9\u{2028}": "",
            ],
            busName: "org.example.App")
        let files = folders.files(runner: runner, apps: [app])
        let lines = files.map { $0.text.split(separator: "\n").map { $0.prefix { $0 != "=" } } }
        #expect(
            lines[1].dropFirst() == [
                "[Unit]", "Description", "[Service]", "Type", "ExecStart", "WorkingDirectory", "Environment",
            ])
        #expect(lines[2].dropFirst() == ["[D-BUS Service]", "Name", "Exec"])
        for file in files {
            #expect(file.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
            #expect(!file.text.contains("\u{2028}") && !file.text.contains("\\\n"))
            #expect(!file.url.lastPathComponent.contains("\n"))
        }
        #expect(files[1].text.contains(#"ExecStart="/opt/app" "a\nb\tc\rd""#))
        #expect(files[1].text.contains(#"Environment="HEALTHKIT_A=1\n2""#))
        #expect(files[2].text.contains(#"'HEALTHKIT_A=1\n2' '/opt/app' 'a\nb\tc\rd'"#))
    }

    @Test(arguments: ["/home/me\n", "/home/me\\", "/home/me ", "here", "/home/\u{1B}me"])
    func `an app whose folder or program cannot be written gets no files, and a reason`(path: String) {
        let there = DeliveryApp(
            bundleIdentifier: "org.example.App", name: "App", executable: "/opt/app", workingDirectory: path)
        let program = DeliveryApp(bundleIdentifier: "org.example.App", name: "App", executable: path)
        for (app, what) in [(there, "folder"), (program, "program")] {
            #expect(folders.files(runner: runner, apps: [app]).count == 1)
            #expect(DeliveryFolders.obstacle(to: app)?.contains(what) == true)
        }
    }

    @Test func `an invalid bus name leads to no file elsewhere`() {
        let app = DeliveryApp(
            bundleIdentifier: "org.example.App", name: "App", executable: "/opt/app", busName: "../../evil")
        #expect(folders.files(runner: runner, apps: [app]).count == 2)
    }

    /// The settings of a unit's sections, without descriptions.
    private func settings(_ unit: String) -> [String] {
        unit.split(separator: "\n").map(String.init).filter { line in
            !["#", "@sandbox@", "Description=", "Documentation=", "RestrictAddressFamilies=", "WorkingDirectory="]
                .contains { line.hasPrefix($0) }
        }
    }

    @Test func `the installed unit equals the one written for a user, in a sandbox`()
        throws
    {
        let packaging = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/workout/Packaging")
        let text = try String(contentsOf: packaging.appending(path: DeliveryFolders.runnerUnit), encoding: .utf8)
        var runner = runner
        runner.executable = "/usr/bin/workout"
        runner.arguments = ["delivery", "run"]
        #expect(
            settings(text.replacingOccurrences(of: "@bindir@", with: "/usr/bin"))
                == settings(folders.files(runner: runner, apps: [])[0].text))
        #expect(folders.files(runner: nil, apps: []).isEmpty)
    }

    @Test(arguments: ["lib", "share"]) func `a unit installed beside the command is found`(kind: String) throws {
        let prefix = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())")
        defer { try? FileManager.default.removeItem(at: prefix) }
        let command = prefix.appending(path: "bin/workout").path
        #expect(DeliveryFolders.installedUnit(besideCommand: command) == nil)
        let unit = prefix.appending(path: "\(kind)/systemd/user/healthkit-delivery.service")
        try DeliveryFolders.write(.init(url: unit, text: ""))
        #expect(DeliveryFolders.installedUnit(besideCommand: command)?.path == unit.path)
    }

    @Test func `files are private to the user, and replaced`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "units/one.service")
        for text in ["first", "second"] { try DeliveryFolders.write(.init(url: url, text: text)) }
        #expect(try String(contentsOf: url, encoding: .utf8) == "second")
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "units").path).count == 1)
    }
}

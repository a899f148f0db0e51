import Foundation
import Testing

/// The modules may depend on each other in one direction only, and outside libraries stay behind one module each.
@Suite struct ModuleArrowTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    /// Module → the modules, ours and others, that it may import.
    private static let allowed: [String: Set<String>] = [
        "Analytics": [],
        "CoreLocation": [],
        "UniformTypeIdentifiers": [],
        "DBus": ["CDBus"],
        "GATT": [],
        "Bluetooth": ["DBus", "GATT", "CBlueZ"],
        "ANT": ["Bluetooth", "CUSB", "GATT", "LibraryLoading"],
        "Mirroring": ["DBus", "NIOCore", "NIOPosix", "NIOTLS", "NIOSSL", "COpenSSL"],
        "Units": [],
        "SessionLog": ["Analytics", "GATT", "Units"],
        "Engine": ["Analytics", "Bluetooth", "GATT", "Mirroring", "SessionLog"],
        "XML": ["SessionLog"],
        "Recordings": ["Analytics", "CZlib", "GATT", "GRDBSQLite", "SessionLog", "Units", "XML"],
        "HealthData": ["Analytics", "CoreLocation", "SessionLog", "UniformTypeIdentifiers", "Units", "XML"],
        "HealthStore": [
            "Analytics", "CoreLocation", "HealthData", "SessionLog", "UniformTypeIdentifiers", "Units", "GRDB",
            "GRDBSQLite",
        ],
        "LibraryLoading": [],
        "PostgreSQLStore": ["CPostgreSQL", "HealthStore", "LibraryLoading"],
        "Brokers": ["CMosquitto", "CNATS", "LibraryLoading", "SessionLog"],
        "HealthKit": [
            "PostgreSQLStore", "Analytics", "ANT", "Bluetooth", "Brokers", "CoreLocation", "CSpawn", "Engine", "GATT",
            "HealthData",
            "HealthStore",
            "Mirroring",
            "Recordings", "SessionLog", "UniformTypeIdentifiers", "CombineForLinux",
        ],
        "StoredWorkouts": ["Analytics", "CoreLocation", "Engine", "HealthKit", "Recordings", "SessionLog"],
        // Modules of C by Apple's names.
        "AppleModules": [],
        "CombineForLinux": ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"],
        // The Swift part of a module imports its C part by the C part's name.
        "OSForLinux": ["OSForLinux"],
        "WatchConnectivityForLinux": ["CombineForLinux"],
        "WatchKitForLinux": ["HealthKit"],
        "SwiftUIForLinux": ["CombineForLinux", "WatchKitForLinux"],
        "HealthKitUI": ["HealthKit"],
        "HealthKitTesting": [
            "Analytics", "Bluetooth", "CoreLocation", "Engine", "GATT", "HealthKit", "SessionLog", "StoredWorkouts",
            "Testing",
        ],
        "Reports": ["Analytics", "COutline", "HealthData", "HealthStore", "Recordings", "SessionLog"],
        "Web": ["Mirroring", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"],
        "workout": [
            "Analytics", "ANT", "Bluetooth", "Brokers", "CCommit", "CRelease", "CoreLocation", "Engine", "GATT",
            "Mirroring", "Recordings", "Reports", "SessionLog", "StoredWorkouts", "Web", "HealthKit",
            "ArgumentParser", "Logging",
        ],
    ]

    /// Modules of the platform, which everybody may import.
    private static let platform: Set<String> = [
        "Foundation", "Dispatch", "Glibc", "Synchronization", "Observation",
    ]

    @Test func `every import points downwards`() throws {
        var checked = 0
        for module in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).sorted() {
            guard let allowed = Self.allowed[module] else {
                // System modules hold a module map and no Swift.
                #expect(module.hasPrefix("C"), "\(module) has no place in the table of arrows")
                continue
            }
            let files = FileManager.default.enumerator(
                at: Self.sources.appendingPathComponent(module), includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for name in text.split(separator: "\n").compactMap(imported) {
                    #expect(
                        allowed.contains(name) || Self.platform.contains(name),
                        "\(module)/\(file.lastPathComponent) imports \(name)")
                    checked += 1
                }
            }
        }
        #expect(checked > 100)
    }

    @Test func `one file of HealthKit knows recording formats, and only with the trait Replay`() throws {
        let files = FileManager.default.enumerator(
            at: Self.sources.appendingPathComponent("HealthKit"), includingPropertiesForKeys: nil)
        var importing: [String] = []
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.split(separator: "\n").contains(where: { imported($0) == "Recordings" }) else { continue }
            importing.append(file.lastPathComponent)
            #expect(text.contains("#if Replay\nimport Recordings\n#endif"))
        }
        #expect(importing == ["ReplayedWorkout+File.swift"])
    }

    /// The imported module of a line such as `public import Foundation` or `@_exported import struct A.B`.
    private func imported(_ line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
            words[..<index].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal"].contains($0) })
        else { return nil }
        return words.last.flatMap { $0.split(separator: ".").first }.map(String.init)
    }

    @Test func `files with Apple's prefix contain Apple's API, one class each, and additions are marked`() throws {
        let files = ["HealthData", "HealthStore", "HealthKit"].flatMap { module in
            let folder = Self.sources.appendingPathComponent(module)
            return FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil).map(Array.init) ?? []
        }
        #expect(files.count > 300)
        for case let file as URL in files where file.pathExtension == "swift" {
            let name = file.deletingPathExtension().lastPathComponent
            // HKOtherTypes holds the one-line types.
            guard name.hasPrefix("HK"), !name.contains("+"), !["HKError", "HKOtherTypes"].contains(name) else {
                continue
            }
            let text = try String(contentsOf: file, encoding: .utf8)
            let classes = text.matches(of: try Regex(#"(?m)^(?:public|open)(?: final)? class (\w+)"#))
            #expect(classes.count <= 1, "\(name) holds \(classes.count) public classes")
        }
    }

    @Test func `the command prints text in one place, which escapes it and detects write errors`() throws {
        let others = [
            "FileHandle.standardOutput", "FileHandle.standardError", "Swift.print(", "fputs(", "fwrite(", "dump(",
        ]
        let files = FileManager.default.enumerator(
            at: Self.sources.appendingPathComponent("workout"), includingPropertiesForKeys: nil)
        var checked = 0
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            // Packaging of the command is not part of it.
            guard !file.path.contains("/workout/Packaging/") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for other in others {
                #expect(!text.contains(other), "\(file.lastPathComponent) prints through \(other)")
            }
            checked += 1
        }
        #expect(checked > 50)
    }

    /// A function's `Mutex` adds a wrapper at each access, so calls become slower and slower: see `LockedFunction`.
    @Test func `no lock holds a function as its whole value`() throws {
        var texts: [String: String] = [:]
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        where file.pathExtension == "swift" {
            texts[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
        #expect(texts.count > 500)
        let aliased = try texts.values.flatMap { text in
            try text.matches(of: Regex(#"typealias (\w+) *=[^\n]*\n?[^\n]*->"#, as: (Substring, Substring).self)).map(
                \.1)
        }
        let lock = try Regex(#"Mutex<\(*(@Sendable |@escaping )*(\([^\n]*->|(\#(aliased.joined(separator: "|")))\b)"#)
        for (name, text) in texts { #expect(!text.contains(lock), "\(name)") }
    }
}

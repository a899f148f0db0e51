// swift-tools-version: 6.2
import PackageDescription

// What a trait leaves out is neither fetched nor built.
let mirrors = TargetDependencyCondition.when(traits: ["Mirroring"])
let hasBluetooth = TargetDependencyCondition.when(traits: ["Bluetooth"])
let speaksPostgreSQL = TargetDependencyCondition.when(traits: ["PostgreSQL"])
let showsCombine = TargetDependencyCondition.when(traits: ["Combine"])
let replays = TargetDependencyCondition.when(traits: ["Replay"])
let speaksANT = TargetDependencyCondition.when(traits: ["ANT"])
let hasBrokers = TargetDependencyCondition.when(traits: ["Brokers"])
let speaksDBus = TargetDependencyCondition.when(traits: ["Bluetooth", "Mirroring"])

/// Files that `make` writes for a release, by the names under which CRelease includes them.
let releaseFiles = ["ICU_DATA": "WORKOUT_ICU_DATA", "LICENSES": "WORKOUT_LICENSES"].compactMapValues {
    Context.environment[$0].flatMap { $0.isEmpty ? nil : $0 }
}

let package = Package(
    name: "OpenHealthKit",
    products: [
        .library(name: "HealthKit", targets: ["HealthKit"]),
        .library(name: "HealthKitTesting", targets: ["HealthKitTesting"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .executable(name: "workout", targets: ["workout"]),
        // Modules of Apple's that unchanged files import. Each is a module of C by Apple's name, and one of Swift that it shows.
        .library(name: "os", targets: ["OSForLinux"]),
        .library(name: "OSLog", targets: ["OSForLinux"]),
        .library(name: "Combine", targets: ["CombineForLinux"]),
        .library(name: "WatchConnectivity", targets: ["WatchConnectivityForLinux"]),
        .library(name: "WatchKit", targets: ["WatchKitForLinux"]),
        .library(name: "SwiftUI", targets: ["SwiftUIForLinux"]),
        .library(name: "HealthKitUI", targets: ["HealthKitUI"]),
    ],
    traits: [
        .trait(
            name: "Bluetooth",
            description: "Sensors are reached over Bluetooth. Without it there is no libdbus to link."),
        .trait(
            name: "Mirroring",
            description:
                "Sessions are mirrored to other machines. Without it there is no SwiftNIO, TLS and OpenSSL to build."),
        .trait(
            name: "Combine",
            description: "HealthKit shows Combine, as Apple's does. Without it there is no OpenCombine to build."),
        .trait(
            name: "PostgreSQL",
            description: "The store may be on a PostgreSQL server. Without it the headers of libpq are not needed."),
        .trait(
            name: "Brokers",
            description:
                "Sessions are published to brokers (MQTT, NATS). Without it the headers of libmosquitto and libnats are not needed."
        ),
        .trait(
            name: "ANT",
            description: "ANT+ sensors are received with a USB stick. Without it the headers of libusb are not needed."),
        .trait(
            name: "Replay",
            description:
                "Apps can replay recordings as sensors (HEALTHKIT_SENSORS=replay:FILE). Without it there are no file formats to build."
        ),
        .default(enabledTraits: ["Bluetooth", "Mirroring", "Combine", "Replay"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Sources, in the order of their dependencies: arrows point upwards in this list only.
        .target(name: "Analytics"),
        .target(name: "CoreLocation"),
        .target(name: "UniformTypeIdentifiers"),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CBlueZ", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // Of the C library itself.
        .systemLibrary(name: "CSpawn"),
        .target(name: "DBus", dependencies: [.target(name: "CDBus", condition: speaksDBus)]),
        .target(name: "GATT"),
        .target(name: "Bluetooth", dependencies: ["DBus", "GATT", .target(name: "CBlueZ", condition: hasBluetooth)]),
        // C libraries that are loaded at use, of which only the headers are needed to build.
        .target(name: "LibraryLoading"),
        .systemLibrary(name: "CUSB", providers: [.apt(["libusb-1.0-0-dev"])]),
        .target(
            name: "ANT",
            dependencies: ["Bluetooth", "GATT", "LibraryLoading", .target(name: "CUSB", condition: speaksANT)]),
        .target(
            name: "Mirroring",
            dependencies: [
                .target(name: "COpenSSL", condition: mirrors), .target(name: "DBus", condition: mirrors),
                .product(name: "NIOCore", package: "swift-nio", condition: mirrors),
                .product(name: "NIOPosix", package: "swift-nio", condition: mirrors),
                .product(name: "NIOTLS", package: "swift-nio", condition: mirrors),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: mirrors),
            ]
        ),
        // Pages and interfaces for browsers. Of NIO's own HTTP, which is built with what mirrors: another server would bring a dozen packages
        // more to fetch for every app.
        .target(
            name: "Web",
            dependencies: [
                "Mirroring",
                .product(name: "NIOCore", package: "swift-nio", condition: mirrors),
                .product(name: "NIOPosix", package: "swift-nio", condition: mirrors),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: mirrors),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: mirrors),
            ]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Units"),
        .target(name: "SessionLog", dependencies: ["Analytics", "GATT", "Units"]),
        .target(name: "Engine", dependencies: ["Analytics", "Bluetooth", "GATT", "Mirroring", "SessionLog"]),
        .target(name: "XML", dependencies: ["SessionLog"]),
        .target(
            name: "HealthData",
            dependencies: ["Analytics", "CoreLocation", "SessionLog", "UniformTypeIdentifiers", "Units", "XML"]),
        .target(
            name: "HealthStore",
            dependencies: [
                "HealthData", "Analytics", "SessionLog", "UniformTypeIdentifiers", "Units",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "PostgreSQLStore",
            dependencies: [
                "HealthStore", "LibraryLoading", .target(name: "CPostgreSQL", condition: speaksPostgreSQL),
            ]),
        .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CNATS", providers: [.apt(["libnats-dev"])]),
        .target(
            name: "Brokers",
            dependencies: [
                "LibraryLoading", "SessionLog", .target(name: "CMosquitto", condition: hasBrokers),
                .target(name: "CNATS", condition: hasBrokers),
            ]),
        // What `import Combine` shows.
        .systemLibrary(name: "Combine", path: "Sources/AppleModules/Combine"),
        .target(
            name: "CombineForLinux",
            dependencies: [
                "Combine",
                .product(name: "OpenCombine", package: "OpenCombine", condition: showsCombine),
                .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: showsCombine),
                .product(name: "OpenCombineFoundation", package: "OpenCombine", condition: showsCombine),
            ]
        ),
        // The formats of files. HealthKit needs them only to replay one.
        .target(
            name: "Recordings",
            dependencies: [
                "Analytics", "CZlib", "GATT", "SessionLog", "Units", "XML",
                // Exports of Android's Health Connect and of Gadgetbridge are databases of SQLite.
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(
            name: "HealthKit",
            dependencies: [
                "HealthData", "HealthStore", "Analytics", "ANT", "Bluetooth", "Brokers", "CoreLocation", "CSpawn",
                "Engine",
                "GATT",
                "Mirroring", "SessionLog", "UniformTypeIdentifiers",
                .target(name: "Recordings", condition: replays),
                .target(name: "CombineForLinux", condition: showsCombine),
                .target(name: "PostgreSQLStore", condition: speaksPostgreSQL),
            ]
        ),
        // What `import os` and `import OSLog` show.
        .systemLibrary(name: "os", path: "Sources/AppleModules/os"),
        .target(name: "OSForLinux", dependencies: ["os"]),
        // What `import WatchConnectivity`, `import WatchKit` and `import SwiftUI` show.
        .systemLibrary(name: "WatchConnectivity", path: "Sources/AppleModules/WatchConnectivity"),
        .target(
            name: "WatchConnectivityForLinux",
            dependencies: ["WatchConnectivity", .target(name: "CombineForLinux", condition: showsCombine)]),
        .systemLibrary(name: "WatchKit", path: "Sources/AppleModules/WatchKit"),
        .target(name: "WatchKitForLinux", dependencies: ["HealthKit", "HealthData", "HealthStore", "WatchKit"]),
        .systemLibrary(name: "SwiftUI", path: "Sources/AppleModules/SwiftUI"),
        .target(
            name: "SwiftUIForLinux",
            dependencies: ["SwiftUI", "WatchKitForLinux", .target(name: "CombineForLinux", condition: showsCombine)]),
        .target(name: "HealthKitUI", dependencies: ["HealthKit"]),
        // Summaries, analyses, imports, exports and changes of stored workouts, for the command. No app needs them.
        // HealthKit shows HealthData and HealthStore. Who uses them through it names them as well: SwiftPM compiles a target again only
        // if a target that it names has changed.
        .target(
            name: "StoredWorkouts",
            dependencies: [
                "HealthKit", "HealthData", "HealthStore", "Analytics", "CoreLocation", "Engine", "Recordings",
                "SessionLog",
            ]),
        // For tests of apps.
        .target(
            name: "HealthKitTesting",
            dependencies: [
                "HealthKit", "HealthData", "HealthStore", "Analytics", "Bluetooth", "CoreLocation", "Engine", "GATT",
                "SessionLog", "StoredWorkouts",
            ]),
        // The map behind routes.
        .target(name: "COutline", exclude: ["outline.bin", "outline.py"]),
        // Pages and pictures of workouts, for the command.
        .target(
            name: "Reports",
            dependencies: ["COutline", "HealthStore", "HealthData", "Analytics", "Recordings", "SessionLog"],
            resources: [.embedInCode("Languages")]),
        // Make says which commit is built. Git's own answer (`Context.gitInformation`) is one of an earlier build where SwiftPM
        // has the manifest in its cache, which knows variables and nothing of git.
        .target(
            name: "CCommit",
            cSettings: [.define("WORKOUT_COMMIT", to: "\"\(Context.environment["WORKOUT_COMMIT"] ?? "")\"")]),
        // What a release has besides: ICU's data, licences. A debug build has Foundation's own library, with all of the data.
        .target(
            name: "CRelease",
            cSettings: releaseFiles.sorted { $0.key < $1.key }.map {
                .define($0.key, to: "\"\($0.value)\"", .when(configuration: .release))
            }),
        .executableTarget(
            name: "workout",
            dependencies: [
                "Analytics", "ANT", "Bluetooth", "Brokers", "CCommit", "CRelease", "CoreLocation", "Engine", "GATT",
                "Mirroring",
                "Recordings", "Reports", "SessionLog", "StoredWorkouts", "Web", "HealthKit", "HealthData",
                "HealthStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Packaging"],
            resources: [.embedInCode("Serve/Pages")]
        ),

        // Tests mirror Sources, file for file.
        .testTarget(name: "AnalyticsTests", dependencies: ["Analytics"]),
        .testTarget(name: "CoreLocationTests", dependencies: ["CoreLocation"]),
        .target(name: "PrivateBus", path: "Tests/PrivateBus"),
        .testTarget(name: "DBusTests", dependencies: ["DBus", "PrivateBus"]),
        .target(
            name: "FakeBluetoothd", dependencies: ["Bluetooth", "DBus", "GATT", "PrivateBus"],
            path: "Tests/FakeBluetoothd"),
        .target(name: "TestBytes", path: "Tests/TestBytes"),
        .testTarget(name: "LibraryLoadingTests", dependencies: ["LibraryLoading"]),
        .testTarget(name: "GATTTests", dependencies: ["GATT", "TestBytes"]),
        .testTarget(
            name: "BluetoothTests",
            dependencies: ["Bluetooth", "DBus", "FakeBluetoothd", "GATT", "PrivateBus", "TestBytes"]),
        .testTarget(name: "ANTTests", dependencies: ["ANT", "Bluetooth", "GATT", "TestBytes"]),
        .testTarget(
            name: "MirroringTests",
            dependencies: [
                "Analytics", "Mirroring", "DBus", "PrivateBus", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .target(name: "MadeEntries", dependencies: ["Analytics", "SessionLog"], path: "Tests/MadeEntries"),
        .testTarget(name: "UnitsTests", dependencies: ["Units", "Analytics"]),
        .testTarget(name: "SessionLogTests", dependencies: ["SessionLog", "Analytics", "GATT", "MadeEntries"]),
        .testTarget(
            name: "EngineTests", dependencies: ["Engine", "Analytics", "Bluetooth", "GATT", "Mirroring", "SessionLog"]),
        .testTarget(
            name: "RecordingsTests",
            dependencies: [
                "Recordings", "Analytics", "CZlib", "GATT", "MadeEntries", "SessionLog", "XML",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "HealthDataTests",
            dependencies: [
                "HealthData", "Analytics", "Archiving", "CoreLocation", "SessionLog",
                "UniformTypeIdentifiers", "Units",
            ]
        ),
        .target(name: "Archiving", path: "Tests/Archiving"),
        .target(
            name: "MadeSamples",
            dependencies: [
                "HealthStore", "CoreLocation", "SessionLog",
                .target(name: "PostgreSQLStore", condition: speaksPostgreSQL),
            ],
            path: "Tests/MadeSamples"),
        .testTarget(
            name: "HealthStoreTests",
            dependencies: [
                "HealthStore", "HealthData", "Analytics", "CoreLocation", "SessionLog",
                "UniformTypeIdentifiers", "MadeSamples", .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "PostgreSQLStoreTests",
            dependencies: ["PostgreSQLStore", "HealthStore", "HealthData", "Analytics", "MadeSamples", "SessionLog"],
            exclude: ["with-cluster"]),
        .testTarget(name: "BrokersTests", dependencies: ["Brokers", "SessionLog"]),
        .testTarget(
            name: "HealthKitTests",
            dependencies: [
                "HealthKit", "HealthData", "HealthStore", "Recordings", "Analytics", "Bluetooth", "Brokers",
                "CoreLocation", "DBus", "Engine", "FakeBluetoothd", "GATT", "Mirroring", "PrivateBus", "SessionLog",
                "UniformTypeIdentifiers",
                "Archiving",
                "DiskRecorder", "MadeSamples", "MirrorModel", "PowerCuts",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Types/RawValues/RawValues.csv"]
        ),
        .testTarget(
            name: "StoredWorkoutsTests",
            dependencies: [
                "StoredWorkouts", "Analytics", "DiskRecorder", "Engine", "MadeSamples", "PowerCuts", "Recordings",
                "SessionLog",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Web", "Mirroring", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(name: "ReportsTests", dependencies: ["Reports", "SessionLog"]),
        .testTarget(
            name: "HealthKitTestingTests",
            dependencies: ["HealthKitTesting", "HealthKit", "CoreLocation", "SessionLog"]),
        .target(name: "DiskRecorder", path: "Tests/DiskRecorder"),
        .target(name: "PowerCuts", dependencies: ["Analytics", "DiskRecorder"], path: "Tests/PowerCuts"),
        .executableTarget(
            name: "MirrorModel", dependencies: ["Analytics", "Engine", "HealthKit", "Mirroring", "SessionLog"],
            path: "Tests/MirrorModel"),
        .executableTarget(name: "MirroringApps", dependencies: ["HealthKit"], path: "Tests/MirroringApps"),
        .executableTarget(name: "StoreApps", dependencies: ["HealthKit"], path: "Tests/StoreApps"),
        .testTarget(
            name: "APICompatibility", dependencies: ["HealthKit", "CoreLocation", "MirroringApps", "MadeSamples"]),
        .testTarget(
            name: "APICompatibilitySwift5", dependencies: ["HealthKit", "CoreLocation"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // Sees HealthKit as an app does: no package access, no upcoming features.
        .testTarget(
            name: "APICompatibilityExtensions", dependencies: ["HealthKit", "HealthKitTesting"], packageAccess: false),
        // Files that import Apple's other modules, as an app has them.
        .testTarget(
            name: "APICompatibilityModules",
            dependencies: [
                "HealthKit", "CombineForLinux", "OSForLinux", "WatchConnectivityForLinux", "WatchKitForLinux",
                "SwiftUIForLinux", "HealthKitUI",
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(name: "CombineForLinuxTests", dependencies: ["CombineForLinux"]),
        .testTarget(name: "OSForLinuxTests", dependencies: ["OSForLinux"]),
        .testTarget(name: "ArchitectureTests", exclude: ["arrows.py", "circles.txt"]),
        .testTarget(
            name: "WorkoutTests",
            dependencies: [
                "workout", "Analytics", "Engine", "GATT", "HealthKit", "MadeEntries", "Recordings", "Reports",
                "Mirroring", "SessionLog",
                "StoredWorkouts", "Web",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Analytics", "Bluetooth", "Brokers", "Engine", "GATT", "Mirroring", "Recordings", "SessionLog",
                "HealthKit",
                "StoredWorkouts", "XML", "AllocationCounter",
                .target(name: "PostgreSQLStore", condition: speaksPostgreSQL),
            ],
            path: "Tests/Benchmarks",
            exclude: ["peers", "thresholds.json"]
        ),
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    ],
    swiftLanguageModes: [.v6]
)

// `make test-module MODULE=Recordings` builds the tests of that module alone.
if let modules = Context.environment["TEST_MODULES"]?.split(separator: ",") {
    package.targets.removeAll { target in
        target.type == .test && !modules.contains { target.name == $0 || target.name == "\($0)Tests" }
    }
}

// `make examples` builds what lies in Examples with what is built here already; for an app it is a package of its own.
if Context.environment["EXAMPLES"] != nil {
    package.targets.removeAll { $0.type == .test }
    package.targets += [
        .target(name: "Workouts", dependencies: ["HealthKit"], path: "Examples/Sources/Workouts", packageAccess: false),
        .testTarget(
            name: "WorkoutsTests", dependencies: ["Workouts", "HealthKitTesting"], path: "Examples/Tests/WorkoutsTests",
            exclude: ["intervals.jsonl", "intervals.golden.json"], packageAccess: false),
        .testTarget(
            name: "WorkoutsXCTests", dependencies: ["Workouts", "HealthKitTesting"],
            path: "Examples/Tests/WorkoutsXCTests", packageAccess: false),
    ]
}

// Fuzzing needs instrumentation in every module: see `make fuzz`.
if Context.environment["FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "ANT", "Bluetooth", "GATT", "Mirroring", "Recordings", .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/Fuzz", exclude: ["corpus"],
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
}

// Apps are compiled as they were written.
let plain: Set = [
    "AllocationCounter", "CCommit", "COutline", "DiskRecorder", "APICompatibilitySwift5", "APICompatibilityExtensions",
    "APICompatibilityModules", "Workouts", "WorkoutsTests", "WorkoutsXCTests",
]

for target in package.targets where target.type != .system && !plain.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// swift-tools-version: 6.2
import PackageDescription

// On Apple's platforms the app uses Apple's HealthKit, on Linux this one. Your own package names the address that you cloned:
// .package(url: "https://git.example.org/OpenHealthKit", branch: "main").
let package = Package(
    name: "Workouts",
    platforms: [.iOS(.v26), .watchOS(.v26), .macOS(.v26)],
    dependencies: [.package(name: "OpenHealthKit", path: "..")],
    targets: [
        .target(
            name: "Workouts",
            dependencies: [.product(name: "HealthKit", package: "OpenHealthKit", condition: .when(platforms: [.linux]))]
        ),
        .testTarget(
            name: "WorkoutsTests",
            dependencies: [
                "Workouts",
                .product(name: "HealthKitTesting", package: "OpenHealthKit", condition: .when(platforms: [.linux])),
            ],
            exclude: ["intervals.jsonl", "intervals.golden.json"]),
        .testTarget(
            name: "WorkoutsXCTests",
            dependencies: [
                "Workouts",
                .product(name: "HealthKitTesting", package: "OpenHealthKit", condition: .when(platforms: [.linux])),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

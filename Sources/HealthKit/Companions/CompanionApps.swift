/// The apps that other machines may start on this one, as they were when they last set
/// ``HKHealthStore/workoutConfigurationHandler``, and the workout that waits for a starting app. They are stored in files beside
/// this machine's key, because another process may listen.
package struct CompanionApps: Sendable {
    /// A waiting workout expires after this time.
    static let longestStartInSeconds: TimeInterval = 60

    private let folder: URL

    package init(besideKeyIn folder: URL) {
        self.folder = folder.appendingPathComponent("apps", isDirectory: true)
    }

    // MARK: Apps

    package func register(_ app: DeliveryApp) throws {
        try write(JSONEncoder().encode(app), to: file(app.bundleIdentifier, "app"))
    }

    package func registered() -> [DeliveryApp] {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "app" }
            .compactMap { try? JSONDecoder().decode(DeliveryApp.self, from: Data(contentsOf: $0)) }
            .sorted { $0.bundleIdentifier < $1.bundleIdentifier }
    }

    /// Returns the counterpart of an app on another machine: the app with the same identifier, or with one that extends
    /// it like a watch app's (`com.example.app.watchkitapp`), or the only registered app.
    package static func app(for other: String, among apps: [DeliveryApp]) -> DeliveryApp? {
        apps.first { $0.bundleIdentifier == other }
            ?? apps.first { $0.bundleIdentifier.hasPrefix(other + ".") }
            ?? (apps.count == 1 ? apps[0] : nil)
    }

    // MARK: Workouts that wait

    private struct Waiting: Codable {
        var request: AppLaunchRequest
        var date: Date
    }

    package func leave(_ request: AppLaunchRequest, for bundleIdentifier: String, at date: Date) throws {
        try write(JSONEncoder().encode(Waiting(request: request, date: date)), to: file(bundleIdentifier, "waiting"))
    }

    /// Returns and removes the workout that waits for this app. Returns nil if there is none, or it has expired.
    package func claim(for bundleIdentifier: String, at now: Date) -> AppLaunchRequest? {
        let file = file(bundleIdentifier, "waiting")
        guard let data = try? Data(contentsOf: file) else { return nil }
        try? FileManager.default.removeItem(at: file)
        guard let waiting = try? JSONDecoder().decode(Waiting.self, from: data),
            abs(now.timeIntervalSince(waiting.date)) <= Self.longestStartInSeconds
        else { return nil }
        return waiting.request
    }

    // MARK: Files

    private func file(_ bundleIdentifier: String, _ kind: String) -> URL {
        let name = bundleIdentifier.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }
        return folder.appendingPathComponent(String(name) + "." + kind)
    }

    private func write(_ data: Data, to file: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try data.write(to: file, options: .atomic)
        } catch {
            throw HKError.make(
                .errorHealthDataUnavailable,
                "\(file.path) cannot be written, so other machines cannot start this app: "
                    + "\((error as NSError).localizedDescription). Make the folder writable.", cause: error)
        }
    }
}

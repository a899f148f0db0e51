import Foundation
import HealthKit
import Mirroring
import Synchronization
import Testing

@testable import Engine
@testable import SessionLog

/// A machine to which sessions are mirrored: records the calls of its start handler and of the delegates.
final class Phone: Sendable {
    let store: HKHealthStore
    let address: String
    private let arrivals: Arrivals

    /// One session, however often it arrived.
    struct Mirrored: Sendable {
        let session: HKWorkoutSession
        let diary: SessionDiary
        var builder: HKLiveWorkoutBuilder { session.associatedWorkoutBuilder() }

        /// Its entries, as lines.
        var lines: [String] { get async { SessionLines.of(await session.recorder.log) } }
    }

    /// - Parameters:
    ///   - folder: The folder of its key. Two machines with the same folder are the same machine to each other.
    ///   - listen: The address, a new one unless a process replaces another.
    init(
        _ folder: URL, listen: String = Phone.ownLoopback(), saves: Bool = false, time: any TimeSource = SystemTime()
    ) async throws {
        var environment = HealthEnvironment(sensors: [], time: time)
        environment.companions = Companions(
            CompanionSettings(listen: listen, folder: folder, savesWorkouts: saves, discovers: false),
            report: { _ in })
        store = HKHealthStore(environment: environment)
        let arrivals = Arrivals()
        self.arrivals = arrivals
        store.workoutSessionMirroringStartHandler = { arrivals.add($0) }
        address = try await store.listenForMirroredSessions()
    }

    /// An address without another listener or connection, so that a later process can listen there again.
    private static func ownLoopback() -> String {
        "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).\(Int.random(in: 1...254)):0"
    }

    /// The session of the start handler's next call.
    func nextSession() async -> Mirrored {
        await arrivals.next()
    }

    /// Ends as if its process were killed: without a closing message.
    func stop() async {
        store.workoutSessionMirroringStartHandler = nil
        await store.stopListeningForMirroredSessions()
    }

    private final class Arrivals: Sendable {
        private let stream = AsyncStream.makeStream(of: Mirrored.self)
        private let diaries = Mutex<[ObjectIdentifier: SessionDiary]>([:])

        func add(_ session: HKWorkoutSession) {
            let diary = diaries.withLock { diaries in
                let diary = diaries[ObjectIdentifier(session)] ?? SessionDiary()
                diaries[ObjectIdentifier(session)] = diary
                return diary
            }
            session.delegate = diary
            session.associatedWorkoutBuilder().delegate = diary
            stream.continuation.yield(Mirrored(session: session, diary: diary))
        }

        func next() async -> Mirrored {
            for await arrival in stream.stream { return arrival }
            fatalError("the stream never ends")
        }
    }
}

/// A machine on which a session runs.
struct Watch {
    let store: HKHealthStore
    let session: HKWorkoutSession
    let builder: HKLiveWorkoutBuilder
    let diary = SessionDiary()

    /// - Parameter journals: The folder for the journals. Nil for sessions that don't survive their process.
    init(
        _ folder: URL, to addresses: [String], journals: URL? = nil, time: any TimeSource = SystemTime(),
        activity: HKWorkoutActivityType = .running
    ) throws {
        let store = Self.store(folder, to: addresses, journals: journals, time: time)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        try self.init(store, HKWorkoutSession(healthStore: store, configuration: configuration))
    }

    init(_ store: HKHealthStore, _ session: HKWorkoutSession) throws {
        self.store = store
        self.session = session
        builder = session.associatedWorkoutBuilder()
        session.delegate = diary
        builder.delegate = diary
        let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
        for type in TypeCatalogue.quantityTypes { source.enableCollection(for: type, predicate: nil) }
        builder.dataSource = source
    }

    static func store(
        _ folder: URL, to addresses: [String], journals: URL? = nil, time: any TimeSource = SystemTime()
    ) -> HKHealthStore {
        var environment = HealthEnvironment(sensors: [], time: time)
        environment.journalFolder = journals
        environment.companions = Companions(
            CompanionSettings(peers: addresses, folder: folder, discovers: false), report: { _ in })
        return HKHealthStore(environment: environment)
    }

    /// The session of a killed process, in another process.
    static func recovered(_ folder: URL, to addresses: [String], journals: URL) async throws -> Watch {
        let store = store(folder, to: addresses, journals: journals)
        let offered = try await store.recoverActiveWorkoutSession()
        return try Watch(store, #require(offered))
    }

    /// Starts the session and its collection now.
    func begin() async throws {
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
    }

    /// Gives the session a heart rate, as a strap does.
    func measure(_ heartRate: Double) async {
        let now = Date()
        await session.recorder.collect([
            SessionEntry(
                now, .quantity(QuantityReading("heartRate", heartRate, unit: "count/min", start: now, end: now)))
        ])
    }

    /// Stops, saves and ends the session.
    func finish() async throws -> HKWorkout? {
        session.stopActivity(with: nil)
        _ = await session.recorder.log
        try await builder.endCollection(at: Date())
        let workout = try await builder.finishWorkout()
        session.end()
        return workout
    }

    var lines: [String] { get async { SessionLines.of(await session.recorder.log) } }

    func send(_ text: String) async throws {
        try await session.sendToRemoteWorkoutSession(data: Data(text.utf8))
    }
}

/// A log as text. Logs with equal text are equal.
enum SessionLines {
    static func of(_ log: LiveSessionLog) -> [String] { of((try? log.entries) ?? []) }

    static func of(_ log: [SessionEntry]) -> [String] {
        log.map { entry in
            var encoder = SessionLogEncoder()
            try? encoder.append(entry)
            return String(decoding: encoder.bytes, as: UTF8.self)
        }
    }
}

/// A folder that is deleted with the test.
final class MachineFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-\(UUID())")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The journals in this folder as a process that is killed now leaves them. In a test the old process lives on,
    /// so its links have to be closed.
    func afterKill() throws -> MachineFolder {
        let crashed = MachineFolder()
        try FileManager.default.copyItem(at: url, to: crashed.url)
        return crashed
    }
}

extension SessionDiary {
    /// The received data, as text.
    var data: [String] {
        notes.flatMap { note -> [String] in
            guard case .data(let data) = note else { return [] }
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    func waitForData(_ text: String) async {
        await wait { if case .data(let data) = $0 { data.contains(Data(text.utf8)) } else { false } }
    }

    func waitForDisconnect() async { await wait { if case .disconnected = $0 { true } else { false } } }
}

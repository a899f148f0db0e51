import Synchronization

/// The permissions of this app, and how it requests them.
///
/// The user's answers are stored under the app's bundle identifier: they are not requested again, and `workout
/// permissions` shows and changes them. Answers of `HEALTHKIT_AUTHORIZATION` only apply to this process and override
/// stored ones, so a test gets the same answers in every run. A denial because nobody can answer is not stored either.
package final class Permissions: Sendable {
    /// Asks the user. Returns the answer, or nil if nobody can be asked.
    package typealias Prompt = @Sendable (Authorization.Request, _ app: String) -> AuthorizationAnswer?

    private let answer: Result<AuthorizationAnswer, HKError>
    package let app: HKSource
    private let database: (any HealthDatabase)?
    private let prompt: Prompt
    /// Whether types need permission.
    private let isEnforced: Bool
    /// Whether everything may be changed, including what other apps saved.
    package let isOfOwner: Bool
    private let notices: AppNotices
    private let state = Mutex(State())

    private struct State {
        /// Answers of this process that are not stored.
        var own = Authorization()
        /// The data from which `kept` was read.
        var data: Data?
        var kept = Authorization()
    }

    /// - Parameters:
    ///   - database: The store of the answers. Nil for none.
    ///   - isEnforced: False for environments from code and for the command, which need no permission.
    package init(
        answer: Result<AuthorizationAnswer, HKError>, app: HKSource, database: (any HealthDatabase)? = nil,
        isEnforced: Bool = true, isOfOwner: Bool = false, prompt: @escaping Prompt = AuthorizationPrompt.ask,
        notices: AppNotices = .silent
    ) {
        self.isEnforced = isEnforced
        self.isOfOwner = isOfOwner
        self.answer = answer
        self.app = app
        self.database = database
        self.prompt = prompt
        self.notices = notices
    }

    /// Creates the permissions of an app without a store.
    package convenience init(answer: Result<AuthorizationAnswer, HKError>, app: String) {
        self.init(answer: answer, app: HKSource(name: app, bundleIdentifier: "local.\(app)"))
    }

    /// Returns the permissions of the command, which belongs to the owner of the data and needs none.
    package static func ofOwner() -> Permissions {
        Permissions(answer: .success(.allow), app: .default(), isEnforced: false, isOfOwner: true)
    }

    private var isAsking: Bool { (try? answer.get()) == .ask }

    /// The answers so far. An unreadable store counts as empty.
    package var current: Authorization {
        state.withLock { state in
            guard isAsking, let database else { return state.own }
            let data = (try? database.setting(database.permissionSetting(app.bundleIdentifier))) ?? nil
            if data != state.data {
                state.data = data
                let kept = data.flatMap { try? JSONDecoder().decode(StoredPermissions.self, from: $0) }
                state.kept = kept?.authorization ?? Authorization()
            }
            return state.kept.merging(state.own)
        }
    }

    /// Changes answers for this process only, without a request.
    package func change(_ body: (inout Authorization) -> Void) { state.withLock { body(&$0.own) } }

    /// Requests answers for undetermined types. Blocks until the user has answered.
    /// - Parameter now: The time of the answers.
    package func request(_ request: Authorization.Request, at now: Date) throws {
        _ = try answer.get()
        let open = current.open(request)
        guard !open.isEmpty else { return }
        try ask(open) { $0.answer(open, with: $1, at: now) }
    }

    /// Requests answers for objects of a type with per-object authorization.
    package func request(_ objects: Set<String>, of type: HKObjectType, at now: Date) throws {
        let current = current
        let known = current.readableObjects(of: type)
        // Either all may be read, or there is nothing new to request.
        guard current.mayRead(type) != true, known == nil || !objects.isSubset(of: known ?? []) else { return }
        let request = Authorization.Request(share: [], read: [type])
        try ask(request) { authorization, answer in
            if answer.allowsReading(type) {
                authorization.allow(objects, of: type)
            } else if known == nil {
                authorization.answer(request, with: answer, at: now)
            }
        }
    }

    /// Stores the answers of the variable or the user.
    private func ask(
        _ open: Authorization.Request, _ note: (inout Authorization, AuthorizationAnswer) -> Void
    ) throws {
        let answer = try answer.get()
        guard answer == .ask else { return state.withLock { note(&$0.own, answer) } }
        guard let answer = prompt(open, app.name) else {
            notices.notify(
                .nobodyToAsk,
                "\(app.name) asks for permissions, but there is no terminal to ask on, so all are denied. Set "
                    + "HEALTHKIT_AUTHORIZATION=allow, or run: workout permissions \(app.bundleIdentifier) --allow all.")
            return state.withLock { note(&$0.own, .deny) }
        }
        guard let database else { return state.withLock { note(&$0.own, answer) } }
        var kept = try database.permissions(of: app.bundleIdentifier)?.authorization ?? Authorization()
        note(&kept, answer)
        try database.store(StoredPermissions(name: app.name, authorization: kept), of: app.bundleIdentifier)
    }
}

extension Permissions {
    /// Returns the earliest end of readable samples of those types to which the user limited this app's access.
    package func earliestEnds(of types: Set<HKObjectType>) -> [HKObjectType: Date] {
        guard isEnforced else { return [:] }
        let current = current
        var dates: [HKObjectType: Date] = [:]
        for type in types where current.mayRead(type) == true { dates[type] = current.earliestEnd(of: type) }
        return dates
    }

    /// Throws if the app may not save samples of these types.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested a type,
    ///   ``HKError/Code/errorAuthorizationDenied`` if it was denied.
    package func requireSharing(_ types: Set<HKSampleType>) throws {
        guard isEnforced else { return }
        let current = current
        for type in types.sorted(by: { $0.identifier < $1.identifier }) {
            switch current.status(forSharing: type) {
            case .sharingAuthorized: continue
            case .sharingDenied:
                throw HKError.make(
                    .errorAuthorizationDenied,
                    "\(app.name) may not save or delete \(type.identifier). To allow it: workout permissions "
                        + "\(app.bundleIdentifier) --allow \(type.swiftName) --share.")
            case .notDetermined:
                throw HKError.make(
                    .errorAuthorizationNotDetermined,
                    "\(app.name) has not asked for permission to save or delete \(type.identifier): call "
                        + "requestAuthorization first.")
            @unknown default: continue
            }
        }
    }

    /// Throws if the app may not save these objects.
    package func requireSharing(_ objects: [HKObject]) throws {
        try requireSharing(StoreWrite.types(of: objects))
    }

    /// Returns the app's read access to a type. For a correlation, one readable contained type is enough.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested the type.
    package func readAccess(to type: HKObjectType) throws -> ReadAccess {
        guard isEnforced else { return .all }
        let current = current
        let requested = Authorization.deciding(on: type).filter { current.mayRead($0) != nil }
        let readable = requested.filter { current.mayRead($0) == true }
        if !readable.isEmpty {
            let earliest = readable.compactMap(current.earliestEnd)
            guard earliest.count == readable.count, let date = earliest.min() else { return .all }
            notices.notify(
                .readingLimited,
                "\(app.name) may read \(type.swiftName) only from \(date.formatted(.iso8601)) on, so it finds no earlier data but "
                    + "its own. To allow all: workout permissions \(app.bundleIdentifier) --allow \(type.swiftName) --read, "
                    + "or HEALTHKIT_AUTHORIZATION.")
            return .since(date)
        }
        if let picked = current.readableObjects(of: type) { return .objects(picked) }
        if !requested.isEmpty {
            notices.notify(
                .readingDenied,
                "\(app.name) may not read \(type.swiftName), so it finds only its own data. To allow it: workout "
                    + "permissions \(app.bundleIdentifier) --allow \(type.swiftName) --read, or HEALTHKIT_AUTHORIZATION."
            )
            return .own
        }
        throw HKError.make(
            .errorAuthorizationNotDetermined,
            "\(app.name) has not asked for permission to read \(type.identifier): call requestAuthorization first.")
    }
}

/// The extent to which an app may read a type after requesting it.
package enum ReadAccess: Sendable, Equatable {
    case all
    /// Only samples that end at or after this date, and its own.
    case since(Date)
    /// Only these objects (UUIDs of samples, or names of medications) and its own.
    case objects(Set<String>)
    /// Denied: only its own objects, as if there were no others.
    case own

    /// Returns whether an object of another app may be read, which is picked by this name or UUID.
    package func includes(_ object: String) -> Bool {
        switch self {
        case .all, .since: true
        case .objects(let picked): picked.contains(object)
        case .own: false
        }
    }

    /// Returns whether a sample of another app may be read.
    package func includes(_ sample: HKSample) -> Bool {
        if case .since(let date) = self { return sample.endDate >= date }
        return includes(sample.uuid.uuidString)
    }
}

extension Authorization {
    /// Returns the types whose permissions decide whether a type may be read.
    static func deciding(on type: HKObjectType) -> [HKObjectType] {
        guard type is HKCorrelationType else { return [type] }
        switch HKCorrelationTypeIdentifier(rawValue: type.identifier) {
        case .bloodPressure: return [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
        default: return dietaryTypes
        }
    }

    /// The types that a food may contain.
    private static let dietaryTypes: [HKObjectType] = TypeCatalogue.quantityTypes.filter {
        $0.swiftName.hasPrefix("dietary")
    }
}

/// An app's permissions in the store.
package struct StoredPermissions: Codable, Sendable, Equatable {
    /// The app's display name.
    package var name: String
    package var authorization: Authorization

    package init(name: String, authorization: Authorization = Authorization()) {
        self.name = name
        self.authorization = authorization
    }
}

extension HealthDatabase {
    fileprivate func permissionSetting(_ bundleIdentifier: String) -> String { "permissions.\(bundleIdentifier)" }

    /// Returns the sorted bundle identifiers of all apps with permissions.
    package func appsWithPermissions() throws -> [String] {
        guard let data = try setting("permissions") else { return [] }
        return try JSONDecoder().decode([String].self, from: data).sorted()
    }

    /// Returns nil if the app never requested permission.
    package func permissions(of bundleIdentifier: String) throws -> StoredPermissions? {
        guard let data = try setting(permissionSetting(bundleIdentifier)) else { return nil }
        do {
            return try JSONDecoder().decode(StoredPermissions.self, from: data)
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The permissions of \(bundleIdentifier) cannot be read. Clear them: workout permissions "
                    + "\(bundleIdentifier) --reset.", cause: error)
        }
    }

    /// Stores permissions. Nil removes them, so that the app's next request is shown to the user again.
    package func store(_ permissions: StoredPermissions?, of bundleIdentifier: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try setSetting(permissionSetting(bundleIdentifier), permissions.map { try encoder.encode($0) })
        var apps = Set(try appsWithPermissions())
        let isListed = apps.contains(bundleIdentifier)
        guard isListed != (permissions != nil) else { return }
        if isListed { apps.remove(bundleIdentifier) } else { apps.insert(bundleIdentifier) }
        try setSetting("permissions", apps.isEmpty ? nil : encoder.encode(apps.sorted()))
    }
}

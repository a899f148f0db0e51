import Synchronization

/// The permissions of this app, and who is asked for them.
///
/// What a person answers is kept in the store, under the app's bundle identifier: neither this process nor another asks
/// for it again, and `workout permissions` shows and changes it. What `HEALTHKIT_AUTHORIZATION` answers holds for this
/// process alone and goes before what is kept, so that a test finds the same at every run; nor is the refusal kept that
/// stands in for an answer where nobody can be asked.
package final class Permissions: Sendable {
    /// Asks the person: what they answered, or nil where nobody can be asked.
    package typealias Prompt = @Sendable (Authorization.Request, _ app: String) -> AuthorizationAnswer?

    private let answer: Result<AuthorizationAnswer, HKError>
    package let app: HKSource
    private let database: (any HealthDatabase)?
    private let prompt: Prompt
    /// Whether what was never asked for can be neither saved nor read.
    private let isEnforced: Bool
    private let notices: AppNotices
    private let state = Mutex(State())

    private struct State {
        /// Answers of this process that are not kept.
        var own = Authorization()
        /// The bytes that `kept` was read from.
        var data: Data?
        var kept = Authorization()
    }

    /// - Parameters:
    ///   - database: Where answers are kept; nil keeps none.
    ///   - isEnforced: False for environments made in code and for the command, which may do everything without having
    ///     asked.
    package init(
        answer: Result<AuthorizationAnswer, HKError>, app: HKSource, database: (any HealthDatabase)? = nil,
        isEnforced: Bool = true, prompt: @escaping Prompt = AuthorizationPrompt.ask, notices: AppNotices = .silent
    ) {
        self.isEnforced = isEnforced
        self.answer = answer
        self.app = app
        self.database = database
        self.prompt = prompt
        self.notices = notices
    }

    /// Of an app without a store.
    package convenience init(answer: Result<AuthorizationAnswer, HKError>, app: String) {
        self.init(answer: answer, app: HKSource(name: app, bundleIdentifier: "local.\(app)"))
    }

    /// Of the owner of the data, who need not ask: the command.
    package static func ofOwner() -> Permissions {
        Permissions(answer: .success(.allow), app: .default(), isEnforced: false)
    }

    private var isAsking: Bool { (try? answer.get()) == .ask }

    /// What was answered so far. A store that cannot be read counts as one without answers.
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

    /// What the person changes without being asked, for this process alone.
    package func change(_ body: (inout Authorization) -> Void) { state.withLock { body(&$0.own) } }

    /// Gets what has not been answered yet answered. Blocks while a person thinks.
    package func request(_ request: Authorization.Request) throws {
        _ = try answer.get()
        let open = current.open(request)
        guard !open.isEmpty else { return }
        try ask(open) { $0.answer(open, with: $1) }
    }

    /// The same for objects of a type that a person picks one by one.
    package func request(_ objects: Set<String>, of type: HKObjectType) throws {
        let current = current
        let known = current.readableObjects(of: type)
        // All of them may be read, or there is nothing new to ask about.
        guard current.mayRead(type) != true, known == nil || !objects.isSubset(of: known ?? []) else { return }
        let request = Authorization.Request(share: [], read: [type])
        try ask(request) { authorization, answer in
            if answer.allowsReading(type) {
                authorization.allow(objects, of: type)
            } else if known == nil {
                authorization.answer(request, with: answer)
            }
        }
    }

    /// Notes what the variable or the person answers.
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
    /// Whether the app may save samples of these types.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for,
    ///   ``HKError/Code/errorAuthorizationDenied`` for one that was refused.
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

    /// Whether the app may save these objects.
    package func requireSharing(_ objects: [HKObject]) throws {
        try requireSharing(StoreWrite.types(of: objects))
    }

    /// What the app may read of a type. Nobody asks for correlations: the types that they contain decide, and one that may
    /// be read is enough.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for.
    package func readAccess(to type: HKObjectType) throws -> ReadAccess {
        guard isEnforced else { return .all }
        let current = current
        let answers = Authorization.deciding(on: type).compactMap(current.mayRead)
        if answers.contains(true) { return .all }
        if let picked = current.readableObjects(of: type) { return .objects(picked) }
        if answers.contains(false) {
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

/// What an app may read of a type that it has asked for.
package enum ReadAccess: Sendable, Equatable {
    case all
    /// These alone, and what it saved itself: UUIDs of samples, or names of medications.
    case objects(Set<String>)
    /// Refused: it sees what it saved itself, as if there were nothing else.
    case own

    /// Whether an object that somebody else saved may be seen.
    package func includes(_ object: String) -> Bool {
        switch self {
        case .all: true
        case .objects(let picked): picked.contains(object)
        case .own: false
        }
    }
}

extension Authorization {
    /// The types whose answers say whether a type may be read.
    static func deciding(on type: HKObjectType) -> [HKObjectType] {
        guard type is HKCorrelationType else { return [type] }
        switch HKCorrelationTypeIdentifier(rawValue: type.identifier) {
        case .bloodPressure: return [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
        default: return dietaryTypes
        }
    }

    /// What a food may contain.
    private static let dietaryTypes: [HKObjectType] = TypeCatalogue.quantityTypes.filter {
        $0.swiftName.hasPrefix("dietary")
    }
}

/// What the store keeps of an app's permissions.
package struct StoredPermissions: Codable, Sendable, Equatable {
    /// The app's name, for people.
    package var name: String
    package var authorization: Authorization

    package init(name: String, authorization: Authorization = Authorization()) {
        self.name = name
        self.authorization = authorization
    }
}

extension HealthDatabase {
    fileprivate func permissionSetting(_ bundleIdentifier: String) -> String { "permissions.\(bundleIdentifier)" }

    /// The bundle identifiers of the apps that have permissions, in order.
    package func appsWithPermissions() throws -> [String] {
        guard let data = try setting("permissions") else { return [] }
        return try JSONDecoder().decode([String].self, from: data).sorted()
    }

    /// Nil for an app that was never asked about.
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

    /// Nil forgets them: the app is asked about anew.
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

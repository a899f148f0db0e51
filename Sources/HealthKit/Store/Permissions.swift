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
    private let app: HKSource
    private let database: (any HealthDatabase)?
    private let prompt: Prompt
    /// Whether what was never asked for cannot be saved.
    private let isEnforced: Bool
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
    ///   - isEnforced: False for environments made in code, which may save anything without having asked.
    package init(
        answer: Result<AuthorizationAnswer, HKError>, app: HKSource, database: (any HealthDatabase)? = nil,
        isEnforced: Bool = true, prompt: @escaping Prompt = AuthorizationPrompt.ask
    ) {
        self.isEnforced = isEnforced
        self.answer = answer
        self.app = app
        self.database = database
        self.prompt = prompt
    }

    /// Of an app without a store.
    package convenience init(answer: Result<AuthorizationAnswer, HKError>, app: String) {
        self.init(answer: answer, app: HKSource(name: app, bundleIdentifier: "local.\(app)"))
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

    /// Gets what has not been answered yet answered. Blocks while a person thinks.
    package func request(_ request: Authorization.Request) throws {
        let answer = try answer.get()
        let open = current.open(request)
        guard !open.isEmpty else { return }
        guard answer == .ask else { return state.withLock { $0.own.answer(open, with: answer) } }
        guard let answer = prompt(open, app.name) else {
            return state.withLock { $0.own.answer(open, with: .deny) }
        }
        guard let database else { return state.withLock { $0.own.answer(open, with: answer) } }
        var kept = try database.permissions(of: app.bundleIdentifier)?.authorization ?? Authorization()
        kept.answer(open, with: answer)
        try database.store(StoredPermissions(name: app.name, authorization: kept), of: app.bundleIdentifier)
    }
}

extension Permissions {
    /// Whether the app may save objects of these kinds. The parts of a correlation count, not the correlation.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for,
    ///   ``HKError/Code/errorAuthorizationDenied`` for one that was refused.
    package func requireSharing(_ objects: [HKObject]) throws {
        guard isEnforced else { return }
        var types: Set<HKSampleType> = []
        var latest: HKSampleType?
        for case let sample as HKSample in objects where sample.sampleType !== latest {
            latest = sample.sampleType
            if let correlation = sample as? HKCorrelation {
                types.formUnion(correlation.objects.map(\.sampleType))
            } else {
                types.insert(sample.sampleType)
            }
        }
        let current = current
        for type in types {
            switch current.status(forSharing: type) {
            case .sharingAuthorized: continue
            case .sharingDenied:
                throw HKError.make(
                    .errorAuthorizationDenied,
                    "\(app.name) may not save \(type.identifier): allow it with workout permissions "
                        + "\(app.bundleIdentifier) --allow \(type.swiftName).")
            case .notDetermined:
                throw HKError.make(
                    .errorAuthorizationNotDetermined,
                    "Nobody was asked whether \(app.name) may save \(type.identifier): call requestAuthorization first."
                )
            @unknown default: continue
            }
        }
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
                "The permissions of \(bundleIdentifier) cannot be read: forget them with workout permissions "
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

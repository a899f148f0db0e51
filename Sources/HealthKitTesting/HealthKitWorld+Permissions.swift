public import HealthKit
import Synchronization

extension HealthKitWorld {
    /// What the person answers when the app asks.
    public enum Authorization: Sendable, Equatable {
        /// Yes to all.
        case allow
        /// No to all.
        case deny
        /// Yes to these types, no to others.
        case allowing(share: Set<HKSampleType>, read: Set<HKObjectType>)
        /// The person allowed everything before this test: the app need not ask.
        case allowedBefore
    }

    /// What an app asked for.
    public struct AuthorizationRequest: Sendable, Equatable {
        /// What it asked to save.
        public var share: Set<HKSampleType>
        /// What it asked to read.
        public var read: Set<HKObjectType>

        /// As a test writes it to compare.
        public init(share: Set<HKSampleType>, read: Set<HKObjectType>) {
            self.share = share
            self.read = read
        }
    }

    /// What the person answers from now on. What is answered already stays: ``allow(share:read:)``, ``refuse(share:read:)``.
    public var authorization: Authorization {
        get { person.answer.withLock { $0 } }
        set { person.answer.withLock { $0 = newValue } }
    }

    /// The sheets that the person saw, in order: what was answered before is not asked again.
    public var authorizationRequests: [AuthorizationRequest] { person.requests.withLock { $0 } }

    /// The person switches types on, in Settings.
    public func allow(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) { person.set(true, share, read) }

    /// The person switches types off, in Settings.
    public func refuse(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) { person.set(false, share, read) }

    /// The types become as if the app had never asked for them.
    public func forgetAnswers(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) {
        person.set(nil, share, read)
    }
}

/// Who is asked for permission in a world.
final class Person: Sendable {
    let answer: Mutex<HealthKitWorld.Authorization>
    let requests = Mutex<[HealthKitWorld.AuthorizationRequest]>([])
    private let made = Mutex<Permissions?>(nil)

    init(_ answer: HealthKitWorld.Authorization) {
        self.answer = Mutex(answer)
        guard answer == .allowedBefore else { return }
        set(true, Set(TypeCatalogue.objectTypes.compactMap { $0 as? HKSampleType }), Set(TypeCatalogue.objectTypes))
    }

    var permissions: Permissions {
        made.withLock { made in
            if let made { return made }
            let permissions = Permissions(answer: .success(.ask), app: .default()) { [weak self] request, _ in
                self?.ask(request) ?? .deny
            }
            made = permissions
            return permissions
        }
    }

    func set(_ allowed: Bool?, _ share: Set<HKSampleType>, _ read: Set<HKObjectType>) {
        permissions.change { authorization in
            authorization.set(share: allowed, share)
            authorization.set(read: allowed, read)
        }
    }

    private func ask(_ request: Authorization.Request) -> AuthorizationAnswer {
        requests.withLock { $0.append(.init(share: request.share, read: request.read)) }
        switch answer.withLock({ $0 }) {
        case .allow, .allowedBefore: return .allow
        case .deny: return .deny
        case .allowing(let share, let read):
            var rights: [String: AuthorizationAnswer.Rights] = [:]
            for type in Set(share.map(\.identifier)).union(read.map(\.identifier)) {
                rights[type] = AuthorizationAnswer.Rights(
                    share: share.contains { $0.identifier == type }, read: read.contains { $0.identifier == type })
            }
            return .types(rights)
        }
    }
}

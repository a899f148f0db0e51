public import HealthKit
import Synchronization

extension HealthKitWorld {
    /// The user's answers to permission requests.
    public enum Authorization: Sendable, Equatable {
        /// Allows everything.
        case allow
        /// Allows everything, but reading only of this many past days and of future data, as the user can choose since iOS 27.
        case allowingPast(days: Int)
        /// Denies everything.
        case deny
        /// Allows these types and denies others.
        case allowing(share: Set<HKSampleType>, read: Set<HKObjectType>)
        /// The user allowed everything before the test, so the app need not ask.
        case allowedBefore
    }

    /// A permission request of the app.
    public struct AuthorizationRequest: Sendable, Equatable {
        /// The types that it asked to save.
        public var share: Set<HKSampleType>
        /// The types that it asked to read.
        public var read: Set<HKObjectType>

        /// A request to compare with.
        public init(share: Set<HKSampleType>, read: Set<HKObjectType>) {
            self.share = share
            self.read = read
        }
    }

    /// The user's answers to later requests. ``allow(share:read:)`` and ``refuse(share:read:)`` change earlier answers.
    public var authorization: Authorization {
        get { person.answer.withLock { $0 } }
        set { person.answer.withLock { $0 = newValue } }
    }

    /// The requests that the user saw, in order. Types that were answered before are not asked again.
    public var authorizationRequests: [AuthorizationRequest] { person.requests.withLock { $0 } }

    /// Allows types, as the user does in Settings.
    public func allow(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) { person.set(true, share, read) }

    /// Allows reading of samples that end at or after a date, as the user does with Limited Access in Settings.
    public func limitReading(of types: Set<HKObjectType>, from date: Date) {
        person.permissions.change { $0.set(readingFrom: date, types) }
    }

    /// Denies types, as the user does in Settings.
    public func refuse(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) { person.set(false, share, read) }

    /// Resets types, as if the app had never asked for them.
    public func forgetAnswers(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) {
        person.set(nil, share, read)
    }
}

/// The answers to permission requests in a world.
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
        case .allowingPast(let days): return .allowPast(days: days)
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

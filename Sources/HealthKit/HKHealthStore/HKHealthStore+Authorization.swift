import Engine

extension HKHealthStore {
    /// Has no effect on Linux, which has no view controllers.
    @available(*, unavailable, message: "There is no UIKit on Linux: permissions are asked for on the terminal")
    public var authorizationViewControllerPresenter: AnyObject? {
        get { nil }
        set {}
    }

    func ask(
        for request: Authorization.Request, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Self.require(request.share.filter { !$0.isShareableByApps }, "share")
        Self.require(request.read.filter { $0 is HKCorrelationType }, "read")
        inBackground(completion) { store in
            try store.environment.requireAvailable()
            let picked = request.read.filter { $0.requiresPerObjectAuthorization() }.map(\.identifier).sorted()
            guard picked.isEmpty else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "Objects of \(picked.joined(separator: ", ")) are asked for one by one: call "
                        + "requestPerObjectReadAuthorization.")
            }
            try store.environment.permissions.request(request, at: store.environment.time.now())
        }
    }

    func ask(
        perObject type: HKObjectType, _ predicate: sending NSPredicate?,
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // The predicate is passed on and only evaluated there.
        nonisolated(unsafe) let predicate = predicate
        inBackground(completion) { store in
            try store.environment.requireAvailable()
            guard type.requiresPerObjectAuthorization() else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "Objects of \(type.identifier) are not asked for one by one: call requestAuthorization.")
            }
            guard let predicate else {
                return try store.environment.permissions.request(
                    Authorization.Request(share: [], read: [type]), at: store.environment.time.now())
            }
            try store.environment.permissions.request(
                store.objects(of: type, matching: predicate), of: type, at: store.environment.time.now())
        }
    }

    /// Returns the objects to choose from: UUIDs of samples, names of medications.
    private func objects(of type: HKObjectType, matching predicate: NSPredicate) throws -> Set<String> {
        try environment.requireReadable()
        if let type = type as? HKSampleType {
            let filter = try SampleFilter(predicate: predicate, for: type)
            let samples = try database.samples([SampleSelection(type, filter)], sortedBy: [], limit: nil)
            return Set(samples.map(\.uuid.uuidString))
        }
        if let refusal = predicate.refusal { throw refusal }
        return Set(try database.medications().filter(predicate.evaluate(with:)).map(\.medication.identifier.name))
    }

    func requestStatus(_ request: Authorization.Request) throws -> HKAuthorizationRequestStatus {
        try environment.requireAvailable()
        return environment.permissions.current.open(request).isEmpty ? .unnecessary : .shouldRequest
    }

    private static func require(_ disallowed: some Collection<HKObjectType>, _ verb: String) {
        let names = disallowed.map(\.identifier).sorted().joined(separator: ", ")
        precondition(disallowed.isEmpty, "Authorization to \(verb) the following types is disallowed: \(names)")
    }
}

extension HKHealthStore {
    /// Whether this app may save objects of the type. Says nothing of reading.
    public func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        environment.permissions.current.status(forSharing: type)
    }

    /// Asks for permission to save and to read types; those that were answered before are not asked again.
    ///
    /// On Linux the answer comes from `HEALTHKIT_AUTHORIZATION`, or from the person at the terminal, whose answers the store
    /// keeps for this app; where there is neither it is no. `completion` is called on a background queue; `true` says that the request was handled, not that anything
    /// was granted. Traps, as Apple's raises, when a type is to be shared that apps may not write.
    @preconcurrency public func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let request = Authorization.Request(share: typesToShare ?? [], read: typesToRead ?? [])
        Self.requireShareable(request.share)
        DispatchQueue.global().async { [environment] in
            do {
                try environment.requireAvailable()
                try environment.permissions.request(request)
                completion(true, nil)
            } catch {
                completion(false, HKError.wrapping(error))
            }
        }
    }

    public func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    )
        async throws
    {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            requestAuthorization(toShare: typesToShare, read: typesToRead) { _, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(()))
            }
        }
    }

    /// Whether a request would have to ask anything.
    @preconcurrency public func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let request = Authorization.Request(share: typesToShare, read: typesToRead)
        DispatchQueue.global().async { [environment] in
            completion(environment.permissions.current.open(request).isEmpty ? .unnecessary : .shouldRequest, nil)
        }
    }

    public func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        let request = Authorization.Request(share: typesToShare, read: typesToRead)
        return environment.permissions.current.open(request).isEmpty ? .unnecessary : .shouldRequest
    }

    private static func requireShareable(_ types: Set<HKSampleType>) {
        let disallowed = types.filter { !$0.isShareableByApps }.map(\.identifier).sorted()
        precondition(
            disallowed.isEmpty,
            "Authorization to share the following types is disallowed: \(disallowed.joined(separator: ", "))")
    }
}

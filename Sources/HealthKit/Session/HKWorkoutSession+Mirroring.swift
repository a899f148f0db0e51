import Recordings

// Mirroring to another machine; see <doc:Mirroring>.

extension HKWorkoutSession {
    /// Mirrors this session to the companions: the machines of `HEALTHKIT_MIRROR`, or else those that are paired.
    ///
    /// Returns once one of them is there. When none is after ten seconds, throws why; attempts go on all the same until
    /// ``stopMirroringToCompanionDevice()`` or the end, and whoever comes later gets everything from the first entry on. A
    /// session that is mirrored already stays so. Ends with the session, after everything was delivered; earlier only if every
    /// companion declines or closes it, or is forgotten, which the delegate hears. It may then be started again.
    ///
    /// Cancelling the task ends the waiting, not the mirroring.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a session that has ended or is itself a mirrored one, and for
    ///   companions that are no addresses; ``HKError/Code/errorHealthDataUnavailable`` where no companion is known or there;
    ///   `CancellationError`.
    public func startMirroringToCompanionDevice() async throws {
        let environment = store.environment
        let companions = environment.companions
        let mirror = try await onQueue { try $0.startMirroring(to: companions) }
        if let folder = environment.journalFolder {
            _ = await UndeliveredSessions.deliver(
                in: folder, to: companions, time: environment.time, isSearching: false)
        }
        try await mirror.waitForCompanion(within: Self.companionLimitInSeconds)
    }

    /// As ``startMirroringToCompanionDevice()``. `completion` is called on a background queue.
    @preconcurrency public func startMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        call(completion) { try await self.startMirroringToCompanionDevice() }
    }

    /// How long a companion may take to be there.
    static var companionLimitInSeconds: TimeInterval { 10 }

    /// Ends the mirroring in order: companions get what is on its way, and hear that it is over, without an error. The
    /// session itself goes on, and may be mirrored again.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a session that is not mirrored.
    public func stopMirroringToCompanionDevice() async throws {
        let mirror = try await onQueue { try $0.stopMirroring() }
        _ = await mirror.deliver(within: .seconds(5))?.value
    }

    /// As ``stopMirroringToCompanionDevice()``. `completion` is called on a background queue.
    @preconcurrency public func stopMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        call(completion) { try await self.stopMirroringToCompanionDevice() }
    }

    /// Sends data to the app on the other side, which gets it once and in order, several pieces at once if it is slow.
    ///
    /// Returns when the data is on its way. While the other side is out of reach, data waits for it, which Apple's does
    /// not. A machine that joins later does not get what was sent before.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` before the session was prepared or started, after its end, and while it
    ///   is not mirrored; ``HKError/Code/errorDataSizeExceeded`` beyond 100 KB in ten seconds.
    public func sendToRemoteWorkoutSession(data: Data) async throws {
        try await onQueue { try $0.send(data) }
    }

    /// As ``sendToRemoteWorkoutSession(data:)``. `completion` is called on a background queue.
    @preconcurrency public func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Not through a task: two calls after each other are sent in this order.
        recorder.enqueue { recorder in
            let result = Result { try recorder.send(data) }
            DispatchQueue.global().asyncFromHere {
                switch result {
                case .success: completion(true, nil)
                case .failure(let error): completion(false, HKError.wrapping(error))
                }
            }
        }
    }

    /// The machines to which this session is mirrored, and whether they are there.
    package var companionStandings: [CompanionStanding] {
        recorder.mirroring?.standings ?? []
    }

    /// Ends the mirroring of a session that is over, and waits for every companion to have everything, until none has taken
    /// anything for as long as `limit`. Whether they have; true for a session that is not mirrored.
    package func finishMirroring(within limit: Duration) async -> Bool {
        let mirror = recorder.mirroring
        return await mirror?.waitForDelivery(within: limit) ?? true
    }

    /// Where a mirrored session comes from, and whether that machine is there at present; nil when its mirroring is over.
    package var origin: (peer: String, isConnected: Bool)? { store.environment.companions.origin(of: recorder.id) }

    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (isolated WorkoutRecorder) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            recorder.enqueue { recorder in
                continuation.resume(with: Swift.Result { try body(recorder) }.mapError(HKError.wrapping))
            }
        }
    }

    private func call(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable () async throws -> Void
    ) {
        Task {
            do {
                try await body()
                completion(true, nil)
            } catch {
                completion(false, HKError.wrapping(error))
            }
        }
    }
}

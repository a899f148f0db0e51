package import Engine

// Mirroring to another machine: see <doc:Mirroring>.

extension HKWorkoutSession {
    /// The time limit for a companion to connect.
    static var companionLimitInSeconds: TimeInterval { 10 }

    /// The machines to which this session is mirrored, and whether they are connected.
    package var companionStandings: [CompanionPresence] {
        recorder.mirroring?.standings ?? []
    }

    /// Ends the mirroring of a finished session, and waits until every companion has everything, or none has accepted
    /// anything for `limit`. Returns whether they have everything. True for a session that is not mirrored.
    package func finishMirroring(within limit: Duration) async -> Bool {
        let mirror = recorder.mirroring
        return await mirror?.waitForDelivery(within: limit) ?? true
    }

    /// The machine that a mirrored session comes from, and whether it is connected. Nil if the mirroring has ended.
    package var origin: (peer: String, isConnected: Bool)? { store.environment.companions.origin(of: recorder.id) }

    func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (isolated WorkoutRecorder) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            recorder.enqueue { recorder in
                continuation.resume(with: Swift.Result { try body(recorder) }.mapError(HKError.wrapping))
            }
        }
    }

    func call(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable () async throws -> Void
    ) {
        Task { await respond(to: completion) { try await body() } }
    }
}

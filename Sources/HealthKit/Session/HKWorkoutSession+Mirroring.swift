import Recordings

// Mirroring to another machine; see <doc:Mirroring>.

extension HKWorkoutSession {
    /// How long a companion may take to be there.
    static var companionLimitInSeconds: TimeInterval { 10 }

    /// The machines to which this session is mirrored, and whether they are there.
    package var companionStandings: [CompanionPresence] {
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

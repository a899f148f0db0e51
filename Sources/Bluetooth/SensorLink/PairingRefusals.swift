/// What a sensor's refusals to be paired mean for the next attempts. Pure; a value ends the count.
///
/// A sensor may ask for pairing on each link and refuse it. If pairing was offered, bluetoothd closes that link; if it
/// was not, the link stays, and the sensor often sends its values nevertheless. So a link that breaks at once is
/// followed by one that does not offer pairing. A sensor that refuses both ways needs the user, and is tried again
/// more and more rarely.
struct PairingRefusals: Sendable, Equatable {
    /// The refusals since the last value.
    private(set) var count = 0
    /// Whether the next link offers pairing.
    private(set) var offersPairing = true
    /// Errors since the last value that may have been refusals.
    private var suspicions = 0

    /// The sensor refused to be paired.
    mutating func refused() {
        count += 1
        offersPairing = true
    }

    /// bluetoothd reports a refusal as an error of the subscription that also has other causes.
    ///
    /// - Returns: Whether it counts as a refusal: from the second on.
    mutating func subscriptionFailed() -> Bool {
        suspicions += 1
        return suspicions > 1
    }

    /// A link broke before it was of use, with pairing offered or not.
    mutating func brokeAtOnce() { offersPairing.toggle() }

    /// The sensor does not send values without pairing.
    mutating func pairingRequired() { offersPairing = true }

    /// The sensor sends values. Links without pairing stay so, because the sensor will break the others again.
    mutating func measured() {
        count = 0
        suspicions = 0
    }

    /// The pause before the next attempt: `first` after the first refusal, then twice as long each time.
    func pause(first: Duration, longest: Duration) -> Duration {
        min(first * (1 << min(max(count - 1, 0), 16)), longest)
    }
}

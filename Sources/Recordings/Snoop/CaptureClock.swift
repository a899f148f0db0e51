import Foundation

/// The time of a capture's packets, which only goes forward: a packet comes after the one before it, whatever its stamp says.
///
/// Stamps step back by fractions of a second where packets were handed over in batches; such a packet is dated as the one
/// before it. Where they step back further the clock was set, and all that follows is dated on from there.
struct CaptureClock {
    /// Further back than that no batch reaches.
    static let setBackInSeconds = 5.0

    private var latest: Date?
    private var offsetInSeconds = 0.0

    /// - Returns: What there is to say of it.
    mutating func adjust(_ date: inout Date) -> String? {
        let stamp = date
        date += offsetInSeconds
        guard let latest, date < latest else {
            latest = date
            return nil
        }
        let back = latest.timeIntervalSince(date)
        date = latest
        guard back > Self.setBackInSeconds else { return nil }
        offsetInSeconds = latest.timeIntervalSince(stamp)
        return "the clock was set back by \(Int(back.rounded())) s; what follows is dated on from there"
    }
}

/// Builds a series sample. Abstract.
// Sendable holds: the subclasses guard everything that changes.
public class HKSeriesBuilder: NSObject, @unchecked Sendable {
    /// Discards the added data. Any later call stops the program, as Apple's raises, except another `discard()`.
    public func discard() {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is discarded")
    }
}

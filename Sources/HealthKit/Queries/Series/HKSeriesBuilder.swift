/// Builds a series sample. Abstract.
// Sendable holds: the subclasses guard what changes.
public class HKSeriesBuilder: NSObject, @unchecked Sendable {
    /// Discards what was added. Any later call stops the program, where Apple's raises, except another `discard()`.
    public func discard() {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is discarded")
    }
}

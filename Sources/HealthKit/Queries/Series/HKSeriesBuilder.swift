/// Makes a sample that stands for a series. Abstract.
// Sendable holds: the subclasses guard what changes.
public class HKSeriesBuilder: NSObject, @unchecked Sendable {
    /// Gives up what was added; the builder cannot be used any more.
    public func discard() {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is discarded")
    }
}

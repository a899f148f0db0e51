/// Makes a sample that stands for a series. Abstract.
// Sendable holds: the subclasses guard what changes.
public class HKSeriesBuilder: NSObject, @unchecked Sendable {
    /// Gives up what was added. Any later call stops the program, where Apple's raises; another `discard()` does nothing.
    public func discard() {
        preconditionFailure("\(Swift.type(of: self)) does not say how it is discarded")
    }
}

import Synchronization

/// A function that any thread may read and replace.
///
/// A `Mutex` of a function wraps the function once more at each access (Swift 6.3, where `inout` values of generic
/// types have another representation). After 100,000 accesses, a call passes through as many wrappers.
package final class LockedFunction<Function: Sendable>: Sendable {
    private struct Holder: Sendable {
        var function: Function
    }

    private let holder: Mutex<Holder>

    package init(_ function: Function) { holder = Mutex(Holder(function: function)) }

    package var function: Function {
        get { holder.withLock { $0.function } }
        set { holder.withLock { $0.function = newValue } }
    }
}

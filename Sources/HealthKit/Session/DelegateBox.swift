/// A weak reference that may be passed between threads.
// Sendable holds: it is only read and written behind a lock, and called on the session's queue.
struct DelegateBox<Delegate>: @unchecked Sendable {
    private weak var object: AnyObject?

    var delegate: Delegate? {
        get { object as? Delegate }
        set { object = newValue as AnyObject? }
    }
}

/// The reason why an app, or a runner, cannot be started.
package enum DeliveryError: Error, CustomStringConvertible, Equatable {
    case anotherRunner(store: String)
    case failed(String)

    package var description: String {
        switch self {
        case .anotherRunner(let store):
            "another 'workout delivery run' already works on \(store): stop it first, or let it do the work"
        case .failed(let text): text
        }
    }
}

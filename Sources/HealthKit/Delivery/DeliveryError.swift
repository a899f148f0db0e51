/// Why an app cannot be started, or no runner.
package enum DeliveryError: Error, CustomStringConvertible, Equatable {
    case anotherRunner(store: String)
    case failed(String)

    package var description: String {
        switch self {
        case .anotherRunner(let store):
            "another 'workout delivery run' starts the apps of \(store) already: leave it to that one, or end it"
        case .failed(let text): text
        }
    }
}

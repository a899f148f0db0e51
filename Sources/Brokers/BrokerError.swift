/// An error of a broker or its address. Messages never contain a password.
package enum BrokerError: Error, Equatable, CustomStringConvertible {
    /// The address cannot be used: its text without the password, and why.
    case address(String, reason: String)
    /// The broker cannot be used at all, for instance without a library or a certificate.
    case unusable(broker: String, reason: String)
    /// The program was built without brokers.
    case leftOut

    package var description: String {
        switch self {
        case .address(let text, let reason): "The broker '\(text)' cannot be used: \(reason)."
        case .unusable(let broker, let reason): "The broker \(broker) cannot be used: \(reason)."
        case .leftOut:
            "This program was built without brokers. Build it with the package trait Brokers to publish to one."
        }
    }
}

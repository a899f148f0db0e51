package import Brokers

/// The brokers that sessions are published to, and the password for brokers whose address names a user without one.
package struct PublishSettings: Sendable {
    package static let none = PublishSettings()

    /// A broker and its messages.
    package enum Broker: Sendable, Equatable, CustomStringConvertible {
        /// The present figures of a session, over MQTT.
        case figures(BrokerAddress)
        /// The log of a session, as a stream of NATS.
        case log(NATSAddress)

        package var description: String {
            switch self {
            case .figures(let address): address.description
            case .log(let address): address.description
            }
        }
    }

    package var brokers: [Broker] = []
    /// The person of the sessions, if an address names none.
    package private(set) var person = "default"
    /// Whose session it is, of several that this machine runs. Nil if it runs one.
    package private(set) var athlete: String?
    private var password: String?

    private init() {}

    /// Only the password. The publisher reports an unreadable file.
    init(passwordFrom variables: [String: String]) {
        self = (try? PublishSettings(variables: variables.filter { $0.key.hasPrefix("HEALTHKIT_BROKER_") })) ?? .none
    }

    /// - Parameter variables: `HEALTHKIT_PUBLISH`, addresses with spaces between them; `HEALTHKIT_BROKER_PASSWORD`, or
    ///   `HEALTHKIT_BROKER_PASSWORD_FILE` with the path of a file that contains it.
    /// - Throws: ``HKError/Code/errorInvalidArgument``.
    package init(variables: [String: String]) throws {
        if let given = variables["HEALTHKIT_BROKER_PASSWORD"], !given.isEmpty {
            password = given
        } else if let path = variables["HEALTHKIT_BROKER_PASSWORD_FILE"], !path.isEmpty {
            do {
                let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
                password = text.trimmingCharacters(in: .newlines)
            } catch {
                throw HKError.make(
                    .errorInvalidArgument,
                    "The password of the broker cannot be read from \(path). "
                        + "Correct HEALTHKIT_BROKER_PASSWORD_FILE, or make the file readable.", cause: error)
            }
        }
        if let given = variables["HEALTHKIT_PERSON"], !given.isEmpty { person = given }
        brokers = try (variables["HEALTHKIT_PUBLISH"] ?? "").split(whereSeparator: \.isWhitespace).map {
            try broker(String($0))
        }
    }

    /// The same for one of several who train at this machine.
    package func of(athlete name: String, person: String) -> PublishSettings {
        var copy = self
        copy.person = person
        copy.athlete = name
        return copy
    }

    /// A broker to publish to, with its password.
    /// - Throws: ``HKError/Code/errorInvalidArgument``.
    package func broker(_ text: String) throws -> Broker {
        guard NATSAddress.isAddress(text) else {
            return .figures(try complete(Result { () throws(BrokerError) in try BrokerAddress(publishing: text) }))
        }
        return .log(try servers(text))
    }

    /// Servers of NATS, with the password.
    /// - Parameter namesSession: Whether the address may end with the ID of a session.
    /// - Throws: ``HKError/Code/errorInvalidArgument``.
    package func servers(_ text: String, namesSession: Bool = false) throws -> NATSAddress {
        let parsed = Result { () throws(BrokerError) in try NATSAddress(text) }
        var address = try parsed.mapError { HKError.make(.errorInvalidArgument, $0.description) }.get()
        if let session = address.session, !namesSession {
            throw HKError.make(
                .errorInvalidArgument,
                "The address ends with a session, \(session.uuidString). Only 'workout follow' and HEALTHKIT_SENSORS take one session."
            )
        }
        if address.user != nil, address.password == nil, address.seedFile == nil { address.password = password }
        return address
    }

    /// A broker that an argument of a program names. Everybody on this machine can read arguments, so passwords are refused.
    /// - Throws: ``HKError/Code/errorInvalidArgument``.
    package func broker(argument text: String) throws -> Broker {
        try Self.refusePassword(in: text)
        return try broker(text)
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an argument with a password.
    package static func refusePassword(in text: String) throws {
        guard BrokerAddress.withoutPassword(text) == text else {
            throw HKError.make(
                .errorInvalidArgument,
                "A password in an argument can be read by every user of this machine. Leave it out "
                    + "(\(BrokerAddress.withoutPassword(text))), and set HEALTHKIT_BROKER_PASSWORD or "
                    + "HEALTHKIT_BROKER_PASSWORD_FILE.")
        }
    }

    /// A broker to read from, with its password.
    /// - Throws: ``HKError/Code/errorInvalidArgument``.
    package func sensor(_ text: String) throws -> BrokerAddress {
        try complete(Result { () throws(BrokerError) in try BrokerAddress(sensor: text) })
    }

    private func complete(_ parsed: Result<BrokerAddress, BrokerError>) throws -> BrokerAddress {
        var address = try parsed.mapError { HKError.make(.errorInvalidArgument, $0.description) }.get()
        if address.user != nil, address.password == nil { address.password = password }
        return address
    }
}

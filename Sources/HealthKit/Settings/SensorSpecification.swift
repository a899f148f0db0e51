import Brokers
package import GATT

/// A sensor in `HEALTHKIT_SENSORS`.
///
/// | text | sensor |
/// | --- | --- |
/// | `replay:FILE[?speed=N or max][&keep-dates=1][&wearer=profile]` | a recording of any readable format |
/// | `simulate[:PROFILE][?seed=N&speed=N or max&duration=SECONDS&wearer=profile]` | the simulator; a built-in profile or a JSON file |
/// | `ble:AA:BB:CC:DD:EE:FF` | a Bluetooth sensor |
/// | `ant:KIND:NUMBER` | an ANT+ sensor; KIND is `hr`, `power`, `trainer`, `speed`, `cadence`, `bike` or `footpod` |
/// | `mqtt[s]://[USER@]HOST[:PORT]?topic=TOPIC[&path=KEY.KEY]` | heart rates that others publish to an MQTT broker |
/// | `nats[s]://[USER@]HOST[:PORT][,HOST…][/PREFIX][/SESSION][?person=PERSON]` | the sensors of a session that another machine publishes to NATS; the one that began last without SESSION |
/// | `none` | none at all, also none of the paired ones |
///
/// Several are separated by commas. A comma or question mark in a file's name is written `%2C` or `%3F`.
public enum SensorSpecification: Sendable, Equatable {
    /// A recording. `speed` is 1 for the recorded speed and infinity for the highest. With `keepsDates`, the workout
    /// keeps the recording's dates instead of today's.
    case replay(URL, speed: Double = 1, keepsDates: Bool = false, wearer: Wearer = .recording)
    /// The simulator with a built-in profile or a JSON file. Nil for `easyRun`. The same seed gives the same workout.
    case simulate(
        profile: String? = nil, seed: UInt64 = 1, speed: Double = 1, durationInSeconds: Double? = nil,
        wearer: Wearer = .recording)
    /// A Bluetooth sensor by its address, `AA:BB:CC:DD:EE:FF`. Pairing is not required.
    case bluetooth(address: String)
    /// An ANT+ sensor by its kind and number, `ant:hr:12345`. Needs the package trait `ANT` and a USB stick.
    case ant(address: String)
    /// Heart rates from an MQTT broker, by its address with the topic. Needs the package trait `Brokers`.
    case mqtt(address: String)
    /// The sensors of another machine's session on NATS, by the address of the servers. Needs the package trait
    /// `Brokers`.
    case nats(address: String)

    /// The wearer of a replay's sensors, for zones and energy.
    public enum Wearer: String, Sendable, Equatable, CaseIterable {
        /// The wearer stated in the recording, if any.
        case recording
        /// The profile of this machine, as with live sensors, else the wearer stated in the recording.
        case profile
    }

    /// Parses a list of sensors. Empty for `none`.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` with the invalid part and the expected form.
    public static func list(_ text: String) throws -> [SensorSpecification] {
        let parts = NATSAddress.list(text)
        if parts == ["none"] { return [] }
        return try parts.map { try SensorSpecification(parsing: $0) }
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument``.
    public init(parsing text: String) throws {
        let (kind, rest) = Self.split(text, at: ":")
        switch kind {
        case "replay":
            let (file, options) = try Self.options(rest, in: text, allowed: ["speed", "keep-dates", "wearer"])
            guard !file.isEmpty else { throw Self.invalid(text, "replay needs a file: replay:FILE") }
            self = .replay(
                URL(fileURLWithPath: file), speed: try Self.speed(options["speed"], in: text),
                keepsDates: ["1", "true", "yes"].contains(options["keep-dates"] ?? ""),
                wearer: try Self.wearer(options["wearer"], in: text))
        case _ where kind == "simulate" || kind.hasPrefix("simulate?"):
            let tail = kind == "simulate" ? rest : String(text.dropFirst("simulate".count))
            let (profile, options) = try Self.options(tail, in: text, allowed: ["seed", "speed", "duration", "wearer"])
            let seed = try options["seed"].map { value in
                guard let seed = UInt64(value) else { throw Self.invalid(text, "seed must be a whole number") }
                return seed
            }
            let duration = try options["duration"].map { value in
                guard let seconds = Double(value), Self.durationsInSeconds.contains(seconds) else {
                    throw Self.invalid(text, "duration must be 1 to 31622400 seconds")
                }
                return seconds
            }
            self = .simulate(
                profile: profile.isEmpty ? nil : profile, seed: seed ?? 1,
                speed: try Self.speed(options["speed"], in: text), durationInSeconds: duration,
                wearer: try Self.wearer(options["wearer"], in: text))
        case "ble":
            let octets = rest.split(separator: ":", omittingEmptySubsequences: false)
            guard octets.count == 6, octets.allSatisfy({ $0.count == 2 && UInt8($0, radix: 16) != nil }) else {
                throw Self.invalid(text, "an address looks like ble:AA:BB:CC:DD:EE:FF")
            }
            self = .bluetooth(address: rest.uppercased())
        case "ant":
            guard let device = ANTDeviceID(text) else {
                let kinds = ANTDeviceKind.allCases.map(\.code).joined(separator: ", ")
                throw Self.invalid(
                    text, "an ANT+ sensor is ant:KIND:NUMBER; KIND is \(kinds), and NUMBER is 1 to 65535")
            }
            self = .ant(address: device.description)
        case "mqtt", "mqtts":
            do {
                _ = try BrokerAddress(sensor: text)
            } catch {
                throw HKError.make(.errorInvalidArgument, error.description)
            }
            self = .mqtt(address: text)
        case "nats", "natss":
            do {
                _ = try NATSAddress(text)
            } catch {
                throw HKError.make(.errorInvalidArgument, error.description)
            }
            self = .nats(address: text)
        default:
            throw Self.invalid(
                text,
                "a sensor is replay:FILE, simulate, ble:ADDRESS, ant:KIND:NUMBER, mqtt://HOST?topic=TOPIC, nats://HOST/SESSION or none"
            )
        }
    }

    private static func split(_ text: String, at separator: Character) -> (String, String) {
        guard let index = text.firstIndex(of: separator) else { return (text, "") }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    private static func options(
        _ text: String, in whole: String, allowed: Set<String>
    ) throws -> (String, [String: String]) {
        let (name, list) = split(text, at: "?")
        var options: [String: String] = [:]
        for pair in list.split(separator: "&") {
            let (key, value) = split(String(pair), at: "=")
            guard allowed.contains(key) else {
                throw invalid(whole, "unknown option '\(key)'; known are \(allowed.sorted().joined(separator: ", "))")
            }
            options[key] = value
        }
        return (name.removingPercentEncoding ?? name, options)
    }

    private static func speed(_ value: String?, in whole: String) throws -> Double {
        guard let value else { return 1 }
        guard let speed = Self.speed(parsing: value) else {
            throw invalid(whole, "speed must be 0.001 to 1000000, or max")
        }
        return speed
    }

    private static func wearer(_ value: String?, in whole: String) throws -> Wearer {
        guard let value else { return .recording }
        guard let wearer = Wearer(rawValue: value) else { throw invalid(whole, "wearer must be recording or profile") }
        return wearer
    }

    /// Parses the speed in an option or a variable: one of ``speeds``, or `max` for infinity. Nil for anything else.
    public static func speed(parsing text: String) -> Double? {
        if text == "max" { return .infinity }
        guard let speed = Double(text), speeds.contains(speed) else { return nil }
        return speed
    }

    private static func invalid(_ text: String, _ reason: String) -> HKError {
        HKError.make(.errorInvalidArgument, "The sensor '\(text)' cannot be used: \(reason).")
    }
}

extension SensorSpecification {
    /// The factors allowed for replays and simulations besides `max`: an hour takes from four milliseconds to six
    /// weeks.
    public static let speeds = 0.001...1_000_000.0

    /// The allowed durations of a simulation: a second to a year.
    public static let durationsInSeconds = 1...31_622_400.0
}

extension SensorSpecification {
    /// Creates the live sensor with this address.
    package init(_ address: DeviceAddress) {
        let text = address.description
        self = address.ant == nil ? .bluetooth(address: text) : .ant(address: text)
    }

    /// The address of a live sensor, of Bluetooth or ANT+. Nil for other sensors.
    package var deviceAddressText: String? {
        switch self {
        case .bluetooth(let address), .ant(let address): address
        case .replay, .simulate, .mqtt, .nats: nil
        }
    }
}

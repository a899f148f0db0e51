import Bluetooth
import Engine
import Foundation
import Glibc
import SessionLog

/// `config.json`: the settings of the environment variables in a file, and the profile.
struct ConfigurationFile: Decodable, Sendable {
    /// The settings, with the meaning of their variables in ``variables``.
    var sensors: String?
    var store: String?
    var person: String?
    var mirror: String?
    var mirrorListen: String?
    var mirrorDiscovery: String?
    var authorization: String?
    var simulate: String?
    var bluetooth: String?
    var log: String?
    var publish: String?
    var profile: StoredProfile?
    /// The sensors of `workout pair`.
    var pairedSensors: [PairedSensor]?

    /// The file's settings for variables that are unset or empty.
    var variables: [String: String] {
        [
            "HEALTHKIT_SENSORS": sensors, "HEALTHKIT_STORE": store, "HEALTHKIT_PERSON": person,
            "HEALTHKIT_MIRROR": mirror,
            "HEALTHKIT_MIRROR_LISTEN": mirrorListen, "HEALTHKIT_MIRROR_DISCOVERY": mirrorDiscovery,
            "HEALTHKIT_AUTHORIZATION": authorization, "HEALTHKIT_SIMULATE": simulate, "HEALTHKIT_BLUETOOTH": bluetooth,
            "HEALTHKIT_LOG": log, "HEALTHKIT_PUBLISH": publish,
        ].compactMapValues { $0 }
    }

    /// Returns the folder of settings, or nil if neither variable is set.
    static func folder(variables: [String: String]) -> URL? {
        let folder =
            variables["XDG_CONFIG_HOME"].map { URL(fileURLWithPath: $0) }
            ?? variables["HOME"].map { URL(fileURLWithPath: $0).appendingPathComponent(".config") }
        return folder?.appendingPathComponent("healthkit")
    }

    static func url(variables: [String: String]) -> URL? {
        folder(variables: variables)?.appendingPathComponent("config.json")
    }

    /// Returns the bytes of the file, or nil if it doesn't exist. An unreadable file is an error, because its settings,
    /// such as permissions, must not be ignored.
    static func contents(of url: URL) throws -> Data? {
        do {
            return try Data(contentsOf: url)
        } catch {
            if access(url.path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
            throw HKError.make(
                .errorInvalidArgument,
                "\(url.path) cannot be read. Make it readable, or remove it.", cause: error)
        }
    }

    /// Reads the file. Returns nil if it doesn't exist.
    static func read(variables: [String: String]) throws -> ConfigurationFile? {
        guard let url = url(variables: variables), let data = try contents(of: url) else { return nil }
        do {
            // Without this check, a misspelt key would be ignored silently.
            let words = try JSONDecoder().decode([String: Anything].self, from: data).keys
            if let unknown = words.sorted().first(where: { CodingKeys(stringValue: $0) == nil }) {
                throw HKError.make(
                    .errorInvalidArgument,
                    "\(url.path) has the unknown setting '\(unknown)'; known are "
                        + CodingKeys.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            return try JSONDecoder().decode(ConfigurationFile.self, from: data)
        } catch let error as DecodingError {
            throw HKError.make(
                .errorInvalidArgument, "\(url.path) cannot be read: \(error.sentence). Correct it or remove it.")
        }
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case sensors, store, person, mirror, mirrorListen, mirrorDiscovery, authorization, simulate, bluetooth, log,
            publish, profile,
            pairedSensors
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}

extension DecodingError {
    fileprivate var sentence: String {
        switch self {
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .valueNotFound(_, let context) where !context.codingPath.isEmpty:
            "'\(Self.path(context))' has a value of the wrong kind"
        case .keyNotFound(let key, let context): "'\(Self.path(context))' lacks '\(key.stringValue)'"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "'\(Self.path(context))': \(context.debugDescription)"
        default: "it is not a JSON object"
        }
    }

    private static func path(_ context: Context) -> String {
        context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

extension ConfigurationFile {
    /// The settings in the file, including unknown ones. None without a file.
    static func settings(in file: URL) throws -> [String: Any] {
        guard let data = try contents(of: file) else { return [:] }
        do {
            guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
                throw CocoaError(.propertyListReadCorrupt)
            }
            return object
        } catch {
            throw HKError.make(
                .errorInvalidArgument, "\(file.path) cannot be read: correct it or remove it.", cause: error)
        }
    }

    /// Replaces the whole file in one step, readable by its owner only.
    /// - Parameter subject: The name of the data, for the error's message.
    static func write(_ settings: [String: Any], to file: URL, _ subject: String) throws {
        do {
            try DurableFile.makeFolder(file.deletingLastPathComponent())
            let data = try JSONSerialization.data(
                withJSONObject: settings, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            try DurableFile.write(data + Data("\n".utf8), to: file)
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "\(subject) cannot be written to \(file.path): make it writable, or set XDG_CONFIG_HOME.", cause: error)
        }
    }
}

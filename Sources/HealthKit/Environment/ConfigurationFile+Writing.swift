import SessionLog

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

import Brokers
import Foundation
import SessionLog

/// Logs of ended sessions that were not fully published, because the servers were away. They wait in a folder beside
/// the journals, each with the address of its servers, until 'workout recover' publishes the rest.
package struct UnpublishedLogs: Sendable {
    private let folder: URL

    /// The destination of a log, without the password, which is read from the variables again.
    private struct Destination: Codable {
        var servers: String
        var person: String
        var isDiscarded: Bool
    }

    package init?(_ environment: HealthEnvironment) {
        guard let journals = environment.journalFolder else { return nil }
        folder = journals.appendingPathComponent("unpublished")
    }

    /// Keeps the whole log of a session.
    func keep(
        _ log: LiveSessionLog, of session: UUID, for address: NATSAddress, person: String, isDiscarded: Bool
    ) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let part = file(session, "part")
        guard FileManager.default.createFile(atPath: part.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: part.path]) }
        let output = try FileHandle(forWritingTo: part)
        defer { try? output.close() }
        var place = 0
        while case let lines = try log.lines(from: place, bytes: 1 << 16), !lines.isEmpty {
            // An empty line stands for an entry that a log cannot represent.
            try output.write(contentsOf: Data(lines.flatMap { $0 ?? [0x0A] }))
            place += lines.count
        }
        try output.synchronize()
        let destination = Destination(servers: address.text, person: person, isDiscarded: isDiscarded)
        try JSONEncoder().encode(destination).write(to: file(session, "json"), options: .atomic)
        try FileManager.default.moveItem(at: part, to: file(session, "jsonl"))
    }

    private func file(_ session: UUID, _ ending: String) -> URL {
        folder.appendingPathComponent("\(session.uuidString).\(ending)")
    }

    /// The waiting sessions.
    package var sessions: [UUID] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".jsonl") }.compactMap { UUID(uuidString: String($0.dropLast(6))) }.sorted {
            $0.uuidString < $1.uuidString
        }
    }

    /// Publishes the rest of a session and removes it. Blocks while it waits for the servers.
    /// - Throws: ``NATSFault``, ``BrokerError`` or an error of a file. The session keeps waiting.
    package func publish(_ session: UUID, _ settings: PublishSettings) throws {
        let destination = try JSONDecoder().decode(Destination.self, from: Data(contentsOf: file(session, "json")))
        let address = try settings.servers(destination.servers)
        let subjects = SessionSubjects(prefix: address.prefix, person: destination.person, session: session)
        var link = try StreamLink(address, subjects)
        let lines = [UInt8](try Data(contentsOf: file(session, "jsonl"))).split(
            separator: 0x0A, omittingEmptySubsequences: false)
        // Nothing follows the last line feed.
        let log = lines.dropLast()
        while try link.publish({ place, limit in
            var taken = 0
            return log.dropFirst(place).prefix { line in
                defer { taken += line.count + 1 }
                return taken < limit
            }
            .map { $0.isEmpty ? nil : Array($0) + [0x0A] }
        }) {}
        try link.publishEnd(isDiscarded: destination.isDiscarded)
        for ending in ["jsonl", "json"] { try FileManager.default.removeItem(at: file(session, ending)) }
    }
}

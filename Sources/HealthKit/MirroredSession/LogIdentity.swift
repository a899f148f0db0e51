/// Names logs, so that nobody takes an entry for another one of the same number.
enum LogIdentity {
    /// The name that a session's log has in every process that continues it from its journal; nil where that cannot be said.
    ///
    /// A journal that is written with `write` survives the process, not the machine: after a loss of power the file may lack
    /// entries that companions have. So the name holds as long as the machine runs (`boot_id`, random(4)). A log with raw
    /// notifications numbers its entries otherwise than one without, and has another name.
    static func certain(for session: UUID, includesNotifications: Bool) -> UUID? {
        guard let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            let boot = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return nil }
        let kind: UInt8 = includesNotifications ? 0xFF : 0
        let bytes = zip(session.bytes, boot.bytes).map { $0 ^ $1 ^ kind }
        return bytes.withUnsafeBytes { UUID(bytes: $0) }
    }
}

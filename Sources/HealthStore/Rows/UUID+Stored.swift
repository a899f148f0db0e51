extension UUID {
    /// Nil unless there are sixteen bytes.
    init?(stored data: Data) {
        guard data.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}

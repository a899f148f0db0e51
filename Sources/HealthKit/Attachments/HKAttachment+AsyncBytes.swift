extension HKAttachment {
    /// The bytes of an attachment, one after another.
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8

        fileprivate let reader: HKAttachmentDataReader

        init(_ reader: HKAttachmentDataReader) {
            self.reader = reader
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: HKAttachmentDataReader
            private var data: Data?
            private var next = 0

            fileprivate init(reader: HKAttachmentDataReader) {
                self.reader = reader
            }

            public mutating func next() async throws -> UInt8? {
                let data: Data
                if let read = self.data {
                    data = read
                } else {
                    data = try await reader.data
                    self.data = data
                }
                guard next < data.count else { return nil }
                defer { next += 1 }
                return data[data.startIndex + next]
            }
        }
    }
}

extension HKAttachment {
    /// The bytes of an attachment as a sequence.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// One byte of the file.
        public typealias Element = UInt8

        fileprivate let reader: HKAttachmentDataReader

        init(_ reader: HKAttachmentDataReader) {
            self.reader = reader
        }

        /// Creates an iterator. The file is read by the first `next()`.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        /// Reads the file once at its first step, then returns the bytes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: HKAttachmentDataReader
            private var data: Data?
            private var next = 0

            fileprivate init(reader: HKAttachmentDataReader) {
                self.reader = reader
            }

            /// Returns the next byte, or nil after the last one.
            /// - Throws: At the first byte, the errors of ``HKAttachmentDataReader/data``.
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

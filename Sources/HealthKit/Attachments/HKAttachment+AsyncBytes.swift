extension HKAttachment {
    /// The bytes of an attachment, one after another.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// One byte of the file.
        public typealias Element = UInt8

        fileprivate let reader: HKAttachmentDataReader

        init(_ reader: HKAttachmentDataReader) {
            self.reader = reader
        }

        /// Reads nothing yet: the file is read with the first `next()`.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        /// Reads the file once, with its first step, and then hands out its bytes.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: HKAttachmentDataReader
            private var data: Data?
            private var next = 0

            fileprivate init(reader: HKAttachmentDataReader) {
                self.reader = reader
            }

            /// The next byte; nil after the last one.
            /// - Throws: With the first byte, what ``HKAttachmentDataReader/data`` throws.
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

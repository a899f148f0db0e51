import Foundation
import HealthKit
import MadeSamples
import Testing
import UniformTypeIdentifiers

@Suite struct AttachmentTests {
    private let health = QueryStore()
    private let bytes = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// A file with ``bytes``, deleted afterwards.
    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "scan-\(UUID()).pdf")
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url)
    }

    @Test func `a file is stored with its sample and read whole and in pieces`() async throws {
        let sample = Made.heartRate(60, at: 0)
        try await health.store.save(sample)
        let store = HKAttachmentStore(healthStore: health.store)
        var added: HKAttachment?
        try await withFile { url in
            added = try await store.addAttachment(
                to: sample, name: "scan.pdf", contentType: .pdf, url: url, metadata: ["page": 1])
        }
        let attachment = try #require(added)
        let found = try await store.attachments(for: sample)
        #expect(found == [attachment])
        #expect(found.first?.name == "scan.pdf" && found.first?.contentType == .pdf && found.first?.size == bytes.count)
        #expect(found.first?.metadata?["page"] as? Int == 1)
        #expect(try await store.dataReader(for: attachment).data == bytes)
        var count = 0
        for try await byte in store.dataReader(for: attachment).bytes.prefix(1000) {
            #expect(byte == bytes[count])
            count += 1
        }
        #expect(count == 1000)
        let pieces = Calls<(data: Data, isLast: Bool)>()
        store.streamData(for: attachment) { data, _, isLast in pieces.add((data ?? Data(), isLast)) }
        var streamed = Data()
        while let piece = await pieces.next() {
            streamed += piece.data
            if piece.isLast { break }
        }
        #expect(streamed == bytes)
    }

    @Test func `an attachment is removed on request, and with its object`() async throws {
        let samples = [Made.heartRate(60, at: 0), Made.heartRate(61, at: 1)]
        try await health.store.save(samples)
        let store = HKAttachmentStore(healthStore: health.store)
        try await withFile { url in
            let first = try await store.addAttachment(to: samples[0], name: "a", contentType: .data, url: url)
            let second = try await store.addAttachment(to: samples[1], name: "b", contentType: .data, url: url)
            await #expect(throws: HKError.self) { try await store.removeAttachment(first, from: samples[1]) }
            try await store.removeAttachment(first, from: samples[0])
            #expect(try await store.attachments(for: samples[0]).isEmpty)
            try await health.store.delete(samples[1])
            #expect(try await store.attachments(for: samples[1]).isEmpty)
            await #expect(throws: HKError.self) { try await store.dataReader(for: second).data }
        }
    }

    @Test func `attaching fails for an object that is not stored and for a missing file`() async throws {
        let sample = Made.heartRate(60, at: 0)
        let store = HKAttachmentStore(healthStore: health.store)
        try await withFile { url in
            await #expect(throws: HKError.self) {
                try await store.addAttachment(to: sample, name: "a", contentType: .pdf, url: url)
            }
        }
        try await health.store.save(sample)
        await #expect(throws: HKError.self) {
            try await store.addAttachment(
                to: sample, name: "a", contentType: .pdf, url: URL(fileURLWithPath: "/nowhere/scan.pdf"))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `attachments are returned in the order they were added`(_ kind: StoreUnderTest) throws {
        try kind.with { database in
            let sample = Made.heartRate(60, at: 0)
            try database.save([sample], from: Made.source("Watch"))
            let attachments = (0..<3).map { index in
                HKAttachment(
                    identifier: UUID(), name: "\(index)", contentType: .plainText, size: index,
                    creationDate: Made.start, metadata: nil)
            }
            for (index, attachment) in attachments.enumerated() {
                try database.add(attachment, data: Data(repeating: 1, count: index), to: sample.uuid)
            }
            #expect(try database.attachments(of: sample.uuid).map(\.identifier) == attachments.map(\.identifier))
            #expect(try database.attachmentData(attachments[2].identifier)?.count == 2)
            #expect(try database.attachmentData(UUID()) == nil)
        }
    }
}

@Suite struct UTTypeTests {
    @Test func `well-known types have their kind, extension and MIME type`() {
        #expect(UTType(filenameExtension: "PDF") == .pdf)
        #expect(UTType(mimeType: "image/jpeg") == .jpeg)
        #expect(UTType.jpeg.conforms(to: .image) && UTType.jpeg.conforms(to: .data) && !UTType.jpeg.conforms(to: .pdf))
        #expect(UTType.png.preferredFilenameExtension == "png")
        #expect(UTType("com.example.own")?.conforms(to: .data) == false)
        #expect(UTType("") == nil && UTType(filenameExtension: "unheard-of") == nil)
    }
}

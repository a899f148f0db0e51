import Foundation
import Testing

@testable import Mirroring

@Suite struct PeerBookTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("book-\(UUID())")

    private func peer(_ byte: UInt8, _ name: String, added: Double = 0) -> Peer {
        Peer(
            fingerprint: PeerFingerprint(ofDER: [byte]), name: name,
            added: Date(timeIntervalSince1970: 1_700_000_000 + added))
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func `peers are listed, found, renamed and forgotten by every process with the folder`() throws {
        let (one, other) = (PeerBook(folder: folder), PeerBook(folder: folder))
        let (watch, phone) = (peer(1, "watch"), peer(2, "phone", added: 1))
        #expect(try one.all().isEmpty)
        try one.add(phone)
        try other.add(watch)
        #expect(try one.all() == [watch, phone])
        #expect(try PeerBook.find("phone", among: one.all()) == phone)
        #expect(try PeerBook.find(watch.fingerprint.short, among: one.all()) == watch)
        try other.rename(phone.fingerprint, to: "tablet")
        #expect(try PeerBook.find("tablet", among: one.all()).fingerprint == phone.fingerprint)
        try one.forget(phone.fingerprint)
        #expect(try other.peer(phone.fingerprint) == nil)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `an unknown peer is named in the error`() throws {
        let book = PeerBook(folder: folder)
        #expect(throws: MirrorError.unknownPeer("phone")) { try PeerBook.find("phone", among: book.all()) }
        let nobody = peer(9, "nobody").fingerprint
        #expect(throws: MirrorError.unknownPeer(nobody.short)) { try book.forget(nobody) }
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func `a name that could not be found again is rejected`() throws {
        let book = PeerBook(folder: folder)
        let (watch, phone) = (peer(1, "watch"), peer(2, "phone"))
        try book.add(watch)
        try book.add(phone)
        let long = String(repeating: "x", count: 65)
        for name in ["", "  ", "watch", "0123456789abcdef", "red\u{1B}[31m", "two\nlines", long] {
            #expect(throws: MirrorError.self, "\(name)") { try book.rename(phone.fingerprint, to: name) }
        }
        try book.rename(phone.fingerprint, to: " Küche ")
        #expect(try book.peer(phone.fingerprint)?.name == "Küche")
        // A machine's own name does not count as another machine's.
        try book.rename(phone.fingerprint, to: "Küche")
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `an ambiguous name and an unknown name are different errors`() throws {
        let twins = [peer(1, "pi"), peer(2, "pi")]
        #expect(throws: MirrorError.ambiguousPeer("pi", count: 2)) { try PeerBook.find("pi", among: twins) }
        #expect(try PeerBook.find(twins[1].fingerprint.short.uppercased(), among: twins) == twins[1])
        #expect(throws: MirrorError.unknownPeer(String(twins[1].fingerprint.short.prefix(7)))) {
            try PeerBook.find(String(twins[1].fingerprint.short.prefix(7)), among: twins)
        }
    }

    @Test func `only the user can read the book`() throws {
        let book = PeerBook(folder: folder)
        try book.add(peer(1, "watch"))
        #expect(try mode(book.file) == 0o600)
        #expect(try mode(folder) == 0o700)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `a damaged book is an error, not an empty one`() throws {
        let book = PeerBook(folder: folder)
        try book.add(peer(1, "watch"))
        try Data("[{".utf8).write(to: book.file)
        #expect(throws: MirrorError.self) { try book.all() }
        #expect(throws: MirrorError.self) { try book.add(peer(2, "phone")) }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `simultaneous changes are all kept`() async throws {
        let folder = folder
        await withTaskGroup(of: Void.self) { group in
            for number in UInt8(0)..<20 {
                let peer = peer(number, "peer \(number)")
                group.addTask { try? PeerBook(folder: folder).add(peer) }
            }
        }
        #expect(try PeerBook(folder: folder).all().count == 20)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `noting where a peer was reached does not restore a forgotten one`() throws {
        let book = PeerBook(folder: folder)
        let watch = peer(1, "watch")
        try book.add(watch)
        let address = MirrorAddress(host: "10.0.0.2")
        try book.note(address, of: watch.fingerprint)
        #expect(try book.peer(watch.fingerprint)?.address == address)
        try book.forget(watch.fingerprint)
        try book.note(address, of: watch.fingerprint)
        #expect(try book.all().isEmpty)
        try FileManager.default.removeItem(at: folder)
    }
}

@Suite struct PeerIdentityTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("identity-\(UUID())")

    @Test func `an identity is created once and stays`() throws {
        let first = try PeerIdentity(folder: folder)
        #expect(try PeerIdentity(folder: folder).fingerprint == first.fingerprint)
        #expect(PeerFingerprint(first.fingerprint.description) == first.fingerprint)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.appendingPathComponent(PeerIdentity.fileName).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `simultaneous starts agree on one identity`() async throws {
        let folder = folder
        let fingerprints = await withTaskGroup(of: PeerFingerprint?.self) { group in
            for _ in 0..<8 { group.addTask { try? PeerIdentity(folder: folder).fingerprint } }
            return await group.reduce(into: Set<PeerFingerprint?>()) { $0.insert($1) }
        }
        #expect(fingerprints.count == 1 && !fingerprints.contains(nil))
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `a key that others may read is not used`() throws {
        _ = try PeerIdentity(folder: folder)
        let file = folder.appendingPathComponent(PeerIdentity.fileName).path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        #expect(throws: MirrorError.exposed(path: file, mode: 0o644)) {
            try PeerIdentity(folder: folder)
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `a damaged file is an error and is kept`() throws {
        _ = try PeerIdentity(folder: folder)
        let file = folder.appendingPathComponent(PeerIdentity.fileName)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 90)
        try handle.close()
        #expect(throws: MirrorError.self) { try PeerIdentity(folder: folder) }
        #expect(try Data(contentsOf: file).count == 90)
        try FileManager.default.removeItem(at: folder)
    }
}

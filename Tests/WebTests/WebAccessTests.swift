import Foundation
import Mirroring
import Testing
import Web

@Suite struct WebAccessTests {
    private let key = WebKey()

    private func access(isLoopback: Bool, names: [String] = ["gym.local"]) -> WebAccess {
        WebAccess(key: key, isLoopback: isLoopback, isSecure: !isLoopback, names: names)
    }

    private func request(
        _ method: String = "GET", host: String? = "localhost:8421", _ headers: [(name: String, value: String)] = []
    ) -> WebRequest {
        WebRequest(
            method: method, target: "/", headers: (host.map { [("Host", $0)] } ?? []) + headers,
            localAddress: "192.0.2.7")
    }

    @Test(arguments: ["localhost:8421", "127.0.0.1", "[::1]:8421", "192.0.2.7:8421", "GYM.local:1", "gym.local."])
    func `this machine answers to its own names`(host: String) {
        #expect(access(isLoopback: true).refusal(of: request(host: host)) == nil)
    }

    @Test(arguments: [
        nil, "", "evil.example", "evil.example:8421", "localhost.evil.example", "a:b:c", "[::1", "[::1]evil",
        "localhost:8421.evil.example",
        "localhost:",
    ])
    func `a page whose name was rebound to this address is rejected`(host: String?) {
        #expect(access(isLoopback: true).refusal(of: request(host: host)) == .wrongHost)
    }

    @Test func `loopback names are not accepted from other machines`() {
        #expect(access(isLoopback: false).refusal(of: request()) == .wrongHost)
    }

    @Test func `on this machine only changes need the key`() {
        #expect(access(isLoopback: true).refusal(of: request()) == nil)
        #expect(access(isLoopback: true).refusal(of: request("HEAD")) == nil)
        #expect(access(isLoopback: true).refusal(of: request("POST")) == .withoutKey)
        #expect(access(isLoopback: true).refusal(of: request("POST"), isPublic: true) == nil)
    }

    @Test func `from other machines everything needs the key`() {
        let access = access(isLoopback: false)
        func asked(_ headers: [(name: String, value: String)]) -> WebAccess.Refusal? {
            access.refusal(of: request(host: "192.0.2.7:8421", headers))
        }
        #expect(asked([]) == .withoutKey)
        #expect(asked([("Cookie", "workout-key=\(WebKey().text)")]) == .withoutKey)
        #expect(asked([("Cookie", "workout-key=")]) == .withoutKey)
        #expect(asked([("Authorization", "Basic \(key.text)")]) == .withoutKey)
        #expect(asked([("Cookie", "workout-key=\(key.text)")]) == nil)
        #expect(asked([("authorization", "bearer \(key.text)")]) == nil)
    }

    @Test(arguments: [
        ("Origin", "http://evil.example"), ("Origin", "https://localhost:8421"), ("Origin", "http://localhost:9"),
        ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
    ])
    func `another site's page changes nothing, with or without the key`(header: (String, String)) {
        let cookie = (name: "Cookie", value: "workout-key=\(key.text)")
        let asked = request("POST", [cookie, (name: header.0, value: header.1)])
        #expect(access(isLoopback: true).refusal(of: asked) == .foreign)
        #expect(access(isLoopback: true).refusal(of: asked, isPublic: true) == .foreign)
    }

    @Test func `our own page can make changes with the key`() {
        let asked = request(
            "POST",
            [
                ("Cookie", "workout-key=\(key.text)"), ("Origin", "http://localhost:8421"),
                ("Sec-Fetch-Site", "same-origin"),
            ])
        #expect(access(isLoopback: true).refusal(of: asked) == nil)
    }

    @Test func `the cookie is hidden from scripts, and from plain HTTP if there is TLS`() {
        #expect(access(isLoopback: true).cookie.hasSuffix("; HttpOnly; SameSite=Lax"))
        #expect(access(isLoopback: false).cookie.hasSuffix("; HttpOnly; SameSite=Lax; Secure"))
    }
}

@Suite struct WebKeyTests {
    @Test func `a key is accepted as people type it`() throws {
        let key = try #require(WebKey("k3x9-01ab-cdef-ghjk"))
        #expect(key.isSame(as: "K3X9 O1AB CDEF GHJK"))
        #expect(key.isSame(as: "k3x9olabcdefghjk"))
        #expect(!key.isSame(as: "k3x9-01ab-cdef-ghjm"))
    }

    @Test(arguments: ["", "k3x9", "k3x9-01ab-cdef-ghju", "k3x9-01ab-cdef-ghjkk", "ключ-ключ-ключ-ключ"])
    func `a wrong key opens nothing`(text: String) {
        #expect(WebKey(text) == nil)
        #expect(!WebKey().isSame(as: text))
    }

    @Test func `keys are random`() {
        let keys = Set((0..<100).map { _ in WebKey().text })
        #expect(keys.count == 100)
        #expect(keys.allSatisfy { WebKey($0) != nil })
    }

    @Test func `a key is readable only for its user, until another one is created`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("web-key-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try WebKey.kept(in: folder)
        #expect(try WebKey.kept(in: folder) == key)
        let file = folder.appendingPathComponent("web.key")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let renewed = try WebKey.kept(in: folder, isRenewed: true)
        #expect(renewed != key)
        #expect(try WebKey.kept(in: folder) == renewed)
        try Data("nonsense".utf8).write(to: file)
        #expect(throws: (any Error).self) { try WebKey.kept(in: folder) }
    }
}

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("8080", "127.0.0.1:8080"), ("localhost", "localhost:8421"), ("gym:7654", "gym:7654"),
        ("everywhere", "[::]:8421"),
        ("everywhere:80", "[::]:80"), ("0.0.0.0:0", "0.0.0.0:0"), ("::1", "[::1]:8421"), ("[::1]", "[::1]:8421"),
        ("[::1]:9", "[::1]:9"),
    ])
    func `an address is parsed as people write it`(text: String, address: String) {
        #expect(WebAddress.parse(text)?.description == address)
    }

    @Test(arguments: ["", "70000:1:2x/", "gym:70000", "http://gym/", "a b"])
    func `an invalid address is rejected`(text: String) {
        #expect(WebAddress.parse(text) == nil)
    }
}

import Testing

@testable import Mirroring

@Suite struct MirrorAddressTests {
    @Test(arguments: [
        ("phone", "phone", 7_654), ("phone:80", "phone", 80), ("127.0.0.1:0", "127.0.0.1", 0),
        ("[::1]:9", "::1", 9), ("[fe80::1]", "fe80::1", 7_654), ("fe80::1", "fe80::1", 7_654),
    ])
    func `a host with or without a port is an address`(text: String, host: String, port: Int) {
        #expect(MirrorAddress(text) == MirrorAddress(host: host, port: port))
    }

    @Test(arguments: ["", ":80", "phone:", "phone:x", "phone:70000", "phone:-1", "[::1", "[::1]x", "[]:1", "a b"])
    func `anything else is not an address`(text: String) {
        #expect(MirrorAddress(text) == nil)
    }

    @Test(arguments: ["phone:80", "[::1]:9"])
    func `an address is formatted as it is parsed`(text: String) {
        #expect(MirrorAddress(text)?.description == text)
    }
}

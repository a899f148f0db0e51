import Testing

@testable import Brokers

@Suite struct BrokerAddressTests {
    @Test func `an address has defaults for everything except the host`() throws {
        let address = try BrokerAddress(publishing: "mqtt://broker.local")
        #expect(address.host == "broker.local" && address.port == 1883 && !address.usesTLS)
        #expect(address.user == nil && address.password == nil && address.prefix == nil)
        #expect(address.qos == 0 && address.version == .v311 && address.discoveryPrefix == "homeassistant")
    }

    @Test func `an address may state every setting`() throws {
        let address = try BrokerAddress(
            publishing: "mqtts://anna:s%40fe@[::1]:8884/gym/bike/1?qos=1&version=5&discovery=off&ca=/etc/ca.pem")
        #expect(address.host == "::1" && address.port == 8884 && address.usesTLS)
        #expect(address.user == "anna" && address.password == "s@fe" && address.prefix == "gym/bike/1")
        #expect(address.qos == 1 && address.version == .v5 && address.discoveryPrefix == nil)
        #expect(address.certificatesFile == "/etc/ca.pem")
        #expect(address.description == "mqtts://anna@[::1]:8884")
        #expect(try BrokerAddress(publishing: "mqtts://h").port == 8883)
    }

    @Test func `a sensor needs a topic, which may have wildcards and a path`() throws {
        let address = try BrokerAddress(sensor: "mqtt://h?topic=gym/+/hr&path=values.0")
        #expect(address.topic == "gym/+/hr" && address.path == "values.0")
        #expect(throws: BrokerError.self) { try BrokerAddress(sensor: "mqtt://h") }
    }

    @Test(arguments: [
        ("mqtt://", "an address looks like"), ("http://h", "an address looks like"),
        ("h:1883", "an address looks like"),
        ("mqtt://h:0", "a port is"), ("mqtt://h:70000", "cannot be used"), ("mqtt://h/a/#", "an address looks like"),
        ("mqtt://h/+/a", "a prefix has no"),
        ("mqtt://h?qos=3", "qos is"), ("mqtt://h?version=4", "version is"), ("mqtt://h?qso=1", "known are"),
        ("mqtt://h?topic=a", "known are"), ("mqtt://h?ca=x", "ca needs mqtts"),
        ("mqtt://h?discovery=a/%23", "discovery is"),
        ("", "an address looks like"), ("mqtt://h h", "an address looks like"),
    ])
    func `an invalid address has a reason`(text: String, reason: String) {
        let error = #expect(throws: BrokerError.self) { try BrokerAddress(publishing: text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        "mqtt://anna:secret@h:0", "mqtt://anna:sec:secret@h?qos=9", "mqtt://anna:sec/secret@h",
        "nonsense://anna:secret@h",
        "mqtt://anna:secret@h/#",
    ])
    func `no message contains a password`(text: String) {
        let error = #expect(throws: BrokerError.self) { try BrokerAddress(publishing: text) }
        #expect(error?.description.contains("secret") == false, "\(error?.description ?? "")")
        #expect(error?.description.contains("anna@h") == true, "\(error?.description ?? "")")
    }

    @Test func `an address without a password is shown unchanged`() {
        for text in [
            "mqtt://h:1883/a", "mqtt://anna@h", "mqtt://[::1]:1883", "mqtt://h?ca=a:b", "mqtt://h:1883/a@b", "", "://",
            ":@",
        ] {
            #expect(BrokerAddress.withoutPassword(text) == text)
        }
    }

    @Test func `any text is an address or an error`() {
        var generator = SystemRandomNumberGenerator()
        let parts = [
            "mqtt", "s", "://", ":", "@", "/", "?", "&", "=", "[", "]", "%", "%4", "1", "qos", "h", "é", "\0", "#",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in parts.randomElement() ?? "" }.joined()
            for candidate in [text, "mqtt://" + text] { _ = try? BrokerAddress(publishing: candidate) }
        }
    }
}

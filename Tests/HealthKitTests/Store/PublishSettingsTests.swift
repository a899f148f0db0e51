import Brokers
import Foundation
import HealthKit
import Testing

@Suite struct PublishSettingsTests {
    @Test func `addresses are separated by spaces, and the password is for their user`() throws {
        let settings = try PublishSettings(variables: [
            "HEALTHKIT_PUBLISH": " mqtt://anna@one/a  mqtts://two\nmqtt://otto:own@three",
            "HEALTHKIT_BROKER_PASSWORD": "secret",
        ])
        #expect(settings.brokers.map(\.address?.host) == ["one", "two", "three"])
        #expect(settings.brokers.map(\.address?.password) == ["secret", nil, "own"])
        #expect(try settings.sensor("mqtt://anna@one?topic=t").password == "secret")
        #expect(try PublishSettings(variables: [:]).brokers.isEmpty)
    }

    @Test func `a password file may end with a line feed`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "password-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("se cret\n".utf8).write(to: file)
        let variables = ["HEALTHKIT_PUBLISH": "mqtt://anna@one", "HEALTHKIT_BROKER_PASSWORD_FILE": file.path]
        #expect(try PublishSettings(variables: variables).brokers.map(\.address?.password) == ["se cret"])
        try FileManager.default.removeItem(at: file)
        let error = #expect(throws: HKError.self) { try PublishSettings(variables: variables) }
        #expect(error?.localizedDescription.contains("HEALTHKIT_BROKER_PASSWORD_FILE") == true)
    }

    @Test func `a password in an argument is rejected and not repeated`() throws {
        let settings = PublishSettings.none
        #expect(try settings.broker(argument: "mqtt://anna@one").address?.user == "anna")
        let error = #expect(throws: HKError.self) { try settings.broker(argument: "mqtt://anna:secret@one") }
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("(mqtt://anna@one)") && !message.contains("secret"), "\(message)")
    }

    @Test func `an environment with an invalid address has the reason`() {
        let environment = HealthEnvironment(variables: ["HEALTHKIT_PUBLISH": "mqtt://h?qos=7"])
        let error = #expect(throws: HKError.self) { try environment.publishing.get() }
        #expect(error?.localizedDescription.contains("qos is 0, 1 or 2") == true)
    }
}

extension PublishSettings.Broker {
    fileprivate var address: BrokerAddress? { if case .figures(let address) = self { address } else { nil } }
}

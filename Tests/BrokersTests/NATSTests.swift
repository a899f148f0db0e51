import Foundation
import Testing

@testable import Brokers

@Suite struct NATSAddressTests {
    @Test func `an address has defaults for everything except the host`() throws {
        let address = try NATSAddress("nats://broker.local")
        #expect(address.hosts == [.init(name: "broker.local", port: 4222)])
        #expect(!address.usesTLS && address.user == nil && address.password == nil && address.person == nil)
        #expect(address.prefix == "workouts")
    }

    @Test func `an address may name a cluster and every other setting`() throws {
        let address = try NATSAddress(
            "natss://anna:s%40fe@h1,h2:4223,[::1]:4224/gym/bikes?ca=/etc/ca.pem&creds=/a%20b&person=Anna-1")
        #expect(
            address.hosts == [
                .init(name: "h1", port: 4222), .init(name: "h2", port: 4223), .init(name: "::1", port: 4224),
            ])
        #expect(address.servers == ["nats://h1:4222", "nats://h2:4223", "nats://[::1]:4224"])
        #expect(address.usesTLS && address.user == "anna" && address.password == "s@fe")
        #expect(address.prefix == "gym.bikes" && address.certificatesFile == "/etc/ca.pem")
        #expect(address.credentialsFile == "/a b" && address.person == "Anna-1")
        #expect(address.description == "natss://anna@h1:4222,h2:4223,[::1]:4224")
        // The saved address has everything but the password.
        var kept = try NATSAddress(address.text)
        kept.password = address.password
        #expect(kept == address)
    }

    @Test(arguments: [
        ("nats://", "is not a host"), ("http://h", "an address looks like"), ("nats://h1,,h2", "is not a host"),
        ("nats://h:0", "is not a host"), ("nats://h:70000", "is not a host"), ("nats://h/a*", "a prefix has"),
        ("nats://h/$JS", "a prefix has"), ("nats://h?person=a.b", "a person has"), ("nats://h?person=", "is empty"),
        ("nats://h?qos=1", "known are"), ("nats://h?ca=x", "ca needs natss"), ("nats://h?nkey=x", "nkey needs"),
    ])
    func `a rejected address has a reason`(text: String, reason: String) {
        let error = #expect(throws: BrokerError.self) { try NATSAddress(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "no error")")
    }

    @Test func `an address may end with a session`() throws {
        let id = "0E32F04E-EED9-8629-A090-635856BCFA2A"
        let address = try NATSAddress("nats://h1,h2/gym/\(id)?person=anna")
        #expect(address.session?.uuidString == id && address.prefix == "gym" && address.person == "anna")
        #expect(try NATSAddress("nats://h1/\(id)").prefix == "workouts")
        #expect(try NATSAddress("nats://h1/gym").session == nil)
    }

    @Test func `no message contains a password`() {
        let error = #expect(throws: BrokerError.self) { try NATSAddress("nats://anna:secret@h?qos=1") }
        #expect(error?.description.contains("secret") == false)
    }
}

@Suite struct SessionSubjectsTests {
    private let session = UUID()

    @Test func `subjects name prefix, person and session, and can be parsed`() {
        let subjects = SessionSubjects(prefix: "gym.bikes", person: "anna", session: session)
        #expect(subjects.log == "gym.bikes.anna.\(session.uuidString).log")
        for subject in [subjects.log, subjects.end] {
            #expect(SessionSubjects(subject, prefix: "gym.bikes") == subjects)
            #expect(SessionSubjects(subject, prefix: "gym") == nil)
        }
        #expect(SessionSubjects("gym.bikes.anna.x.log", prefix: "gym.bikes") == nil)
        #expect(SessionSubjects("gym.bikes.anna.\(session.uuidString).other", prefix: "gym.bikes") == nil)
    }

    @Test(arguments: [("Anna", "Anna"), ("Anna Müller", "Anna-M-ller"), ("a.b>*", "a-b--"), ("", "-")])
    func `any name becomes a part of a subject`(name: String, token: String) {
        #expect(SessionSubjects.token(name) == token)
        #expect(NATSAddress.isSubject(SessionSubjects.token(name)))
    }
}

@Suite struct SessionFeedTests {
    @Test(arguments: [
        "$JS.ACK.stream.consumer.1.4711.12.1700000000500000000.3",
        "$JS.ACK.hub.ACCOUNT.stream.consumer.1.4711.12.1700000000500000000.3",
        "$JS.ACK.hub.ACCOUNT.stream.consumer.1.4711.12.1700000000500000000.3.token",
    ])
    func `a delivery states its stream, number, time and what remains`(reply: String) throws {
        let delivery = try #require(SessionFeed.Delivery(reply))
        #expect(delivery.place == 4711 && delivery.number == 12 && delivery.pending == 3)
        #expect(delivery.stored == Date(timeIntervalSince1970: 1_700_000_000.5))
    }

    @Test(arguments: [
        nil, "", "$JS.ACK.", "_INBOX.x", "$JS.ACK.stream.consumer.1.x.12.17.3", "$JS.ACK.stream.consumer.1.4711.12.17",
        "$JS.ACK.stream.consumer.1.-1.12.17.3",
    ])
    func `other subjects are not deliveries`(reply: String?) {
        #expect(SessionFeed.Delivery(reply) == nil)
    }
}

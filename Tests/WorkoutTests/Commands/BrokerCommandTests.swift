import ArgumentParser
import Brokers
import Testing

@testable import workout

/// `workout broker check` and `workout collect`. Tests/Lab/nats runs them with real servers.
@Suite struct BrokerCommandTests {
    private func flaws(_ json: String) throws -> [String] {
        try StreamFlaws(JetStream.Info(json: json), prefix: "workouts").sentences
    }

    @Test func `a stream with default settings has no problem`() throws {
        #expect(
            try flaws(
                #"""
                {"config":{"name":"WORKOUTS","subjects":["workouts.>"],"retention":"limits","storage":"file","num_replicas":1,
                "discard":"new","max_age":0,"max_bytes":-1,"max_msgs":-1,"max_msgs_per_subject":-1},
                "state":{"messages":0,"bytes":0}}
                """#
            ) == [])
    }

    @Test(arguments: [
        (#""subjects":["workouts.a.>"]"#, "only a part of the subjects"), (#""storage":"memory""#, "kept in memory"),
        (#""retention":"workqueue""#, "what was read once"), (#""max_age":3600000000000"#, "less than a day"),
        (#""discard":"old","max_bytes":1000000"#, "its oldest sessions"),
        (#""max_msgs_per_subject":1"#, "only some messages"),
    ])
    func `a stream that would lose sessions is named`(setting: String, part: String) throws {
        let subjects = setting.contains("subjects") ? "" : #""subjects":["workouts.>"],"#
        let found = try flaws(#"{"config":{"name":"W",\#(subjects)\#(setting)},"state":{"messages":0,"bytes":0}}"#)
        #expect(found.count == 1 && found[0].contains(part), "\(found)")
    }

    @Test func `missing replicas of a cluster are named`() throws {
        let one =
            #"{"config":{"name":"W","subjects":[">"],"num_replicas":1},"state":{"messages":0,"bytes":0},"cluster":{"name":"c"}}"#
        #expect(try flaws(one).first?.contains("One server of a cluster") == true)
        let behind = #"""
            {"config":{"name":"W","subjects":[">"],"num_replicas":3},"state":{"messages":0,"bytes":0},
            "cluster":{"name":"c","leader":"a","replicas":[{"name":"b","current":true},{"name":"c","current":false,"offline":true}]}}
            """#
        #expect(try flaws(behind) == ["A replica of the stream is missing or behind. Check the cluster."])
    }

    @Test func `arguments are checked before a server is contacted`() async {
        for arguments in [[], ["nats://h", "--replicas", "6"]] {
            #expect(throws: (any Error).self) { try BrokerCommand.Check.parse(arguments) }
        }
        await #expect(throws: CommandFailure.self) { try await Collect.parse(["mqtt://h"]).run() }
        await #expect(throws: CommandFailure.self) { try await Collect.parse(["nats://anna:secret@h"]).run() }
    }
}

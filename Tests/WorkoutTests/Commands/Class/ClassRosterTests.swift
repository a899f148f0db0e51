import Foundation
import HealthKit
import Testing

@testable import workout

@Suite struct ClassRosterTests {
    private func fault(_ text: String) -> String {
        do {
            _ = try ClassRoster(text)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a roster has names, sensors and profile options, in any order`() throws {
        let roster = try ClassRoster(
            """
            # Tuesday
            name,maximum-heart-rate,strap,Phone,person

            Anna,188,A0:9E:1A:00:00:01,+49 30,
            "Ben ""B."" Bo",,"A0:9E:1A:00:00:02, simulate?seed=3",,ben
            """)
        #expect(roster.athletes.map(\.name) == ["Anna", "Ben \"B.\" Bo"])
        #expect(roster.athletes.map(\.person) == ["Anna", "ben"])
        #expect(roster.athletes[0].profile.maximumHeartRate == 188)
        #expect(roster.athletes[0].sensors == [.bluetooth(address: "A0:9E:1A:00:00:01")])
        #expect(roster.athletes[1].sensors.count == 2)
        #expect(roster.unusedColumns == ["Phone"])
    }

    @Test(arguments: [";", "\t"]) func `a roster from a spreadsheet can be read`(separator: String) throws {
        let lines = ["\u{FEFF}Name;Sensors;Date of birth", "Anna;simulate;1990-04-01", ""]
        let text = lines.joined(separator: "\r\n").replacingOccurrences(of: ";", with: separator)
        let roster = try ClassRoster(text)
        #expect(roster.athletes.map(\.name) == ["Anna"])
        #expect(roster.athletes[0].profile.dateOfBirth != nil)
        #expect(roster.unusedColumns.isEmpty)
    }

    @Test(arguments: [
        ("", "line 1: the file is empty"), ("strap\nx", "line 1: no column is called 'name'"),
        ("name\n", "line 1: nobody is in the file"),
        ("name,name\nA,B", "line 1: there are two columns 'name'"),
        ("name,sensors\nAnna,simulate\nAnna,simulate?seed=2", "line 3: 'Anna' is in the file twice"),
        ("name,person\nAnna,a\nBen,a", "line 3: 'Ben' and 'Anna' are the same person, 'a'"),
        (
            "name,sensors\nAnna,A0:9E:1A:00:00:01\nBen,A0:9E:1A:00:00:01",
            "line 3: 'Ben' and 'Anna' have the same sensor"
        ),
        ("name,mass\n# a\nAnna,900", "line 3: Anna: mass must be 1 to 700 kg, not '900'"),
        ("name,mass\nAnna,-5", "line 2: Anna: mass must be 1 to 700 kg, not '-5'"),
        ("name,sensors\nAnna,strap", "line 2: Anna: "), ("name\nAnna,1", "line 2: 2 fields, but only 1 columns"),
        ("name\n\"Anna", "line 2: a quoted field does not end"), ("name\n\"A\"b", "line 2: 'b' follows a quoted field"),
        ("name,mass\n,60", "line 2: the name is missing"),
    ])
    func `a mistake is named with its line`(text: String, reason: String) {
        #expect(fault(text).hasPrefix(reason), "\(fault(text))")
    }

    @Test func `an athlete is added at the end, and nothing before changes`() throws {
        let new = try ClassRoster.adding("Anna", sensor: "A0:9E:1A:00:00:01", to: "")
        #expect(new == "name,sensors,date-of-birth,maximum-heart-rate\nAnna,A0:9E:1A:00:00:01,,\n")
        let more = try ClassRoster.adding(
            "Ben, jun.", sensor: "simulate", to: "# ours\r\nsensors;name\r\nsimulate?seed=2;Carl")
        #expect(more == "# ours\r\nsensors;name\r\nsimulate?seed=2;Carl\r\nsimulate;Ben, jun.\r\n")
        #expect(try ClassRoster(more).athletes.map(\.name) == ["Carl", "Ben, jun."])
    }

    @Test func `no text crashes the parser`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "name", "sensors", ",", ";", "\"", "\n", "\r\n", "#", "Anna", "simulate", " ", "\t", "mass", "é", "\u{0}",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            _ = try? ClassRoster(text)
            _ = try? ClassRoster.adding("A", sensor: "simulate", to: text)
        }
    }
}

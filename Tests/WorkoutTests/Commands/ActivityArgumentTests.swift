import ArgumentParser
import HealthKit
import Testing

@testable import workout

@Suite struct ActivityArgumentTests {
    @Test(arguments: ["running", "Running", "RUNNING"])
    func `all commands read an activity alike, in any case`(text: String) throws {
        #expect(try Record.parse(["--activity", text]).what.activity == .running)
        #expect(try List.parse(["--activity", text]).which.activity == .running)
    }

    @Test func `the default activity is other`() throws {
        #expect(try Record.parse([]).what.activity == .other)
        #expect(try List.parse([]).which.activity == nil)
        #expect(Record.helpMessage(columns: 200).contains("Default: other."))
    }

    @Test func `all commands reject an unknown activity alike, with suggestions`() throws {
        let record = #expect(throws: (any Error).self) { try Record.parse(["--activity", "Runing"]) }
        let list = #expect(throws: (any Error).self) { try List.parse(["--activity", "Runing"]) }
        for (error, command) in [(record, Record.self), (list, List.self)] as [((any Error)?, any ParsableCommand.Type)]
        {
            let error = try #require(error)
            #expect(command.exitCode(for: error) == .validationFailure)
            #expect(command.message(for: error).contains("Unknown activity 'Runing'. Did you mean 'running'"))
        }
    }
}

import ArgumentParser
import Foundation
import HealthKit

/// `workout watch`: prints samples as they are stored.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print new samples of a type as they are stored by any program, until Ctrl-C.",
        discussion: """
            Example:
              workout watch heartRate
            """)

    @Argument(
        help: TypeArgument.help, completion: TypeArgument.sampleTypes, transform: { try TypeArgument.sampleType($0) })
    var type: HKSampleType

    @Flag(help: "Print one JSON object per sample, one per line.")
    var json = false

    func run() async throws {
        let database = HealthEnvironment.current.database
        let page = Page.standard(columnsInPipe: .max)
        if isatty(STDERR_FILENO) == 1 {
            CommandOutput.error.print("Waiting for new samples of \(type.swiftName); Ctrl-C ends.")
        }
        let work = Task { [type, json] in
            var continues = false
            try await SampleWatch(type: type, database: database).run { samples in
                let report = SampleReport(samples: samples)
                CommandOutput.standard.print(styled: json ? report.jsonLines : report.lines(page, continues: continues))
                CommandOutput.standard.flush()
                continues = true
            }
        }
        try await CommandFailure.ownFault {
            let interrupted = try await Interruption.calling(endsWithOutput: true, { work.cancel() }) {
                try await work.value
            }
            if interrupted { throw ExitCode.interrupted }
        }
    }
}

/// Follows the additions to a store.
struct SampleWatch {
    var type: HKSampleType
    var database: any HealthDatabase

    /// Calls `body` with samples added from now on, in the order in which they are saved, until the task is cancelled.
    func run(
        whenReady: () -> Void = {}, _ report: ([HKSample]) throws -> Void
    ) async throws {
        // One pending notice is enough: a read finds everything saved until then.
        let (notices, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observation = database.observe { [type] types in
            if types.contains(type) { continuation.yield() }
        }
        defer { observation.cancel() }
        var anchor = try database.changes([], after: 0, limit: nil).anchor
        whenReady()
        for await _ in notices {
            let changes = try database.changes([SampleSelection(type)], after: anchor, limit: nil)
            anchor = changes.anchor
            if !changes.added.isEmpty { try report(changes.added) }
        }
    }
}

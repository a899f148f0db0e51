import ArgumentParser
import Foundation
import HealthKit

/// `workout samples`: lists the stored samples of a type.
struct Samples: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "samples",
        abstract: "List stored samples of a type, oldest first.",
        discussion: """
            Lists the samples that start in the range. Times are local on the screen and UTC in JSON.

            Example:
              workout samples heartRate --from today
            """)

    @Argument(
        help: TypeArgument.help, completion: TypeArgument.sampleTypes, transform: { try TypeArgument.sampleType($0) })
    var type: HKSampleType

    @OptionGroup var range: DateRangeArguments

    @Option(help: "Number of samples to list at most, or 'all'.")
    var limit = SampleLimit.atMost(100)

    @Flag(help: "List the newest first.")
    var newest = false

    @OptionGroup var pager: PagerOptions

    @Flag(help: "Print one JSON object per sample, one per line.")
    var json = false

    func run() async throws {
        let (lines, remark) = try await CommandFailure.ownFault {
            try self.lines(HealthEnvironment.current.database, .standard(columnsInPipe: .max))
        }
        Pager.print(styled: lines, pager)
        CommandOutput.standard.flush()
        if let remark { CommandOutput.error.print(remark) }
    }

    /// Returns the samples, and a remark if there are more.
    func lines(_ database: any HealthDatabase, _ page: Page) throws -> (lines: [String], remark: String?) {
        var samples = try database.samples(
            [SampleSelection(type, .and(SampleFilter.begins(from: range.start, to: range.end)))],
            sortedBy: [SampleSort(.startDate, ascending: !newest)], limit: limit.oneMore)
        var remark: String?
        if case .atMost(let count) = limit, samples.count > count {
            samples.removeLast()
            remark = "There are more. Use --limit all to list all, or --newest for the latest."
        }
        let report = SampleReport(samples: samples)
        if json { return (report.jsonLines, remark) }
        guard samples.isEmpty else { return (report.lines(page), remark) }
        let isWhole = range.start == nil && range.end == nil
        return (["No samples of \(type.swiftName) \(isWhole ? "are stored" : "start in this period")."], nil)
    }
}

/// The maximum number of samples, on the command line.
enum SampleLimit: ExpressibleByArgument, Equatable, CustomStringConvertible {
    case atMost(Int)
    case all

    init?(argument: String) {
        if argument.lowercased() == "all" {
            self = .all
        } else if let count = Int(argument), count > 0, count < Int.max {
            self = .atMost(count)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .atMost(let count): "\(count)"
        case .all: "all"
        }
    }

    var defaultValueDescription: String { description }

    /// One more than the number shown, to find out whether there are more.
    var oneMore: Int? {
        switch self {
        case .atMost(let count): count + 1
        case .all: nil
        }
    }
}

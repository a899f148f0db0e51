import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// What the user states about a table or a list of intervals that the file does not.
struct TableArguments: ParsableArguments {
    @Option(
        help: """
            Map columns whose names are not recognised: time=2,heart-rate=HR (numbers from 1, or names), with the unit in \
            brackets after a number.
            """)
    var columns: String?

    @Option(help: "Start of recordings that do not contain one (tables, lists of RR intervals). \(DateArgument.help)")
    var start: String?

    @Option(
        help: """
            Activity type for recordings that do not contain one (tables, lists of RR intervals, TCX and GPX): running, \
            cycling …
            """)
    var activity: String?

    func validate() throws { _ = try options() }

    func options() throws -> TableOptions {
        var options = TableOptions()
        for text in (columns ?? "").split(separator: ",") {
            do {
                options.columns.append(try TableColumn(parsing: String(text)))
            } catch {
                throw ValidationError(error.description)
            }
        }
        if let start { options.start = try DateArgument.parse(start).start }
        if let activity { options.activity = try ActivityArgument.parse(activity).caseName }
        return options
    }
}

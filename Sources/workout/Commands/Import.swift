import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout import`: imports files into the health store.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import recordings, data exports and Apple Health exports.",
        discussion: """
            FILE is a recording (FIT, TCX, GPX, PWX, KML, CSV, JSON tables, RR intervals, Polar HRM, Suunto SML or JSON, GoldenCheetah, \
            Health Auto Export, Strava streams, session log or Bluetooth capture, plain or gzipped), a folder, a zip archive such as the data exports of Garmin, Strava, Polar, Suunto, Fitbit, Samsung Health, Xiaomi, Zepp, Health Connect and Gadgetbridge (nested \
            archives too), a quoted glob ('rides/*.fit'), or '-' for standard input. Formats are detected by content. Prints \
            one line per file; non-workout files in folders and archives are only counted.

            Importing a file twice adds nothing, even if it was renamed or repacked. If a file contains the same workout as a \
            stored workout (start within 30 s, nine tenths of the time in common, heart rate and distance agree), the more \
            complete one is kept; one without heart rates or positions never replaces one that has them. Files from workout \
            export are recognised by the store that they came from.

            For Apple Health, FILE is export.zip, export.xml or the unpacked folder; electrocardiograms and clinical records \
            beside export.xml are imported too.

            An interrupted import leaves nothing half done: run it again for the rest.

            Examples:
              workout import ride.fit
              workout import takeout.zip rides/
              workout import log.csv --columns time=2,heart-rate=HR
            """
    )

    @Argument(help: "Files, folders, archives or quoted globs.", completion: .file())
    var files: [String]

    @OptionGroup var tables: TableArguments

    @Flag(help: "Import a ride even if another recording of it is stored.")
    var keepDuplicates = false

    @Flag(help: "Print one JSON object per workout, and with several files a last one with the counts.")
    var json = false

    func run() async throws {
        let isOfSeveral = files.count > 1 || files.contains(where: ImportSearch.mayBeSeveral)
        try await ImportRun(
            tables.options(), isOfSeveral: isOfSeveral, keepsDuplicates: keepDuplicates, json: json
        ).run(files)
    }
}

import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout import`: takes files into the health store.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes recordings, takeouts and Apple Health exports into the health store.",
        discussion: """
            FILE is a recording of any readable format (FIT, TCX, GPX, CSV, RR intervals, Polar HRM, session log, capture), \
            recognised by its content, packed by gzip or not; a folder or a zip archive of them, such as the takeouts of \
            Garmin, Strava, Polar, Suunto and Fitbit, archives within it included; a pattern in quotes ('rides/*.fit'); or \
            '-' for what is piped in. Each workout of a recording becomes one; of several files each is told in a line. What \
            is no workout in a folder or an archive is counted in one line.

            Importing a file twice adds nothing, whatever its name and however it is packed. The same ride in another format \
            (it begins within 30 s, nine tenths of its time are the same, and heart rate and distance agree) is stored once: \
            what has more kinds of readings, or else more readings, takes the place of the other.

            FILE may be export.zip or export.xml of the Health app, too, or the unpacked folder: electrocardiograms and the \
            records from clinics beside export.xml are taken as well.

            An import that is interrupted leaves nothing half: run it again for the rest.
            """
    )

    @Argument(help: "Files, folders, archives or patterns.", completion: .file())
    var files: [String]

    @OptionGroup var tables: TableArguments

    @Flag(help: "Store a ride even where another recording of the same ride is stored.")
    var keepDuplicates = false

    @Flag(help: "Print one JSON object a workout, and of several files a last one with the counts.")
    var json = false

    func run() async throws {
        let isOfSeveral = files.count > 1 || files.contains(where: ImportSearch.mayBeSeveral)
        try await ImportRun(
            tables.options(), isOfSeveral: isOfSeveral, keepsDuplicates: keepDuplicates, json: json
        ).run(files)
    }
}

import ArgumentParser
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// The destination of a page: standard output, or a file that is written completely or not at all.
struct PageDestination {
    /// The name as it was typed. Nil means the current folder.
    private let name: String?
    private let replaces: Bool

    init(_ name: String?, replaces: Bool) {
        self.name = name
        self.replaces = replaces
    }

    /// Returns the file to write: a new name, or one that may be replaced.
    /// - Parameter name: The name in a folder, without an extension.
    func file(named base: String, ending: String) -> URL {
        let given = name ?? "."
        let url = URL(fileURLWithPath: given)
        guard RecordingDestination.isFolder(given) else { return url }
        return url.appendingPathComponent("\(Self.safe(base)).\(ending)")
    }

    /// Returns a safe file name: a recording may call its activity anything.
    static func safe(_ base: String) -> String {
        String(base.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" })
    }

    /// - Throws: If the file exists and must not be replaced.
    func check(_ file: URL) throws {
        guard !replaces, RecordingOutput.isThere(file) else { return }
        throw CommandFailure(
            exitCode: .badInput,
            message: "cannot write \(file.path): it already exists; choose another name or add --force")
    }

    func write(_ bytes: [UInt8], named base: String, format: String) throws -> WrittenPage {
        if name == "-" {
            CommandOutput.standard.write(bytes)
            CommandOutput.standard.flush()
            return WrittenPage(file: "-", bytes: bytes.count, format: format)
        }
        let file = file(named: base, ending: format)
        try check(file)
        return try Self.failing {
            try DurableFile.makeFolder(file.deletingLastPathComponent())
            var unfinished = try UnfinishedFile(file)
            try unfinished.write(bytes)
            try unfinished.finish(replacing: replaces)
            return WrittenPage(file: file.path, bytes: bytes.count, format: format)
        }
    }

    static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let fault as FileFault where fault.code == EEXIST {
            throw CommandFailure(
                exitCode: .badInput,
                message: "cannot write \(fault.path): it already exists; choose another name or add --force")
        } catch let fault as FileFault {
            // The error names the temporary file, which the user does not know.
            throw CommandFailure(
                exitCode: .outputFault,
                message: fault.description.replacingOccurrences(of: ".\(getpid()).part", with: ""))
        }
    }
}

/// A written page, for people and for programs.
struct WrittenPage {
    var file: String
    var bytes: Int
    /// `html`, `pdf`, `png` or `eml`.
    var format: String

    func json(of sources: [String]) -> JSONText {
        .object([
            ("sources", .array(sources.map { .string($0) })), ("file", .string(file)), ("format", .string(format)),
            ("bytes", .integer(bytes)),
        ])
    }

    /// Prints a line such as `ride.html  HTML, 84 kB` on standard output, unless the page itself went there.
    func notify(json: Bool, sources: [String]) {
        if json {
            let output = file == "-" ? CommandOutput.error : CommandOutput.standard
            output.print(self.json(of: sources).text)
        } else if file != "-" {
            CommandOutput.standard.print("\(file)  \(format.uppercased()), \(ByteCount.text(bytes))")
        }
    }
}

extension ReportDocument.Paper {
    /// Chooses Letter in countries whose locales in GNU libc have it (`LC_PAPER`: 279 mm high), A4 elsewhere.
    init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_PAPER", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let country = locale?.prefix { $0 != "." && $0 != "@" }.split(separator: "_").last
        let letter: Set<Substring> = [
            "US", "CA", "MX", "CL", "CO", "CR", "GT", "NI", "PA", "PH", "PR", "SV", "VE",
        ]
        self = country.map { letter.contains($0) } ?? false ? .letter : .a4
    }

    static var current: Self { Self(environment: ProcessInfo.processInfo.environment) }
}

import ArgumentParser
import Dispatch
import Foundation
import HealthKit
import Recordings

/// A browser of the machine that prints a page into a PDF file: Chromium and those made of it, which do so without a screen.
struct PrintingBrowser {
    /// By the names of their commands, in the order in which they are looked for.
    static let names = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "brave-browser",
    ]
    /// A page takes a second or two.
    private static let longestInSeconds = 120

    let executable: URL

    /// - Parameter path: Folders between colons, as in the environment.
    /// - Throws: Where none is installed.
    init(path: String) throws {
        guard let program = InstalledProgram.first(of: Self.names, path: path) else {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message:
                    "a PDF is printed by a browser, and none of \(Self.names.joined(separator: ", ")) is installed: "
                    + "install one, or write the page without --pdf and print it from any browser")
        }
        executable = URL(fileURLWithPath: program)
    }

    /// The page on paper.
    func pdf(of page: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "workout-report-\(UUID().uuidString)")
        try PageDestination.failing { try DurableFile.makeFolder(folder) }
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, printed) = (folder.appendingPathComponent("page.html"), folder.appendingPathComponent("page.pdf"))
        try PageDestination.failing { try DurableFile.write(Data(page), to: source) }
        let process = Process()
        process.executableURL = executable
        // A browser that root runs has no sandbox to put pages in, and refuses without being told. This page is ours.
        process.arguments =
            (geteuid() == 0 ? ["--no-sandbox"] : []) + [
                "--headless", "--disable-gpu", "--no-pdf-header-footer",
                "--user-data-dir=\(folder.appendingPathComponent("profile").path)",
                "--print-to-pdf=\(printed.path)", source.absoluteString,
            ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch {
            throw failure("cannot be run: \(CommandFailure.describe(error))")
        }
        if ended.wait(timeout: .now() + .seconds(Self.longestInSeconds)) == .timedOut {
            process.terminate()
            throw failure("did not print the page within \(Self.longestInSeconds) s")
        }
        guard process.terminationStatus == 0, let data = try? Data(contentsOf: printed), !data.isEmpty else {
            throw failure("printed nothing; it ended with status \(process.terminationStatus)")
        }
        return [UInt8](data)
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure(
            exitCode: .serviceMissing,
            message: "\(executable.path) \(what); write the page without --pdf and print it from a browser")
    }
}

import ArgumentParser
import Dispatch
import Foundation
import HealthKit
import Reports
import SessionLog

/// An installed browser that turns a page into a PDF file or a picture: Chromium or one based on it. They need no
/// screen for that.
struct PrintingBrowser {
    /// The names of their commands, in order of preference.
    static let names = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "brave-browser",
    ]
    /// The time limit. A page takes a second or two.
    private static let longestInSeconds = 120

    let executable: URL
    private let format: Format
    /// The option that asked for it, for error messages.
    private let option: String

    /// The output format. The name is also that of the option and the extension of the file.
    enum Format: String { case pdf, png }

    /// - Parameter path: Folders separated by colons, as in the environment.
    /// - Throws: If no browser is installed.
    init(_ format: Format, option: String, path: String) throws {
        self.format = format
        self.option = option
        guard let program = InstalledProgram.first(of: Self.names, path: path) else {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message:
                    "a \(format.rawValue.uppercased()) needs a browser, and none of "
                    + "\(Self.names.joined(separator: ", ")) is installed: install one, or create the report without "
                    + "--\(option) and open it in any browser")
        }
        executable = URL(fileURLWithPath: program)
    }

    func file(of document: ReportDocument) throws -> [UInt8] {
        switch format {
        case .pdf:
            return try made(of: document.bytes) { ["--no-pdf-header-footer", "--print-to-pdf=\($0.path)"] }
        case .png:
            var picture = document
            picture.isPicture = true
            let page = picture.bytes
            let size = "--window-size=\(Self.pictureWidth),"
            // The browser knows the height of the picture only after it has laid out the page.
            let laidOut = try made(of: page, printsItself: true) { _ in [size + "1000", "--dump-dom"] }
            guard let height = Self.height(String(decoding: laidOut, as: UTF8.self)) else {
                throw failure("did not lay out the page")
            }
            return try made(of: page) {
                [size + "\(height)", "--hide-scrollbars", "--force-device-scale-factor=1", "--screenshot=\($0.path)"]
            }
        }
    }

    /// The width in pixels, that of a page on a desktop.
    private static let pictureWidth = 1200
    /// The maximum height. No section makes a page higher.
    private static let mostHeight = 6000

    /// Returns the height that the page's script wrote into its first element.
    static func height(_ page: String) -> Int? {
        page.firstMatch(of: #/<html[^>]* data-height="([0-9]{1,6})"/#).flatMap { Int($0.1) }.flatMap {
            $0 > 0 ? min($0, mostHeight) : nil
        }
    }

    /// Runs the browser and returns its output.
    /// - Parameters:
    ///   - printsItself: Whether it writes to standard output instead of the file.
    ///   - arguments: Returns the arguments for the file to write.
    private func made(
        of page: [UInt8], printsItself: Bool = false, _ arguments: (URL) -> [String]
    ) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "workout-report-\(UUID().uuidString)")
        try PageDestination.failing { try DurableFile.makeFolder(folder) }
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("page.html")
        let made = folder.appendingPathComponent("page.\(format.rawValue)")
        try PageDestination.failing { try DurableFile.write(Data(page), to: source) }
        let process = Process()
        process.executableURL = executable
        // Root's browser has no sandbox and refuses to run without this option. The page is our own.
        process.arguments =
            (geteuid() == 0 ? ["--no-sandbox"] : []) + [
                "--headless", "--disable-gpu", "--user-data-dir=\(folder.appendingPathComponent("profile").path)",
            ] + arguments(made) + [source.absoluteString]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        if printsItself {
            try PageDestination.failing { try DurableFile.write(Data(), to: made) }
            process.standardOutput = try? FileHandle(forWritingTo: made)
        }
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch {
            throw failure("cannot be run: \(CommandFailure.describe(error))")
        }
        if ended.wait(timeout: .now() + .seconds(Self.longestInSeconds)) == .timedOut {
            process.terminate()
            throw failure("did not create the file within \(Self.longestInSeconds) s")
        }
        guard process.terminationStatus == 0, let data = try? Data(contentsOf: made), !data.isEmpty else {
            throw failure("created nothing; it exited with status \(process.terminationStatus)")
        }
        return [UInt8](data)
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure(
            exitCode: .serviceMissing,
            message:
                "\(executable.path) \(what); create the report without --\(option) and open it in a browser")
    }
}

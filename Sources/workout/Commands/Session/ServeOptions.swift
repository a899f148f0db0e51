import ArgumentParser
import HealthKit
import Mirroring
import Web

/// The options for showing a session to browsers.
struct ServeOptions: ParsableArguments {
    @Flag(help: "Also show the session in a browser, at http://127.0.0.1:8421/ unless --serve-on is given.")
    var serve = false

    @Option(
        help: ArgumentHelp(
            "Also show the session in a browser at this address: 'everywhere' (all networks of this machine; TLS, key "
                + "required), HOST:PORT or PORT.",
            valueName: "HOST[:PORT]"), transform: Self.address)
    var serveOn: MirrorAddress?

    var isWanted: Bool { serve || serveOn != nil }

    static func address(_ text: String) throws -> MirrorAddress {
        guard let address = WebAddress.parse(text) else {
            throw ValidationError(
                "the address must be HOST:PORT, HOST, PORT or 'everywhere', not '\(text)'")
        }
        return address
    }

    /// Starts to serve and prints the address. Returns nil if the user did not ask for it.
    func open(_ environment: HealthEnvironment) async throws -> PageServer? {
        guard isWanted else { return nil }
        let pages = try await PageServer(
            on: serveOn ?? WebAddress.standard, option: "--serve-on", names: [], environment)
        CommandOutput.error.print("Live page: \(pages.linkWithKey)")
        return pages
    }
}

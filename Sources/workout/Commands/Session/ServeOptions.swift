import ArgumentParser
import HealthKit
import Mirroring
import Web

/// What commands that run a session can be told about showing it to browsers.
struct ServeOptions: ParsableArguments {
    @Flag(help: "The session is shown in the browser too, at http://127.0.0.1:8421/ unless --serve-on says where.")
    var serve = false

    @Option(
        help: ArgumentHelp(
            "It is shown in the browser at this address: 'everywhere' (all networks of this machine, by TLS and with a key), "
                + "HOST:PORT or PORT.",
            valueName: "HOST[:PORT]"), transform: Self.address)
    var serveOn: MirrorAddress?

    var isWanted: Bool { serve || serveOn != nil }

    static func address(_ text: String) throws -> MirrorAddress {
        guard let address = WebAddress.parse(text) else {
            throw ValidationError(
                "an address is HOST:PORT, HOST, PORT or 'everywhere', not '\(text)'")
        }
        return address
    }

    /// Serves from now on, and says where; nil where nobody asked for it.
    func open(_ environment: HealthEnvironment) async throws -> PageServer? {
        guard isWanted else { return nil }
        let pages = try await PageServer(on: serveOn ?? WebAddress.standard, names: [], environment)
        CommandOutput.error.print("Live page: \(pages.linkWithKey)")
        return pages
    }
}

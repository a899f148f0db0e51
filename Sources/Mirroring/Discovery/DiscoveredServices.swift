#if Mirroring
/// The results of a search of the local network. Pure: a browser's signals and resolvers' answers are inputs.
struct DiscoveredServices {
    /// The limit of services. Further ones are ignored, so nobody in the network can exhaust memory.
    static let limit = 256

    private enum Entry {
        case unresolved
        case resolved(Avahi.Resolution)
        case failed
    }

    private var entries: [Avahi.Item: Entry] = [:]
    private var isAllForNow = false

    /// Adds an item. Returns whether to resolve it.
    mutating func appeared(_ item: Avahi.Item) -> Bool {
        guard entries[item] == nil, entries.count < Self.limit else { return false }
        entries[item] = .unresolved
        return true
    }

    mutating func vanished(_ item: Avahi.Item) { entries[item] = nil }

    /// Adds the answer for an item. Nil means that it did not answer, or not validly.
    mutating func resolved(_ item: Avahi.Item, _ resolution: Avahi.Resolution?) {
        // It may have vanished meanwhile.
        guard entries[item] != nil else { return }
        entries[item] = resolution.map { .resolved($0) } ?? .failed
    }

    /// Records that the browser has reported all current services.
    mutating func allForNow() { isAllForNow = true }

    /// Whether all existing services were found.
    var isComplete: Bool {
        isAllForNow
            && entries.values.allSatisfy {
                if case .unresolved = $0 { false } else { true }
            }
    }

    /// One machine per name, with all its addresses, sorted by name.
    var machines: [NearbyMachine] {
        var found: [NearbyMachine] = []
        for (item, entry) in entries {
            guard case .resolved(let resolution) = entry else { continue }
            let machine = NearbyMachine(
                name: item.name, addresses: [resolution.address],
                fingerprintPrefix: resolution.texts["id"].map(Self.prefix) ?? "",
                waitsForPairing: resolution.texts["pair"] == "1")
            // Two with the same name, for example in two domains, are one machine only if their fingerprints agree.
            let same = found.firstIndex {
                $0.name == machine.name && $0.fingerprintPrefix == machine.fingerprintPrefix
                    && $0.waitsForPairing == machine.waitsForPairing
            }
            if let same {
                if !found[same].addresses.contains(resolution.address) {
                    found[same].addresses.append(resolution.address)
                }
            } else {
                found.append(machine)
            }
        }
        for index in found.indices {
            found[index].addresses.sort { Self.order($0) < Self.order($1) }
        }
        return found.sorted { ($0.name, $0.fingerprintPrefix) < ($1.name, $1.fingerprintPrefix) }
    }

    private static func prefix(_ text: String) -> String {
        let isOne =
            text.utf8.count == NearbyMachine.prefixLength
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        return isOne ? text : ""
    }

    /// Sorts addresses: IPv4 first, since it is reachable from everywhere in a home network. Link-local addresses come
    /// last, since programs must support them.
    private static func order(_ address: MirrorAddress) -> (Int, String) {
        (address.host.contains("%") ? 2 : address.host.contains(":") ? 1 : 0, address.description)
    }
}
#endif

/// Gives records with equal metadata one object that holds it, as far as they come close together.
struct HealthMetadataPool {
    private static let places = 1024
    private var pool = [HealthMetadata?](repeating: nil, count: places)

    mutating func metadata(_ entries: [HealthMetadata.Entry]) -> HealthMetadata {
        if entries.isEmpty { return .none }
        // Any mixture will do: what is found is compared.
        var place = entries.count
        for entry in entries {
            for byte in entry.key.utf8.suffix(4) { place = place &* 31 &+ Int(byte) }
            for byte in entry.value.utf8.suffix(12) { place = place &* 31 &+ Int(byte) }
        }
        place &= Self.places - 1
        if let found = pool[place], found.entries == entries { return found }
        // A copy of its own, as the caller's list is used again.
        let made = HealthMetadata(Array(entries[...]))
        pool[place] = made
        return made
    }
}

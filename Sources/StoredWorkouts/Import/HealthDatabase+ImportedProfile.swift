import Recordings
import SessionLog

extension HealthDatabase {
    /// Adds facts from an export to the stored profile. Keeps the user's own entries.
    /// - Returns: The names of the added facts.
    func fillProfile(from export: HealthCharacteristics) throws -> [String] {
        var profile = try storedProfile()
        var taken: [String] = []
        func fill<Value>(_ property: WritableKeyPath<StoredProfile, Value?>, _ name: String, _ value: Value?) {
            guard let value, profile[keyPath: property] == nil else { return }
            profile[keyPath: property] = value
            taken.append(name)
        }
        func word(_ text: String?, after prefix: String) -> String? {
            guard let text, text.hasPrefix(prefix) else { return nil }
            let name = text.dropFirst(prefix.count)
            return name.prefix(1).lowercased() + name.dropFirst()
        }
        let birth = export.dateOfBirth.flatMap { CivilDay(stated: $0.year, $0.month, $0.day) }
        fill(\.dateOfBirth, "date of birth", birth)
        fill(
            \.sex, "sex",
            word(export.biologicalSex, after: "HKBiologicalSex").flatMap { WearerProfile.Sex(rawValue: $0) })
        fill(\.bloodType, "blood type", word(export.bloodType, after: "HKBloodType").flatMap { BloodTypeName($0) })
        let skin = export.fitzpatrickSkinType.map { String($0.dropFirst("HKFitzpatrickSkinType".count)) }
        fill(\.skinType, "skin type", skin.flatMap { SkinTypeName(rawValue: $0) })
        if !taken.isEmpty { try store(profile) }
        return taken
    }
}

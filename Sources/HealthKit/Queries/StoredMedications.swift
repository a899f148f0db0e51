/// The medications that the user takes or took. They are not samples: a store has a few, kept together, by concept.
extension HealthDatabase {
    private var medicationSetting: String { "medications" }

    /// Returns the medications in the order in which they were first stored.
    package func medications() throws -> [HKUserAnnotatedMedication] {
        guard let data = try setting(medicationSetting) else { return [] }
        return try Self.decoded(data)
    }

    /// Stores medications, and replaces earlier notes about the same ones.
    package func keep(_ medications: [HKUserAnnotatedMedication]) throws {
        try updateSetting(medicationSetting) { data in
            var all = try data.map(Self.decoded) ?? []
            for medication in medications {
                if let place = all.firstIndex(where: { $0.medication == medication.medication }) {
                    all[place] = medication
                } else {
                    all.append(medication)
                }
            }
            return try NSKeyedArchiver.archivedData(withRootObject: all as NSArray, requiringSecureCoding: true)
        }
    }

    private static func decoded(_ data: Data) throws -> [HKUserAnnotatedMedication] {
        let classes: [AnyClass] = [NSArray.self, HKUserAnnotatedMedication.self]
        let all = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
        guard let all = all as? [HKUserAnnotatedMedication] else {
            throw HKError.make(.errorDatabaseInaccessible, "The medications in the health store cannot be read.")
        }
        return all
    }
}

import Recordings

/// Converts metadata of an Apple Health export, which is all text, into metadata of objects.
///
/// The key determines the meaning of a text: values of Apple's own keys become quantities (`56 degF`), booleans and
/// numbers. Values of apps' keys stay texts, because an export does not contain their types. Numbers are kept as
/// written, including the humidity, which is a hundred times too large on some systems (`6400 %`).
enum ImportedMetadata {
    static func metadata(_ metadata: HealthMetadata) -> [String: Any]? {
        if metadata.isEmpty { return nil }
        var result: [String: Any] = [:]
        for entry in metadata.entries { result[entry.key] = value(entry.value, of: entry.key) }
        // The store accepts these two only together, and an export may have lost one.
        let version = result[HKMetadataKeySyncVersion] as? NSNumber
        if version == nil || result[HKMetadataKeySyncIdentifier] == nil {
            result[HKMetadataKeySyncVersion] = nil
            result[HKMetadataKeySyncIdentifier] = nil
        }
        return try? MetadataCoding.normalized(result)
    }

    private static func value(_ text: String, of key: String) -> Any {
        guard key.hasPrefix("HK"), !texts.contains(key) else { return text }
        if let quantity = HealthQuantity(text) {
            if !quantity.unit.isEmpty {
                guard let unit = try? HKUnit.parse(quantity.unit) else { return text }
                return HKQuantity(unit: unit, doubleValue: quantity.value)
            }
            if flags.contains(key) { return NSNumber(value: quantity.value != 0) }
            return Int(exactly: quantity.value).map { NSNumber(value: $0) } ?? NSNumber(value: quantity.value)
        }
        return text
    }

    private static let texts: Set<String> = [
        HKMetadataKeyDeviceSerialNumber, HKMetadataKeyDeviceName, HKMetadataKeyDeviceManufacturerName,
        HKMetadataKeyUDIDeviceIdentifier, HKMetadataKeyUDIProductionIdentifier, HKMetadataKeyDigitalSignature,
        HKMetadataKeyExternalUUID, HKMetadataKeySyncIdentifier, HKMetadataKeyTimeZone, HKMetadataKeyWorkoutBrandName,
        HKMetadataKeyAppleFitnessPlusCatalogIdentifier, HKMetadataKeyFoodType,
        HKMetadataKeyGlassesPrescriptionDescription,
    ]

    private static let flags: Set<String> = [
        HKMetadataKeyWasTakenInLab, HKMetadataKeyWasUserEntered, HKMetadataKeyGroupFitness,
        HKMetadataKeyIndoorWorkout, HKMetadataKeyCoachedWorkout, HKMetadataKeyAppleDeviceCalibrated,
        HKMetadataKeyQuantityClampedToLowerBound, HKMetadataKeyQuantityClampedToUpperBound,
        HKMetadataKeyAppleFitnessPlusSession, HKMetadataKeySexualActivityProtectionUsed,
        HKMetadataKeyMenstrualCycleStart,
    ]
}

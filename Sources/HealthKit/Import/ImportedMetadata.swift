import Recordings

/// Metadata of an Apple Health export, where all is text, as objects hold it.
///
/// What a text means is told by its key: keys of Apple's own become quantities (`56 degF`), truth values and
/// numbers; the keys of apps, whose types an export does not tell, stay texts. Numbers are kept as they are written, also
/// the humidity that is a hundred times too large on some systems (`6400 %`).
enum ImportedMetadata {
    static func metadata(_ metadata: HealthMetadata) -> [String: Any]? {
        if metadata.isEmpty { return nil }
        var result: [String: Any] = [:]
        for entry in metadata.entries { result[entry.key] = value(entry.value, of: entry.key) }
        // The store takes these two together only; an export may have lost one.
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

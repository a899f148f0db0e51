import ArgumentParser
import HealthKit

/// HealthKit types on the command line: by Swift name (`heartRate`) or by identifier, in any case.
enum TypeArgument {
    static let help: ArgumentHelp =
        "A type: its Swift name (heartRate, stepCount, sleepAnalysis, workout) or its identifier."

    // Computed when Tab is pressed. Otherwise every start would sort them.
    static let sampleTypes = CompletionKind.custom { _, _, _ in
        TypeCatalogue.objectTypes.filter { $0 is HKSampleType }.map(\.swiftName).sorted()
    }
    static let quantityTypes = CompletionKind.custom { _, _, _ in TypeCatalogue.quantityTypes.map(\.swiftName).sorted()
    }

    static func sampleType(_ text: String) throws -> HKSampleType {
        let type = try objectType(text)
        guard let type = type as? HKSampleType else {
            throw ValidationError(
                "\(type.swiftName) is not a sample type.")
        }
        return type
    }

    static func quantityType(_ text: String) throws -> HKQuantityType {
        let type = try sampleType(text)
        guard let type = type as? HKQuantityType else {
            throw ValidationError(
                "\(type.swiftName) is not a quantity type and has no statistics; list its samples: workout samples"
            )
        }
        return type
    }

    static func objectType(_ text: String) throws -> HKObjectType {
        if let type = TypeCatalogue.objectType(named: text) ?? TypeCatalogue.objectType(identifier: text) {
            return type
        }
        let lowered = text.lowercased()
        let types = TypeCatalogue.objectTypes
        if let type = types.first(where: {
            $0.swiftName.lowercased() == lowered || $0.identifier.lowercased() == lowered
        }) {
            return type
        }
        throw ValidationError(
            "Unknown type '\(text)'." + NearNames.question(text, in: types.map(\.swiftName)))
    }
}

import ArgumentParser
import HealthKit

/// A kind of workout on the command line, by the name of its case in `HKWorkoutActivityType`, capitals or not: the one place
/// where it is read.
enum ActivityArgument {
    static let completion = CompletionKind.list(HKWorkoutActivityType.allActivityTypes.map(\.caseName).sorted())

    static func parse(_ text: String) throws -> HKWorkoutActivityType {
        let types = HKWorkoutActivityType.allActivityTypes
        if let type = types.first(where: { $0.caseName.lowercased() == text.lowercased() }) { return type }
        throw ValidationError("Unknown activity '\(text)'." + NearNames.question(text, in: types.map(\.caseName)))
    }
}

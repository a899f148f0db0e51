import ArgumentParser
import HealthKit

/// A workout activity on the command line: the name of its case in `HKWorkoutActivityType`, in any case. The only place
/// that parses it.
enum ActivityArgument {
    static let completion = CompletionKind.list(HKWorkoutActivityType.allActivityTypes.map(\.caseName).sorted())

    static func parse(_ text: String) throws -> HKWorkoutActivityType {
        let types = HKWorkoutActivityType.allActivityTypes
        if let type = types.first(where: { $0.caseName.lowercased() == text.lowercased() }) { return type }
        throw ValidationError("Unknown activity '\(text)'." + NearNames.question(text, in: types.map(\.caseName)))
    }
}

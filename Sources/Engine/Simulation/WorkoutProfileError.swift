import SessionLog

/// Why a workout profile cannot be used.
package enum WorkoutProfileError: InvalidArgument, Sendable, Equatable {
    case unknownName(String, known: [String])
    case unreadable(path: String, reason: String)
    /// `place` is the path of keys inside the file, such as `segments[2].intensity`. Empty for the whole file.
    case invalid(path: String, place: String, problem: String)

    package var description: String {
        switch self {
        case .unknownName(let name, let known):
            "Unknown workout profile “\(name)”. Use one of \(known.joined(separator: ", ")), or a JSON file."
        case .unreadable(let path, let reason):
            "The workout profile \(path) cannot be read: \(reason)"
        case .invalid(let path, let place, let problem):
            "The workout profile \(path) is not valid\(place.isEmpty ? "" : " at \(place)"): \(problem)"
        }
    }
}

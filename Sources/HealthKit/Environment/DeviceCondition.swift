/// What a phone can be that a Linux machine is not: for tests, by `HEALTHKIT_SIMULATE=locked,guest`.
package enum DeviceCondition: String, Sendable, CaseIterable {
    /// Nothing can be read; what is written is kept. Code 6.
    case locked
    /// Somebody else uses the machine: nothing can be written. Code 15.
    case guest
    /// There is no health data on this machine. Code 1.
    case unavailable
    /// An administrator forbids it. Code 2.
    case restricted

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a word that is none of them.
    package static func list(_ text: String?) throws -> Set<DeviceCondition> {
        let words = (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(
            try words.map { word in
                guard let condition = DeviceCondition(rawValue: word) else {
                    throw HKError.make(
                        .errorInvalidArgument,
                        "HEALTHKIT_SIMULATE cannot be \"\(word)\": give some of "
                            + allCases.map(\.rawValue).joined(separator: ", ") + ".")
                }
                return condition
            })
    }
}

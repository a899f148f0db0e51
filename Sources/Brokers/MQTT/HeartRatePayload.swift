import Foundation

/// The heart rate in a message: a number as text, or JSON with a path to the number.
package struct HeartRatePayload: Sendable, Equatable {
    /// Keys and list indices from the outside in, such as `sensor.values.0`. Empty for a number.
    private let steps: [String]

    /// - Parameter path: Steps separated by dots. Nil for a number.
    package init(path: String?) {
        steps = path?.split(separator: ".").map(String.init) ?? []
    }

    /// Beats per minute. Nil if there is no number, as while a sensor is away.
    package func heartRate(in payload: [UInt8]) -> Double? {
        guard payload.count <= 1 << 16 else { return nil }
        let value: Double?
        if steps.isEmpty {
            value = Double(String(decoding: payload, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        } else {
            value = number(in: payload)
        }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    private func number(in payload: [UInt8]) -> Double? {
        guard var value = try? JSONSerialization.jsonObject(with: Data(payload), options: .fragmentsAllowed) else {
            return nil
        }
        for step in steps {
            if let object = value as? [String: Any], let inner = object[step] {
                value = inner
            } else if let list = value as? [Any], let index = Int(step), list.indices.contains(index) {
                value = list[index]
            } else {
                return nil
            }
        }
        // JSON's `true` is not a heart rate of 1.
        if value is Bool { return nil }
        return (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap { Double($0) }
    }
}

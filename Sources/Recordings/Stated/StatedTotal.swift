import Foundation
import SessionLog

extension SessionPauses {
    /// Returns a device's total for a span of time (the energy of a lap or a session) as readings outside the pauses,
    /// because nothing was counted during them. The values add up to the total for any pauses.
    func readings(
        ofTotal total: Double, _ type: String, unit: String, from start: Date, to end: Date, sensor: String?
    ) -> [QuantityReading] {
        let pieces = counted(from: start, to: end).filter { $0.lowerBound < $0.upperBound }
        let seconds = pieces.reduce(0) { $0 + $1.upperBound.timeIntervalSince($1.lowerBound) }
        guard let last = pieces.last, seconds > 0 else {
            // If no time is left, put it at the start, or at the start of the pause that contains it.
            let date = all.last { $0.start <= start && $0.end.map { start < $0 } ?? true }?.start ?? start
            return [QuantityReading(type, total, unit: unit, start: date, end: date, sensor: sensor)]
        }
        var rest = total
        return pieces.map { piece in
            let share = total * (piece.upperBound.timeIntervalSince(piece.lowerBound) / seconds)
            let value = piece == last ? rest : share
            rest -= value
            return QuantityReading(
                type, value, unit: unit, start: piece.lowerBound, end: piece.upperBound, sensor: sensor)
        }
    }
}

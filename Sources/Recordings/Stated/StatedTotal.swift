import Foundation
import SessionLog

extension SessionPauses {
    /// What a device says in all of a stretch of time (the energy of a lap, of a session), as readings that lie outside of the
    /// pauses, since nothing was counted in them. Their values add up to what it said, whatever pauses there were.
    func readings(
        ofTotal total: Double, _ type: String, unit: String, from start: Date, to end: Date, sensor: String?
    ) -> [QuantityReading] {
        let pieces = counted(from: start, to: end).filter { $0.lowerBound < $0.upperBound }
        let seconds = pieces.reduce(0) { $0 + $1.upperBound.timeIntervalSince($1.lowerBound) }
        guard let last = pieces.last, seconds > 0 else {
            // Of no time at all: at its beginning, or at that of the pause that it lies in.
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

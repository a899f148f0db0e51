package import GATT

/// A wheel or crank that turns at a rate: counts whole turns and notes when the last one was, as a sensor does.
package struct TurningCounter: Sendable, Equatable {
    private var turns = 0.0
    private var turnsPerSecond = 0.0
    private var now: Double
    private var lastTurn: Double

    /// - Parameter seconds: When it begins to count, and when the last turn before was.
    package init(startingAt seconds: Double = 0) {
        now = seconds
        lastTurn = seconds
    }

    /// Turns on at the present rate until `seconds`, and from there at `turnsPerSecond`.
    package mutating func advance(to seconds: Double, turnsPerSecond next: Double) {
        let elapsed = max(0, seconds - now)
        let before = turns.rounded(.down)
        turns += turnsPerSecond * elapsed
        now = max(now, seconds)
        let whole = turns.rounded(.down)
        if whole > before, turnsPerSecond > 0 { lastTurn = now - (turns - whole) / turnsPerSecond }
        turnsPerSecond = next.isFinite ? min(max(0, next), 100) : 0
    }

    package var wheel: WheelRevolutions {
        WheelRevolutions(count: UInt32(truncatingIfNeeded: Int64(turns)), eventTime: eventTime)
    }

    package var crank: CrankRevolutions {
        CrankRevolutions(count: UInt16(truncatingIfNeeded: Int64(turns)), eventTime: eventTime)
    }

    private var eventTime: UInt16 {
        UInt16(truncatingIfNeeded: Int64((lastTurn * CyclingSpeedCadenceMeasurement.ticksPerSecond).rounded()))
    }
}

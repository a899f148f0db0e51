/// A horizontal axis of time with laps and pauses. It may show a distance instead of time.
package struct TimeAxis: Sendable {
    /// The range in seconds since the start of a workout, or in metres for a distance.
    package var seconds: ClosedRange<Double>
    package var pauses: [ClosedRange<Double>]
    /// The ends of laps.
    package var laps: [Double]
    package var text: @Sendable (Double) -> String
    package var steps = Ticks.timeSteps
    /// Labels in place of round times: the beginnings of months or years.
    package var places: [(seconds: Double, text: String)]?
    /// The unit of a distance and its metres. Nil for time.
    package var unit: (name: String, meters: Double)?

    package init(
        seconds: ClosedRange<Double>, pauses: [ClosedRange<Double>] = [], laps: [Double] = [],
        text: @escaping @Sendable (Double) -> String
    ) {
        self.seconds = seconds
        self.pauses = pauses
        self.laps = laps
        self.text = text
    }

    package var scale: LinearScale { LinearScale(seconds.lowerBound, seconds.upperBound) }

    package var ticks: [Plot.Tick] {
        if let places { return places.map { Plot.Tick(scale.fraction($0.seconds), $0.text) } }
        return Ticks.values(seconds, count: 10, steps: steps).map { Plot.Tick(scale.fraction($0), text($0)) }
    }

    var shades: [Plot.Band] {
        pauses.map { Plot.Band(scale.fraction($0.lowerBound)...scale.fraction($0.upperBound), "pause") }
    }

    var marks: [Double] { laps.map { scale.fraction($0) }.filter { (0...1).contains($0) } }
}

/// Time from left to right, and what happened in it. A distance may take the place of time.
package struct TimeAxis: Sendable {
    /// Of a workout since its start; metres of a distance.
    package var seconds: ClosedRange<Double>
    package var pauses: [ClosedRange<Double>]
    /// Ends of laps.
    package var laps: [Double]
    package var text: @Sendable (Double) -> String
    package var steps = Ticks.timeSteps
    /// In place of round times: the beginnings of months, of years.
    package var places: [(seconds: Double, text: String)]?
    /// The unit in which a distance is told, and its metres; nil for time.
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

/// What a log has said of each sensor by now, in the order in which they came.
package struct LatestSensors: Sendable, Equatable {
    package private(set) var all: [SensorStatus] = []

    package init() {}

    /// A battery stays as full as it was while nothing new is said of it.
    package mutating func note(_ status: SensorStatus) {
        guard let place = all.firstIndex(where: { $0.id == status.id }) else { return all.append(status) }
        var known = status
        known.batteryPercent = status.batteryPercent ?? all[place].batteryPercent
        all[place] = known
    }
}

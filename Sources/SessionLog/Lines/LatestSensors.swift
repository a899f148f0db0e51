/// The latest status of each sensor in a log, in the order of first appearance.
package struct LatestSensors: Sendable, Equatable {
    package private(set) var all: [SensorStatus] = []

    package init() {}

    /// Adds a status. If it has no battery level, the last known one stays.
    package mutating func note(_ status: SensorStatus) {
        guard let place = all.firstIndex(where: { $0.id == status.id }) else { return all.append(status) }
        var known = status
        known.batteryPercent = status.batteryPercent ?? all[place].batteryPercent
        all[place] = known
    }
}

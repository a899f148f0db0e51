public import Foundation

extension SessionEntry {
    /// The same entry `seconds` later, with every date in it: how a recording is laid on a new session's time line.
    ///
    /// Dates inside metadata are facts about something else and stay.
    public func shifted(by seconds: TimeInterval) -> SessionEntry {
        var entry = self
        entry.date += seconds
        switch content {
        case .quantity(var reading):
            reading.start += seconds
            reading.end += seconds
            entry.content = .quantity(reading)
        case .category(var reading):
            reading.start += seconds
            reading.end += seconds
            entry.content = .category(reading)
        case .event(var event):
            event.start += seconds
            event.end += seconds
            entry.content = .event(event)
        case .header, .state, .collection, .activityBegan, .activityMetadata, .activityEnded, .beats, .position,
            .routeDiscarded, .metadata, .sensor, .object, .notification, .wearer, .remoteData, .companion,
            .clockSet:
            break
        }
        return entry
    }
}

import Foundation

extension SuuntoLog {
    /// Reads the JSON of the app: a `DeviceLog` with its `Samples`, or samples inside `Attributes`.
    mutating func read(json root: [String: Any]) {
        let log = root["DeviceLog"] as? [String: Any] ?? root
        readHeader(log)
        for case let element as [String: Any] in log["Samples"] as? [Any] ?? [] { readSample(element) }
        // The beats are in the log, or in a list of pieces beside the samples.
        for element in (log["R-R"] as? [Any]) ?? [log["R-R"] as Any] {
            guard let element = element as? [String: Any] else { continue }
            let inner = Self.inner(element)
            let data = (inner["R-R"] as? [String: Any])?["Data"] ?? inner["Data"]
            intervals += (data as? [Any] ?? []).compactMap(JSONFile.number)
        }
    }

    /// Returns the content of `{"Attributes": {"suunto/sml": {…}}}`, or the element itself.
    private static func inner(_ element: [String: Any]) -> [String: Any] {
        (element["Attributes"] as? [String: Any])?["suunto/sml"] as? [String: Any] ?? element
    }

    private mutating func readHeader(_ log: [String: Any]) {
        if let header = log["Header"] as? [String: Any] {
            sport = header["Activity"] as? String
            if sport == nil, let number = JSONFile.number(header["ActivityType"]) {
                sport = Int(exactly: number).flatMap { Self.sports[$0] }
            }
            start = (header["DateTime"] as? String).flatMap { $0.tableMoment() }
            statedZone = (header["DateTime"] as? String)?.secondsFromGMT
            session.kilocalories = (JSONFile.number(header["Energy"]) ?? .nan) / Self.joulesPerKilocalorie
            session.distanceInMeters = JSONFile.number(header["Distance"]) ?? .nan
        }
        guard let device = log["Device"] as? [String: Any] else { return }
        self.device.name = device["Name"] as? String ?? ""
        self.device.unit = device["SerialNumber"] as? String ?? ""
        self.device.version = (device["Info"] as? [String: Any])?["SW"] as? String ?? ""
    }

    private mutating func readSample(_ element: [String: Any]) {
        let inner = Self.inner(element)
        let values = inner["Sample"] as? [String: Any] ?? inner
        var sample = Sample()
        for key in ["TimeISO8601", "UTC"] where sample.date.isNaN {
            let text = element[key] as? String ?? values[key] as? String
            if let moment = text?.tableMoment() { sample.date = moment.seconds }
            statedZone = statedZone ?? text?.secondsFromGMT
        }
        for (name, value) in values {
            if let number = JSONFile.number(value) { Self.set(name, number, in: &sample) }
        }
        if let ibi = (inner["R-R"] as? [String: Any])?["Data"] as? [Any] {
            sample.intervals = ibi.compactMap(JSONFile.number)
        }
        for case let event as [String: Any] in values["Events"] as? [Any] ?? [] {
            if event["Lap"] != nil { sample.marks.append(.lap) }
            if let pause = event["Pause"] as? [String: Any], let state = pause["State"] as? Bool {
                sample.marks.append(state ? .paused : .resumed)
            }
            if let activity = event["Activity"] as? [String: Any], sport == nil,
                let number = JSONFile.number(activity["ActivityType"])
            {
                sport = Int(exactly: number).flatMap { Self.sports[$0] }
            }
        }
        samples.append(sample)
    }
}

import Foundation
import HealthKit

// Each side runs in a separate process: `MirroringApps watch`, `MirroringApps recover` (the watch's side after a
// crash) or `MirroringApps phone`. It prints its delegates' calls to standard output, one JSON object per line, and
// runs until it is killed, as apps do. `MirroringApps start` is a phone's app that launches its watch app and ends;
// `MirroringApps handle` is that watch app.

func report(_ values: [String: Any]) {
    guard let data = try? JSONSerialization.data(withJSONObject: values, options: [.sortedKeys]) else { return }
    print(String(decoding: data, as: UTF8.self))
    fflush(nil)
}

func numbers(_ statistics: HKStatistics?) -> [String: Double] {
    let unit = HKUnit.count().unitDivided(by: .minute())
    return [
        "average": statistics?.averageQuantity()?.doubleValue(for: unit) ?? 0,
        "minimum": statistics?.minimumQuantity()?.doubleValue(for: unit) ?? 0,
        "maximum": statistics?.maximumQuantity()?.doubleValue(for: unit) ?? 0,
    ]
}

switch CommandLine.arguments.dropFirst().first {
case "phone":
    let phone = MirroringPhoneApp()
    phone.enough = .max
    phone.whenOver = { error in
        report([
            "over": error?.localizedDescription ?? "", "states": phone.states.map(\.rawValue),
            "messages": phone.messages.map(\.elapsed), "heartRate": numbers(phone.heartRates),
        ])
    }
    phone.retrieveRemoteSession()
    report(["waits": true])
    while true { try await Task.sleep(for: .seconds(3_600)) }
case "watch", "recover":
    let watch = MirroringWatchApp()
    watch.whenFinished = { workout in
        report([
            "finished": workout?.uuid.uuidString ?? "", "duration": workout?.duration ?? 0, "sent": watch.sent,
            "received": watch.received,
            "heartRate": numbers(workout?.statistics(for: HKQuantityType(.heartRate))),
        ])
    }
    do {
        try await watch.requestAuthorization()
        if CommandLine.arguments[1] == "watch" {
            try await watch.startWorkout(.running)
        } else if try await !watch.recoverWorkout() {
            report(["nothing": true])
        }
    } catch {
        report(["error": error.localizedDescription])
    }
    while true { try await Task.sleep(for: .seconds(3_600)) }
case "start":
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    configuration.locationType = .outdoor
    do {
        try await HKHealthStore().startWatchApp(toHandle: configuration)
        report(["started": true])
    } catch {
        report(["error": error.localizedDescription])
    }
case "handle":
    let store = HKHealthStore()
    store.workoutConfigurationHandler = { configuration in report(["handed": "\(configuration)"]) }
    report(["waits": true])
    while true { try await Task.sleep(for: .seconds(3_600)) }
default:
    FileHandle.standardError.write(Data("MirroringApps watch | recover | phone | start | handle\n".utf8))
    exit(64)
}

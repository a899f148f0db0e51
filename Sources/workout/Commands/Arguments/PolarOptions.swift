import ArgumentParser
import Bluetooth
import GATT

/// The streams of Polar's sensors that a session records.
struct PolarOptions: ParsableArguments {
    @Flag(help: "Record the electrocardiogram of a Polar H9 or H10. It takes more of the strap's battery.")
    var ecg = false

    @Flag(help: "Record the acceleration of a Polar sensor in the log (see --output).")
    var acceleration = false

    @Flag(
        help: """
            Record the pulse intervals of a Polar armband, which has no RR intervals: sit still, the first come after half a \
            minute.
            """)
    var ppi = false

    var streams: Set<PolarStream> {
        var streams: Set<PolarStream> = []
        if ecg { streams.insert(.electrocardiogram) }
        if acceleration { streams.insert(.acceleration) }
        if ppi { streams.insert(.pulseIntervals) }
        return streams
    }

    static func words(_ stream: PolarStream) -> String {
        switch stream {
        case .electrocardiogram: "the electrocardiogram"
        case .acceleration: "the acceleration"
        case .pulseIntervals: "pulse intervals"
        }
    }

    /// Nil if there is nothing to warn of.
    static func warning(_ event: PolarStreamEvent) -> String? {
        switch event {
        case .started: nil
        case .refused(let stream, PolarResponse.isCharging):
            "\(words(stream)) cannot be recorded while the sensor is charging"
        case .refused(let stream, _): "the sensor does not offer \(words(stream))"
        case .silent(let stream): "the sensor does not answer when asked for \(words(stream))"
        case .failed(let error): "its streams cannot be recorded: \(error)"
        case .isNone: "not a Polar sensor with streams; only its other values are recorded"
        }
    }
}

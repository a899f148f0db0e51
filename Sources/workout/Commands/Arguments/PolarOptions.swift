import ArgumentParser
import GATT

/// The streams of Polar's sensors that a session records.
struct PolarOptions: ParsableArguments {
    @Flag(help: "Also record the electrocardiogram of a Polar H9 or H10. It takes more of the strap's battery.")
    var ecg = false

    @Flag(help: "Also record the acceleration of a Polar sensor in the log (see --output).")
    var acceleration = false

    @Flag(
        help: """
            Also record the pulse intervals of a Polar armband, which has no RR intervals: sit still, the first come after half a \
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
}

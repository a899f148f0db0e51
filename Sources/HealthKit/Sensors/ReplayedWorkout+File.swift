import SessionLog

#if Replay
import Recordings
#endif

extension ReplayedWorkout {
    /// Reads a recording of any readable format. Nil without a workout. HealthKit uses the file formats only here.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the file cannot be read, and in an app built without the
    ///   package trait `Replay`.
    static func recorded(in url: URL) throws -> ReplayedWorkout? {
        #if Replay
        try HKError.translating { try RecordingFile.read(url).replayed }
        #else
        throw HKError.make(
            .errorInvalidArgument,
            "\(url.path) cannot be replayed, because this app was built without the readers of recordings. Build it with "
                + "the package trait Replay of OpenHealthKit.")
        #endif
    }
}

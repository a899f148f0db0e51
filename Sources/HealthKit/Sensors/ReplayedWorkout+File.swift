import SessionLog

#if Replay
import Recordings
#endif

extension ReplayedWorkout {
    /// Reads a recording of any readable format. Nil if it holds no workout. This is the only place where HealthKit needs
    /// the file formats.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the file cannot be read, and in an app that was built without the
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

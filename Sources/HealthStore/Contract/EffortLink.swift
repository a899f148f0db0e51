/// That a sample says how hard a workout, or a part of it, was.
package struct EffortLink: Sendable, Equatable {
    /// Counts what was ever related.
    package var sequence: Int64
    package var workout: UUID
    package var activity: UUID?
    package var sample: UUID
}

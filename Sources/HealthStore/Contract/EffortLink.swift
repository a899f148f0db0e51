/// A relation of an effort sample to a workout or one of its activities.
package struct EffortLink: Sendable, Equatable {
    /// The number of the relation among all that ever existed.
    package var sequence: Int64
    package var workout: UUID
    package var activity: UUID?
    package var sample: UUID
}

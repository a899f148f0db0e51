import HealthKit

extension HealthKitWorld {
    /// What the app's delegates were called with, in order: those of its sessions and of their builders. What was told while an
    /// object had no delegate is not there.
    public var calls: [DelegateCall] { witness.all }
}

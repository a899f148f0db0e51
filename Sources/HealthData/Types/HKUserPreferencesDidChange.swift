public import Foundation

extension NSNotification.Name {
    /// Posted when the user's preferred units change, once by every `HKHealthStore`, with the store as its object.
    public static let HKUserPreferencesDidChange = NSNotification.Name("HKUserPreferencesDidChangeNotification")
}

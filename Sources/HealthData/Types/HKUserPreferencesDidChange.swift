public import Foundation

extension NSNotification.Name {
    /// Posted when the user's preferred units change. Every `HKHealthStore` posts it once, with itself as the object.
    public static let HKUserPreferencesDidChange = NSNotification.Name("HKUserPreferencesDidChangeNotification")
}

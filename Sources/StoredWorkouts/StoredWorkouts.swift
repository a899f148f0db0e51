@_exported public import HealthKit

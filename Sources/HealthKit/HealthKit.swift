@_exported public import Foundation
@_exported public import HealthData
@_exported public import HealthStore

@_exported public import Foundation
@_exported public import HealthData
@_exported public import HealthStore
// As with Apple's Foundation, files can use `@Observable`, `ObservableObject` and `@Published` without another import.
@_exported public import Observation

#if Combine
@_exported public import CombineForLinux
#endif

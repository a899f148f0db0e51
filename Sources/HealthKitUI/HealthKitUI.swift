// What `import HealthKitUI` shows on Linux: HealthKit. On Apple's systems the module adds views, which do not exist here.
@_exported public import HealthKit

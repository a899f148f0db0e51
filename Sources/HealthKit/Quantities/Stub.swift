package struct UnitError: Error {}
public class HKUnit: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public let unitString: String
  public init(from s: String) { unitString = s }
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public required init?(coder: NSCoder) { return nil }
  public func copy(with z: NSZone? = nil) -> Any { self }
  package static func parse(_ s: String) throws(UnitError) -> HKUnit { HKUnit(from: s) }
  package func conversion(to: HKUnit) -> (scale: Double, offset: Double)? { (1, 0) }
  public class func count() -> HKUnit { HKUnit(from: "count") }
  public class func minute() -> HKUnit { HKUnit(from: "min") }
  public class func second() -> HKUnit { HKUnit(from: "s") }
  public class func meter() -> HKUnit { HKUnit(from: "m") }
  public class func percent() -> HKUnit { HKUnit(from: "%") }
  public class func kilocalorie() -> HKUnit { HKUnit(from: "kcal") }
  public func unitDivided(by: HKUnit) -> HKUnit { HKUnit(from: unitString + "/" + by.unitString) }
}
public class HKQuantity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  let v: Double; let u: HKUnit
  public init(unit: HKUnit, doubleValue: Double) { v = doubleValue; u = unit }
  public func doubleValue(for: HKUnit) -> Double { v }
  public func `is`(compatibleWith: HKUnit) -> Bool { true }
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public required init?(coder: NSCoder) { return nil }
  public func copy(with z: NSZone? = nil) -> Any { self }
}
public enum HKQuantityAggregationStyle: Int, Sendable { case cumulative = 0, discreteArithmetic, discreteTemporallyWeighted, discreteEquivalentContinuousLevel }

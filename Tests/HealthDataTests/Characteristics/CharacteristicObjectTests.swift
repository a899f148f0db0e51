import Foundation
import HealthData
import Testing

struct CharacteristicObjectTests {
    @Test func `a characteristic is not set by default`() {
        #expect(HKBiologicalSexObject().biologicalSex == .notSet)
        #expect(HKBloodTypeObject().bloodType == .notSet)
        #expect(HKFitzpatrickSkinTypeObject().skinType == .notSet)
        #expect(HKWheelchairUseObject().wheelchairUse == .notSet)
        #expect(HKActivityMoveModeObject().activityMoveMode == .activeEnergy)
    }

    @Test func `a characteristic survives archiving`() throws {
        #expect(try archived(HKBiologicalSexObject(biologicalSex: .female)).biologicalSex == .female)
        #expect(try archived(HKBloodTypeObject(bloodType: .oNegative)).bloodType == .oNegative)
        #expect(try archived(HKFitzpatrickSkinTypeObject(skinType: .III)).skinType == .III)
        #expect(try archived(HKWheelchairUseObject(wheelchairUse: .yes)).wheelchairUse == .yes)
        #expect(
            try archived(HKActivityMoveModeObject(activityMoveMode: .appleMoveTime)).activityMoveMode == .appleMoveTime)
    }

    private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
    }

    @Test func `characteristics are equal if their values are`() {
        #expect(HKBloodTypeObject(bloodType: .aPositive) == HKBloodTypeObject(bloodType: .aPositive))
        #expect(HKBloodTypeObject(bloodType: .aPositive) != HKBloodTypeObject(bloodType: .bPositive))
    }
}

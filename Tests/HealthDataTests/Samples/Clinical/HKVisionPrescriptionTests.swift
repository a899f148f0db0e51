import Archiving
import Foundation
import HealthData
import Testing

struct HKVisionPrescriptionTests {
    private func diopters(_ value: Double) -> HKQuantity { HKQuantity(unit: .diopter(), doubleValue: value) }
    private func prism(_ value: Double) -> HKQuantity { HKQuantity(unit: .prismDiopter(), doubleValue: value) }
    private func degrees(_ value: Double) -> HKQuantity { HKQuantity(unit: .degreeAngle(), doubleValue: value) }
    private func millimeters(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .meterUnit(with: .milli), doubleValue: value)
    }

    @Test func `glasses survive archiving and another time line`() throws {
        let lens = HKGlassesLensSpecification(
            sphere: diopters(-2), cylinder: diopters(0.5), axis: degrees(90), addPower: nil,
            vertexDistance: millimeters(12), prism: HKVisionPrism(amount: prism(2), angle: degrees(90), eye: .right),
            farPupillaryDistance: millimeters(31), nearPupillaryDistance: nil)
        let glasses = HKGlassesPrescription(
            rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: time(0), expirationDate: time(100),
            device: nil, metadata: nil)
        #expect(glasses.prescriptionType == .glasses)
        let read = try #require(try archivedAndRead(glasses))
        #expect(read == glasses)
        #expect(read.expirationDate == time(100))
        #expect(read.leftEye == nil)
        #expect(read.rightEye?.sphere == diopters(-2))
        #expect(read.rightEye?.vertexDistance == millimeters(12))
        #expect(read.rightEye?.prism?.verticalBase == .up)
        let moved = try #require(glasses.moved(start: time(50), end: time(150)) as? HKGlassesPrescription)
        #expect(moved.dateIssued == time(50))
        #expect(moved.expirationDate == time(150))
    }

    @Test func `contact lenses survive archiving`() throws {
        let lens = HKContactsLensSpecification(
            sphere: diopters(-2), cylinder: nil, axis: nil, addPower: nil, baseCurve: millimeters(8.6),
            diameter: millimeters(14))
        let contacts = HKContactsPrescription(
            rightEyeSpecification: nil, leftEyeSpecification: lens, brand: "Brand", dateIssued: time(0),
            expirationDate: nil, device: nil, metadata: nil)
        let read = try #require(try archivedAndRead(contacts))
        #expect(read.prescriptionType == .contacts)
        #expect(read.brand == "Brand")
        #expect(read.expirationDate == nil)
        #expect(read.leftEye?.diameter == millimeters(14))
    }

    @Test(arguments: [
        (0.0, HKVisionEye.right, HKPrismBase.none, HKPrismBase.in), (0, .left, .none, .out), (90, .right, .up, .none),
        (180, .right, .none, .out), (180, .left, .none, .in), (270, .left, .down, .none), (45, .right, .up, .in),
        (225, .left, .down, .in),
    ])
    func `a prism has the same direction in both notations`(
        angle: Double, eye: HKVisionEye, vertical: HKPrismBase, horizontal: HKPrismBase
    ) {
        let polar = HKVisionPrism(amount: prism(2), angle: degrees(angle), eye: eye)
        #expect(polar.verticalBase == vertical)
        #expect(polar.horizontalBase == horizontal)
        let parts = HKVisionPrism(
            verticalAmount: polar.verticalAmount, verticalBase: vertical, horizontalAmount: polar.horizontalAmount,
            horizontalBase: horizontal, eye: eye)
        #expect(abs(parts.amount.doubleValue(for: .prismDiopter()) - 2) < 1e-9)
        #expect(abs(parts.angle.doubleValue(for: .degreeAngle()) - angle) < 1e-9)
    }

    @Test func `a lens power in metres or an expiry before the issue date traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKContactsLensSpecification(
                sphere: HKQuantity(unit: .meter(), doubleValue: 1), cylinder: nil, axis: nil, addPower: nil,
                baseCurve: nil, diameter: nil)
        }
        await #expect(processExitsWith: .failure) {
            _ = HKVisionPrescription(
                type: .glasses, dateIssued: Date(timeIntervalSince1970: 1),
                expirationDate: Date(timeIntervalSince1970: 0), device: nil, metadata: nil)
        }
    }
}

import GATT
import Testing

struct BodySensorLocationTests {
    @Test(arguments: [([], nil), ([1], .chest), ([5], .earLobe), ([7], nil)] as [([UInt8], BodySensorLocation?)])
    func `a location is one of the seven assigned or unknown`(_ bytes: [UInt8], _ location: BodySensorLocation?) {
        #expect(BodySensorLocation(bytes) == location)
    }
}

import GATT
import Testing

struct BatteryLevelTests {
    @Test(arguments: [([], nil), ([0], 0), ([87], 87), ([100], 100), ([101], nil), ([255], nil)] as [([UInt8], Int?)])
    func `a battery level is a percentage or unknown`(_ bytes: [UInt8], _ percent: Int?) {
        #expect(BatteryLevel(bytes)?.percent == percent)
    }
}

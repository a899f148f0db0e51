import Analytics
import Foundation
import Testing

struct FirstOrderResponseTests {
    @Test(arguments: [(57.5, 0.63212), (115, 0.86466), (172.5, 0.95021), (5750, 1)])
    func `after one time constant 63.2 % of the change is done`(_ seconds: Double, _ share: Double) {
        var response = FirstOrderResponse(value: 100, timeConstantUp: 57.5, timeConstantDown: 54.4)
        response.advance(toward: 150, by: seconds)
        #expect(isClose((response.value - 100) / 50, share, within: 1e-5))
    }

    @Test func `many small steps end where one large step does`() {
        var small = FirstOrderResponse(value: 150, timeConstantUp: 57.5, timeConstantDown: 54.4)
        var big = small
        for _ in 0..<600 { small.advance(toward: 100, by: 0.1) }
        big.advance(toward: 100, by: 60)
        #expect(isClose(small.value, big.value, within: 1e-7))
        #expect(isClose(big.value, 100 + 50 * exp(-60 / 54.4), within: 1e-7))
    }
}

import Analytics
import Testing

struct HeartRateRecoveryTests {
    private let readings = [(0, 170), (30, 150), (58, 140), (62, 136), (118, 118), (160, 105)]
        .map { (seconds: Double($0.0), heartRate: Double($0.1)) }

    @Test(arguments: [(0, 2), (30, 22), (60, 34), (120, nil), (90, nil), (170, nil)] as [(Double, Double?)])
    func `the drop is measured around the moment, or not at all`(_ seconds: Double, _ drop: Double?) {
        #expect(HeartRateRecovery.drop(heartRateAtEnd: 172, after: seconds, readings: readings) == drop)
    }
}

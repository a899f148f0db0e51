import Analytics
import Testing

struct LoopRouteTests {
    private let course = LoopRoute(lengthInMeters: 2500, climbInMeters: 8)

    @Test func `a lap ends where it began`() {
        #expect(course.point(atDistanceInMeters: 2500) == course.point(atDistanceInMeters: 0))
        #expect(course.point(atDistanceInMeters: 0).courseInDegrees == 0)
        #expect(course.point(atDistanceInMeters: 625).courseInDegrees == 90)
    }

    @Test func `nearby points are as far apart as the distance covered`() {
        for start in stride(from: 0.0, to: 2500, by: 97) {
            let (a, b) = (course.point(atDistanceInMeters: start), course.point(atDistanceInMeters: start + 10))
            let north = (b.latitudeInDegrees - a.latitudeInDegrees) * 111_319.49
            let east = (b.longitudeInDegrees - a.longitudeInDegrees) * 111_319.49
            #expect(isClose((north * north + east * east).squareRoot(), 10, within: 0.03))
        }
    }
}

import Foundation
import Testing

@testable import workout

/// What a person reads when something went wrong.
@Suite struct CommandFailureTests {
    @Test func `the cause inside Foundation's own error is told in its words, without a dump`() {
        let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOTDIR))
        let error = NSError(domain: NSCocoaErrorDomain, code: 512, userInfo: [NSUnderlyingErrorKey: cause])
        let told = NSError(
            domain: "HealthKit", code: 1,
            userInfo: [NSLocalizedDescriptionKey: "The folder cannot be made.", NSUnderlyingErrorKey: error])
        #expect(CommandFailure.describe(told) == "The folder cannot be made. Not a directory.")
    }

    @Test func `a cause that the sentence holds already is not said twice`() {
        let cause = NSError(domain: "x", code: 1, userInfo: [NSLocalizedDescriptionKey: "It is full."])
        let told = NSError(
            domain: "x", code: 2,
            userInfo: [NSLocalizedDescriptionKey: "Nothing was saved. It is full.", NSUnderlyingErrorKey: cause])
        #expect(CommandFailure.describe(told) == "Nothing was saved. It is full.")
    }
}

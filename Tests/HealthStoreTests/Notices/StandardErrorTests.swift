import Foundation
import Testing

@testable import HealthStore

/// Each test runs in a separate process, which loses its standard error.
@Suite struct StandardErrorTests {
    @Test func `an app with a closed standard error continues`() async {
        await #expect(processExitsWith: .success) {
            close(STDERR_FILENO)
            StandardError.notify("a type may not be read")
        }
    }

    @Test func `an app whose standard error is on a full disk continues`() async {
        await #expect(processExitsWith: .success) {
            dup2(open("/dev/full", O_WRONLY), STDERR_FILENO)
            StandardError.notify("a type may not be read")
        }
    }

    @Test func `an app whose standard error has no reader continues`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            dup2(ends[1], STDERR_FILENO)
            close(ends[0])
            StandardError.notify("a type may not be read")
            // Nothing remains that would end the program later.
            var waiting = sigset_t()
            sigpending(&waiting)
            exit(sigismember(&waiting, SIGPIPE) == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

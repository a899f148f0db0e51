import Foundation
import Synchronization
import Testing

@testable import workout

/// In processes of their own, because the actions of signals belong to the process.
struct InterruptionTests {
    private static func isHangupIgnored() -> Bool {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        return isIgnoring(action.__sigaction_handler.sa_handler)
    }

    @Test func `a command that was started with nohup goes on without its terminal`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            let wasAsked = try await Interruption.calling({}) { kill(getpid(), SIGHUP) }
            #expect(!wasAsked)
            #expect(Self.isHangupIgnored())
        }
    }

    @Test func `each of several waits of one command is interrupted`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<200 {
                let asked = AsyncStream.makeStream(of: Void.self)
                let wasAsked = try await Interruption.calling({ asked.continuation.finish() }) {
                    kill(getpid(), SIGTERM)
                    for await _ in asked.stream {}
                }
                #expect(wasAsked)
            }
        }
    }

    @Test func `another command ends its work when its terminal is closed`() async {
        await #expect(processExitsWith: .success) {
            let asked = AsyncStream.makeStream(of: Void.self)
            let wasAsked = try await Interruption.calling({ asked.continuation.finish() }) {
                kill(getpid(), SIGHUP)
                for await _ in asked.stream {}
            }
            #expect(wasAsked)
            #expect(!Self.isHangupIgnored())
        }
    }
}

import Foundation
import Synchronization
import Testing

@testable import workout

/// In separate processes, because the actions of signals belong to the process.
struct InterruptionTests {
    @Test func `a command started with nohup continues without its terminal`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            let wasAsked = try await Interruption.calling({}) { kill(getpid(), SIGHUP) }
            #expect(!wasAsked)
            #expect(isIgnoring(Interruption.handler(of: SIGHUP)))
        }
    }

    @Test func `each of several waits of one command can be interrupted`() async {
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

    @Test func `another command ends when its terminal is closed`() async {
        await #expect(processExitsWith: .success) {
            let asked = AsyncStream.makeStream(of: Void.self)
            let wasAsked = try await Interruption.calling({ asked.continuation.finish() }) {
                kill(getpid(), SIGHUP)
                for await _ in asked.stream {}
            }
            #expect(wasAsked)
            #expect(!isIgnoring(Interruption.handler(of: SIGHUP)))
        }
    }
}

import GATT
import Testing

@testable import Bluetooth

/// The commands for a trainer, whatever it and its rider do.
@Suite struct TrainerStateTests {
    private static let bike = FitnessMachineAbilities(takesPower: true, takesGrade: true, powers: 50...400)

    /// A trainer on a clock that the test advances.
    private struct Bench {
        var state = TrainerState()
        var now = Duration.zero

        mutating func happens(
            _ event: TrainerState.Event, after pause: Duration = .milliseconds(10)
        ) -> [TrainerState.Action] {
            now += pause
            return state.handle(event, at: now)
        }

        mutating func answers(
            _ command: FitnessMachineCommand, _ result: FitnessMachineResponse.Result = .success
        ) -> [TrainerState.Action] {
            happens(.answered(FitnessMachineResponse(to: command, result)))
        }

        /// A trainer that holds a target power.
        static func holding(_ watts: Int, _ abilities: FitnessMachineAbilities = bike) -> Bench {
            var bench = Bench()
            _ = bench.happens(.wanted(.power(watts: watts)))
            _ = bench.happens(.linked(abilities))
            _ = bench.answers(.requestControl)
            _ = bench.answers(.startOrResume)
            #expect(bench.answers(.setTarget(.power(watts: watts))) == [.report(.holds(.power(watts: watts)))])
            #expect(bench.state.deadline == nil)
            bench.now += TrainerState.spacing
            return bench
        }
    }

    @Test func `control is requested and the machine started before a target is set`() {
        var bench = Bench()
        #expect(bench.happens(.linked(Self.bike)) == [])
        #expect(bench.happens(.wanted(.power(watts: 200))) == [.write(.requestControl)])
        #expect(bench.answers(.requestControl) == [.write(.startOrResume)])
        #expect(bench.answers(.startOrResume) == [.write(.setTarget(.power(watts: 200)))])
        #expect(bench.answers(.setTarget(.power(watts: 200))) == [.report(.holds(.power(watts: 200)))])
    }

    @Test func `one command is in flight at a time, and then the newest target counts`() {
        var bench = Bench.holding(200)
        #expect(bench.happens(.wanted(.power(watts: 210))) == [.write(.setTarget(.power(watts: 210)))])
        for watts in 211...250 { #expect(bench.happens(.wanted(.power(watts: watts))) == []) }
        // An answer to another command doesn't count.
        #expect(bench.answers(.requestControl) == [])
        #expect(bench.answers(.setTarget(.power(watts: 210))) == [.report(.holds(.power(watts: 210)))])
        #expect(bench.happens(.timePassed, after: .seconds(1)) == [.write(.setTarget(.power(watts: 250)))])
    }

    @Test func `the targets of a ramp are a second apart, and a pause is sent at once`() {
        var bench = Bench.holding(200)
        var sent: [Int: Duration] = [:]
        for watts in 201...220 {
            let actions =
                bench.happens(.wanted(.power(watts: watts)), after: .milliseconds(250)) + bench.happens(.timePassed)
            for case .write(.setTarget(.power(let watts))) in actions {
                sent[watts] = bench.now
                _ = bench.answers(.setTarget(.power(watts: watts)))
            }
        }
        let times = sent.values.sorted()
        #expect(times.count == 5)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= TrainerState.spacing })
        #expect(bench.happens(.wanted(nil)) == [.write(.setTarget(.grade(percent: 0)))])
    }

    @Test func `a late report of an earlier target is not the rider's choice`() {
        var bench = Bench.holding(200)
        _ = bench.happens(.wanted(.power(watts: 230)))
        _ = bench.answers(.setTarget(.power(watts: 230)))
        #expect(bench.happens(.reported(.targetChanged(watts: 200))) == [])
        #expect(bench.happens(.reported(.targetChanged(watts: 230))) == [])
        let choice = TrainerState.Event.reported(.targetChanged(watts: 200))
        #expect(bench.happens(choice, after: .seconds(6)) == [.report(.riderChose(watts: 200))])
    }

    @Test func `at the end the machine is reset after it answered`() {
        var bench = Bench.holding(200)
        #expect(bench.happens(.wanted(nil)) == [.write(.setTarget(.grade(percent: 0)))])
        #expect(bench.happens(.ending) == [])
        #expect(!bench.state.isOver)
        #expect(bench.answers(.setTarget(.grade(percent: 0))) == [.report(.free), .write(.reset)])
        #expect(!bench.state.isOver)
        _ = bench.answers(.reset)
        #expect(bench.state.isOver)
    }

    @Test func `a machine that was never controlled is not reset`() {
        var bench = Bench()
        _ = bench.happens(.linked(FitnessMachineAbilities(takesPower: false, takesGrade: true)))
        _ = bench.happens(.wanted(.power(watts: 200)))
        #expect(bench.happens(.ending) == [])
        #expect(bench.state.isOver)
    }

    @Test func `a target out of range becomes the nearest possible one`() {
        var bench = Bench.holding(200)
        #expect(bench.happens(.wanted(.power(watts: 900))) == [.write(.setTarget(.power(watts: 400)))])
        _ = bench.answers(.setTarget(.power(watts: 400)))
        #expect(bench.happens(.wanted(.power(watts: 950))) == [])
    }

    @Test func `free riding has no brake`() {
        var bench = Bench.holding(200)
        #expect(bench.happens(.wanted(nil)) == [.write(.setTarget(.grade(percent: 0)))])
        #expect(bench.answers(.setTarget(.grade(percent: 0))) == [.report(.free)])
        #expect(bench.happens(.wanted(nil)) == [])
        #expect(bench.happens(.wanted(.power(watts: 200))) == [.write(.setTarget(.power(watts: 200)))])
    }

    @Test func `a machine without gradients is reset instead, and control is requested again`() {
        var bench = Bench.holding(200, FitnessMachineAbilities(takesPower: true, takesGrade: false))
        #expect(bench.happens(.wanted(nil)) == [.write(.reset)])
        #expect(bench.answers(.reset) == [])
        #expect(bench.happens(.wanted(.power(watts: 150))) == [.write(.requestControl)])
    }

    @Test func `after a lost link all commands are sent again`() {
        var bench = Bench.holding(200)
        _ = bench.happens(.wanted(.power(watts: 230)))
        // The answer never came.
        #expect(bench.happens(.linked(Self.bike)) == [.write(.requestControl)])
        _ = bench.answers(.requestControl)
        #expect(bench.answers(.startOrResume) == [.write(.setTarget(.power(watts: 230)))])
    }

    @Test func `a missing mode is reported once`() {
        var bench = Bench()
        _ = bench.happens(.linked(FitnessMachineAbilities(takesPower: false, takesGrade: true)))
        #expect(bench.happens(.wanted(.power(watts: 200))) == [.report(.cannot(.power(watts: 200)))])
        #expect(bench.happens(.wanted(.power(watts: 210))) == [])
        #expect(bench.happens(.wanted(.grade(percent: 2))) == [.write(.requestControl)])
    }

    @Test func `a refused target is not sent again, but the next one is`() {
        var bench = Bench.holding(200)
        _ = bench.happens(.wanted(.power(watts: 390)))
        let refused = FitnessMachineTarget.power(watts: 390)
        #expect(bench.answers(.setTarget(refused), .invalidParameter) == [.report(.refuses(refused))])
        #expect(bench.happens(.wanted(refused)) == [])
        let next = TrainerState.Event.wanted(.power(watts: 220))
        #expect(bench.happens(next, after: .seconds(1)) == [.write(.setTarget(.power(watts: 220)))])
    }

    @Test func `a machine that refuses control is asked again later, and reported once`() {
        var bench = Bench()
        _ = bench.happens(.linked(Self.bike))
        #expect(bench.happens(.wanted(.power(watts: 200))) == [.write(.requestControl)])
        var reports = 0
        for _ in 0..<10 {
            let actions = bench.answers(.requestControl, .notPermitted)
            reports += actions.count { $0 == .report(.refusesControl) }
            if !actions.contains(.write(.requestControl)) {
                #expect(bench.happens(.timePassed, after: .seconds(1)) == [])
                #expect(bench.happens(.timePassed, after: .seconds(5)) == [.write(.requestControl)])
            }
        }
        #expect(reports == 1)
    }

    @Test func `a machine that never answers gets every command twice, and is reported once`() {
        var bench = Bench()
        var writes: [FitnessMachineCommand] = []
        var reports: [TrainerEvent] = []
        func note(_ actions: [TrainerState.Action]) {
            for action in actions {
                switch action {
                case .write(let command): writes.append(command)
                case .report(let event): reports.append(event)
                }
            }
        }
        note(bench.happens(.wanted(.power(watts: 200))))
        note(bench.happens(.linked(Self.bike)))
        for _ in 0..<10 { note(bench.happens(.timePassed, after: .seconds(4))) }
        let target = FitnessMachineCommand.setTarget(.power(watts: 200))
        #expect(writes == [.requestControl, .requestControl, .startOrResume, .startOrResume, target, target])
        #expect(reports == [.doesNotAnswer, .holds(.power(watts: 200))])
    }

    @Test func `a failed write is retried after a pause`() {
        var bench = Bench.holding(200)
        _ = bench.happens(.wanted(.power(watts: 210)))
        #expect(bench.happens(.writeFailed) == [])
        #expect(bench.happens(.timePassed, after: .seconds(1)) == [])
        #expect(bench.happens(.timePassed, after: .seconds(5)) == [.write(.setTarget(.power(watts: 210)))])
    }

    @Test func `the rider's choice at the machine counts`() {
        var bench = Bench.holding(200)
        // The machine reports every change, including ours.
        #expect(bench.happens(.reported(.targetChanged(watts: 200))) == [])
        #expect(bench.happens(.reported(.targetChanged(watts: 240))) == [.report(.riderChose(watts: 240))])
        #expect(bench.happens(.wanted(.power(watts: 240))) == [])
        #expect(bench.happens(.reported(.stoppedByRider)) == [.report(.riderStopped)])
        #expect(bench.happens(.timePassed, after: .seconds(60)) == [])
        #expect(bench.happens(.wanted(.power(watts: 240))) == [.write(.startOrResume)])
    }

    @Test func `another program that takes control keeps it`() {
        var bench = Bench.holding(200)
        #expect(bench.happens(.reported(.controlLost)) == [.report(.controlLost)])
        #expect(bench.happens(.timePassed, after: .seconds(60)) == [])
        #expect(bench.happens(.wanted(.power(watts: 200))) == [.write(.requestControl)])
    }

    @Test(arguments: 0..<UInt64(20))
    func `at most one command is in flight, and the trainer ends at the last target`(_ seed: UInt64) {
        var random = Seeded(state: seed &+ 1)
        var bench = Bench()
        var onWay: FitnessMachineCommand?
        func note(_ actions: [TrainerState.Action]) {
            for case .write(let command) in actions {
                #expect(onWay == nil)
                onWay = command
            }
        }
        note(bench.happens(.linked(Self.bike)))
        for _ in 0..<500 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: note(bench.happens(.wanted(.power(watts: Int.random(in: 50...400, using: &random)))))
            case 2: note(bench.happens(.wanted(nil)))
            case 3:
                onWay = nil
                note(bench.happens(.linked(Self.bike)))
            case 4:
                let results: [FitnessMachineResponse.Result] = [.success, .notPermitted, .failed, .invalidParameter]
                guard let command = onWay else { continue }
                onWay = nil
                note(bench.answers(command, results.randomElement(using: &random) ?? .success))
            case 5:
                if onWay != nil {
                    onWay = nil
                    note(bench.happens(.writeFailed))
                }
            case 6:
                if let due = bench.state.deadline, bench.now + .seconds(10) >= due { onWay = nil }
                note(bench.happens(.timePassed, after: .seconds(10)))
            default: note(bench.happens(.reported(.pausedByRider)))
            }
        }
        onWay = nil
        note(bench.happens(.linked(Self.bike)))
        note(bench.happens(.wanted(.power(watts: 123))))
        var held = false
        for _ in 0..<10 {
            note(bench.happens(.timePassed, after: TrainerState.spacing))
            guard let command = onWay else { break }
            onWay = nil
            let actions = bench.answers(command)
            held = held || actions.contains(.report(.holds(.power(watts: 123))))
            note(actions)
        }
        #expect(held)
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 31
        }
    }
}

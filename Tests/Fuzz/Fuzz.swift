import ANT
import Bluetooth
import Foundation
import GATT
import Recordings
import SessionLog

/// Feeds everything that takes bytes from outside to libFuzzer. `FUZZ_TARGET` names the target, one of `FuzzTarget`;
/// the arguments are libFuzzer's.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { start, count in
                chosen.feed(Array(UnsafeBufferPointer(start: start, count: count)))
                return 0
            })
    }
}

/// libFuzzer's loop, for programs with their own main function (LLVM, "libFuzzer", Using libFuzzer as a library).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        FileHandle.standardError.write(Data("FUZZ_TARGET is '\(name)'; it must be one of \(names)\n".utf8))
        exit(64)
    }
    return target
}()

enum FuzzTarget: String, CaseIterable {
    case ant, characteristics, att, capture, fit, log, table, tracks, mirror

    func feed(_ bytes: [UInt8]) {
        switch self {
        case .ant: Self.feedStick(bytes)
        case .characteristics: Self.feedCharacteristics(bytes)
        case .att: Self.feedClient(bytes)
        case .capture: Self.feedCapture(bytes)
        case .fit: if let all = try? FITFile.read(bytes: bytes) { Self.check(all) }
        case .log: Self.feedLog(bytes)
        case .tracks: Self.feedTracks(bytes)
        case .table: Self.feedTable(bytes)
        case .mirror: MirrorFuzz.feed(bytes)
        }
    }

    /// Packets of one sensor, each a length and that many bytes.
    private static func packets(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var rest = bytes[...]
        var packets: [ArraySlice<UInt8>] = []
        while let length = rest.popFirst() {
            packets.append(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
        }
        return packets
    }

    private static func feedCharacteristics(_ bytes: [UInt8]) {
        var wheel = WheelOdometer()
        var powerWheel = WheelOdometer(ticksPerSecond: CyclingPowerMeasurement.wheelTicksPerSecond)
        var cadence = CrankCadence()
        var odometer = RunningOdometer()
        var information = DeviceInformation()
        var date = Date(timeIntervalSinceReferenceDate: 0)
        for packet in packets(bytes) {
            date.addTimeInterval(Double(packet.first ?? 0) / 4)
            if let measurement = HeartRateMeasurement(packet) { precondition(measurement.rrIntervals.count <= 127) }
            _ = BatteryLevel(packet)
            _ = BodySensorLocation(packet)
            _ = TreadmillData(packet)
            _ = CrossTrainerData(packet)
            _ = RowerData(packet)
            if let bike = IndoorBikeData(packet), !bike.isCut { precondition(IndoorBikeData(bike.bytes) == bike) }
            feedControl(Array(packet))
            for uuid in BluetoothUUID.vitalSigns { _ = VitalSigns(Array(packet), of: uuid) }
            information.update(with: packet, from: DeviceInformation.Field.modelNumber.uuid)
            if let running = RunningSpeedCadenceMeasurement(packet), let meters = odometer.add(running, at: date) {
                precondition(meters >= 0 && meters < 10_000)
            }
            let cycling = CyclingSpeedCadenceMeasurement(packet)
            if let motion = cycling?.wheel.flatMap({ wheel.add($0, at: date) }) { check(motion) }
            if let turns = cycling?.crank.flatMap({ cadence.add($0, at: date) }) {
                precondition(turns >= 0 && turns <= CrankCadence.maximumTurnsPerMinute)
            }
            if let motion = CyclingPowerMeasurement(packet)?.wheel.flatMap({ powerWheel.add($0, at: date) }) {
                check(motion)
            }
        }
    }

    /// Requests to trainers and Polar's sensors, and their answers.
    private static func feedControl(_ bytes: [UInt8]) {
        if let command = FitnessMachineCommand(bytes) { _ = FitnessMachineCommand(command.bytes) }
        if let answer = FitnessMachineResponse(bytes) { precondition(FitnessMachineResponse(answer.bytes) == answer) }
        if let status = FitnessMachineStatus(bytes) { precondition(FitnessMachineStatus(status.bytes) == status) }
        _ = FitnessMachineAbilities(feature: bytes, powerRange: bytes)
        if let command = PolarCommand(bytes) { precondition(PolarCommand(command.bytes) == command) }
        if let answer = PolarResponse(bytes) { precondition(PolarResponse(answer.bytes) == answer) }
        switch PolarFrame(bytes)?.content {
        case .acceleration(let values): precondition(values.count % 3 == 0)
        case .pulses(let pulses): precondition(pulses.allSatisfy { (0...0xFFFF).contains($0.intervalInMilliseconds) })
        case .voltages, nil: break
        }
    }

    /// What a stick sends, in pieces: its state, and the pages of its sensors.
    private static func feedStick(_ bytes: [UInt8]) {
        var reader = ANTMessageReader()
        var stick = ANTStickState()
        var decoders = Dictionary(
            uniqueKeysWithValues: ANTDeviceKind.allCases.map { ($0, ANTPageDecoder(ANTDeviceID($0, number: 1))) })
        var now = Duration.zero
        _ = stick.restart(at: now)
        for packet in packets(bytes) {
            now += .milliseconds(Int(packet.first ?? 0) * 20)
            let devices = ANTDeviceKind.allCases.map { ANTDeviceID($0, number: UInt16(packet.count)) }
            let device = devices[Int(packet.last ?? 0) % devices.count]
            switch packet.count % 5 {
            case 0: _ = stick.open(device, at: now)
            case 1: _ = stick.close(device, at: now)
            case 2: _ = stick.scan(at: now)
            case 3: _ = stick.endScan(at: now)
            default: break
            }
            for message in reader.read(packet) {
                if stick.received(message, at: now).contains(.resetDevice) { _ = stick.restart(at: now) }
                for kind in ANTDeviceKind.allCases {
                    check(decoders[kind]?.read(Array(message.content.prefix(8)), at: now) ?? [])
                }
            }
            // Also pages without a message around them, because a fuzzer rarely completes one.
            for kind in ANTDeviceKind.allCases { check(decoders[kind]?.read(Array(packet.prefix(8)), at: now) ?? []) }
            if stick.timePassed(at: now).contains(.resetDevice) { _ = stick.restart(at: now) }
            precondition(reader.waitingCount < 80)
        }
    }

    private static func check(_ outputs: [ANTPageDecoder.Output]) {
        for output in outputs {
            switch output {
            case .measurement(let uuid, let bytes): precondition(SensorMeasurement(uuid, bytes) != nil)
            case .battery(let percent): precondition((0...100).contains(percent))
            case .information(_, let text): precondition(!text.isEmpty)
            }
        }
    }

    private static func check(_ motion: WheelOdometer.Motion) {
        precondition(motion.distanceInMeters >= 0 && motion.distanceInMeters < 10_000)
        precondition(
            motion.speedInMetersPerSecond.map { (0...WheelOdometer.maximumMetersPerSecond).contains($0) } ?? true)
    }

    /// Messages of a device. A length of 255 sends a request, 254 lets time pass.
    private static func feedClient(_ bytes: [UInt8]) {
        var client = ATTClient()
        var now = Duration.zero
        let date = Date(timeIntervalSinceReferenceDate: 0)
        _ = client.start(at: now)
        var rest = bytes[...]
        var operation = 0
        while let length = rest.popFirst() {
            switch length {
            case 255:
                operation += 1
                let handle = UInt16(rest.popFirst() ?? 0)
                let requests: [ATTClient.Request] = [.subscribe(handle), .read(handle), .write(handle, [1])]
                _ = client.submit(requests[operation % 3], operation: operation, at: now)
            case 254:
                now += .seconds(1)
                _ = client.check(at: now)
            default:
                let actions = client.receive(rest.prefix(Int(length)), at: now, date: date)
                precondition(actions.count < 200 + operation)
                rest = rest.dropFirst(Int(length))
            }
        }
        precondition(client.characteristics.count <= 512)
    }

    private static func feedCapture(_ bytes: [UInt8]) {
        let formats: [any RecordingFormat] = [CaptureFormat.btsnoop, CaptureFormat.pcapng, CaptureFormat.pcap]
        guard let all = try? RecordingFile.readAll(RecordingSource(path: "fuzz", bytes: bytes), formats: formats) else {
            return
        }
        // In the order of the file, because a capture's timestamps may step back.
        for recording in all {
            for entry in recording.entries { precondition(entry.date.timeIntervalSince1970.isFinite) }
        }
    }

    /// TCX or GPX.
    private static func feedTracks(_ bytes: [UInt8]) {
        let source = RecordingSource(path: "fuzz", bytes: bytes)
        guard let all = try? RecordingFile.readAll(source, formats: [TCXFormat(), GPXFormat()]) else { return }
        let count = check(all)
        precondition(count <= bytes.count + 8)
    }

    /// Everything that is read from text, and what is made of it.
    private static func feedTable(_ bytes: [UInt8]) {
        let source = RecordingSource(path: "fuzz", bytes: bytes)
        let formats: [any RecordingFormat] = [PolarFlowFormat(), PolarHRMFormat(), RRIntervalFormat(), CSVFormat()]
        for format in formats where format.recognizes(FileStart(bytes)) {
            if let all = try? format.read(source) { check(all) }
        }
    }

    /// Reads the entries of a surveyed file, which must be in order of time. Returns their number.
    @discardableResult
    private static func check(_ recordings: [Recording]) -> Int {
        var count = 0
        for recording in recordings {
            var last = Date.distantPast
            for entry in recording.entries {
                precondition(entry.date >= last)
                last = entry.date
                count += 1
            }
            precondition(recording.entries.failure == nil)
        }
        return count
    }

    private static func feedLog(_ bytes: [UInt8]) {
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        let half = bytes.count / 2
        do {
            try decoder.decode(Array(bytes[..<half]), into: &entries)
            try decoder.decode(Array(bytes[half...]), into: &entries)
            try decoder.finish(into: &entries)
        } catch {
            return
        }
        precondition(entries.count <= bytes.count)
    }
}

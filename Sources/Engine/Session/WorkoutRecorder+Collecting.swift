import Dispatch
import Foundation
package import SessionLog
import Synchronization

/// Whether the current task reads a recording or a simulation, which sleeps until its next entry is due.
package enum PacedReading {
    @TaskLocal package static var isCurrent = false
}

/// The readings of sensors.
extension WorkoutRecorder {
    /// Starts the session's clock, and reading of every sensor. Once, when the session runs and the builder collects.
    package func startSensors() {
        guard !areSensorsStarted, isCollecting, let start = read({ $0.startDate }), read({ $0.phase.isActive })
        else { return }
        areSensorsStarted = true
        let now = time.now()
        withTimeline { $0.clockStarted(wall: now) }
        run(sensorTasks.isEmpty ? sensors : sensors.filter { $0.pace != .wall }, from: start)
    }

    /// Starts the sensors of a session whose builder the app did not request: as on a watch, they measure anyway.
    ///
    /// - Parameter isRecovered: The app has just got the session, and may be about to ask for its builder.
    package func startSensorsAlone(isRecovered: Bool = false) {
        guard measuresAlone, !areSensorsStarted else { return }
        if !isRecovered, sensors.allSatisfy({ $0.pace == .wall }) { return runAlone() }
        // A recording that has begun does not begin again.
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.askingInterval) { [weak self] in
            self?.enqueue { $0.runAlone() }
        }
    }

    private static var askingInterval: DispatchTimeInterval { .milliseconds(250) }

    private func runAlone() {
        guard measuresAlone, !areSensorsStarted, let start = read({ $0.startDate }) else { return }
        areSensorsStarted = true
        let now = time.now()
        withTimeline { $0.clockStarted(wall: now) }
        run(sensorTasks.isEmpty ? sensors : sensors.filter { $0.pace != .wall }, from: start)
    }

    /// Notes that the session runs without a collector of its readings.
    private var measuresAlone: Bool {
        !isBuilderAskedFor.load(ordering: .relaxed) && read { $0.collection == .notBegun && $0.phase.isActive }
    }

    /// Connects the sensors that live on wall time before a prepared session begins. A recording begins with it.
    package func readySensors() {
        guard sensorTasks.isEmpty, !areSensorsStarted, read({ $0.phase == .prepared }) else { return }
        run(sensors.filter { $0.pace == .wall }, from: time.now())
    }

    private func run(_ sensors: [any Sensor], from start: Date) {
        let queue = QueueExecutor.Tasks(executor)
        sensorTasks += sensors.map { sensor in
            let isPaced = sensor.pace != .wall
            if isPaced { pacedReadings.add(1, ordering: .relaxed) }
            return Task(executorPreference: queue) {
                await PacedReading.$isCurrent.withValue(isPaced) { await self.run(sensor, from: start) }
                if isPaced { self.pacedReadings.subtract(1, ordering: .relaxed) }
            }
        }
    }

    /// Before the start, the statuses of sensors are kept and the pulse is shown. Nothing is collected.
    private func note(_ batch: [SessionEntry]) {
        for entry in batch {
            switch entry.content {
            case .sensor: append(entry)
            case .quantity(let reading): if reading.isHeartRate { notePulse(reading) }
            default: break
            }
        }
    }

    func stopSensors() {
        for task in sensorTasks { task.cancel() }
    }

    /// For a session that is released, and for its builder, which may outlive it. An app with the builder can still
    /// finish the workout, and other machines should be notified of that.
    package nonisolated func abandon() {
        enqueue {
            guard $0.session == nil else { return }
            $0.stopSensors()
            if $0.builder == nil { $0.mirroring?.abandon() }
        }
    }

    private func run(_ sensor: some Sensor, from start: Date) async {
        do {
            var batches = sensor.batches(from: start, time: time).makeAsyncIterator()
            while true {
                let batch = try await batches.next(isolation: self)
                // First performs the calls that the app made meanwhile: those from its callbacks, and those before this batch
                // arrived. A batch that was already there is read without leaving the queue.
                await turn()
                guard let batch else { break }
                collect(batch)
                if read({ $0.phase.isOver }) { break }
            }
            await recordingEnded(sensor)
        } catch is CancellationError {
            return
        } catch {
            session?.notify(
                .failed(
                    SessionError(.dataUnavailable, "A sensor of the workout session failed.", cause: error)))
        }
    }

    /// Processes the entries of one instant. Notifies the builder once.
    package func collect(_ batch: [SessionEntry]) {
        if read({ $0.phase == .prepared }) { return note(batch) }
        guard read({ $0.phase.isActive }) else { return }
        var collected = PendingTypes()
        for entry in batch { collect(entry, &collected) }
        collected.notify(builder)
    }

    private func collect(_ entry: SessionEntry, _ collected: inout PendingTypes) {
        switch entry.content {
        case .quantity(let reading):
            // A clock that was set back between two readings makes an end before a start, which a log cannot represent.
            guard reading.start <= reading.end else { return }
            guard isCollecting, let dataSource else { return measure(reading) }
            guard dataSource.collects(reading) else { return }
            switch read({ $0.pausing.share(of: reading) }) {
            case .all: collect(reading, entry, &collected)
            case .nothing: if reading.isHeartRate { notePulse(reading) }
            case .parts(let parts):
                for part in parts { collect(part, SessionEntry(part.end, .quantity(part)), &collected) }
            }
        case .beats, .waveform:
            if isCollecting, read({ $0.pausing.counts(entry.date) }) { append(entry) }
        case .position(let position):
            if isCollecting, position.isAdded || read({ $0.pausing.counts(entry.date) }) { append(entry) }
        case .category, .object:
            guard isCollecting else { return }
            append(entry)
            collected.note(entry.content)
        case .sensor, .metadata, .notification, .routeDiscarded, .zones:
            append(entry)
        case .event(var event):
            // Even if an app added it to the recorded session, the present app did not.
            event.isAdded = false
            if event.kind == .lap, let added = endOfAddedLap { event.start = min(max(event.start, added), event.end) }
            collected.notify(builder)
            append(.event(event), at: entry.date)
            notify(event)
        case .state(let next):
            collected.notify(builder)
            replay(next, at: entry.date)
        case .activityBegan(let record):
            collected.notify(builder)
            begin(record, at: entry.date)
        case .activityEnded:
            collected.notify(builder)
            endOpenActivity(at: entry.date)
        case .activityMetadata:
            append(entry)
        case .header, .collection, .wearer, .remoteData, .companion, .clockSet:
            break  // The new session has its own.
        }
    }

    private func collect(_ reading: QuantityReading, _ entry: SessionEntry, _ collected: inout PendingTypes) {
        append(entry)
        collected.note(entry.content)
        if let change = zoneChange(reading) { collected.note(change) }
        if reading.isHeartRate { estimateEnergy(from: reading, &collected) }
        // A sensor measures it: an estimate besides would count it twice.
        if energy != nil, reading.type == "activeEnergyBurned" { energy = nil }
    }

    /// A recorded lap begins at the end of a lap that was added during the replay, because laps do not overlap.
    private var endOfAddedLap: Date? {
        read { state in state.events.last { $0.kind == .lap && $0.isAdded }?.end }
    }

    /// Keeps a reading that no workout collects: the session has no builder, or its builder no data source.
    private func measure(_ reading: QuantityReading) {
        guard isCollecting || read({ $0.collection == .notBegun }) else { return }
        live?.measured(reading)
        guard reading.isHeartRate, read({ $0.phase == .running }) else { return }
        for estimate in energy?.add(reading.value, at: reading.start) ?? [] { live?.measured(estimate) }
    }

    var isCollecting: Bool {
        read { if case .collecting = $0.collection { true } else { false } }
    }

    /// A change of state in a recording happens again. Its start was the app's to make.
    private func replay(_ next: SessionPhase, at date: Date) {
        switch next {
        case .paused, .stopped: change(to: next, at: date)
        case .running where read({ $0.phase == .paused }): change(to: .running, at: date)
        case .running, .notStarted, .prepared, .ended: break
        }
    }

    private func estimateEnergy(from reading: QuantityReading, _ collected: inout PendingTypes) {
        guard energy != nil, read({ $0.phase == .running }) else { return }
        for estimate in energy?.add(reading.value, at: reading.start) ?? []
        where dataSource?.collects(estimate) ?? false {
            let entry = SessionEntry(estimate.end, .quantity(estimate))
            append(entry)
            collected.note(entry.content)
        }
    }

    // MARK: The end of a recording

    /// How long an app has, after a recording has ended, to begin finishing the workout itself.
    static var finishingInSeconds: TimeInterval { 2 }

    /// Ends a finished recording: nobody presses a button, so the session stops, and ends once the app has finished the
    /// workout or does not begin to. Apps that finish when the session has stopped, and apps that end the session and
    /// finish after it has ended, both get their workout.
    private func recordingEnded(_ sensor: some Sensor) async {
        guard sensor.pace != .wall else { return }
        let last = log.lastDate ?? now
        change(to: .stopped, at: last)
        guard read({ $0.phase == .stopped }) else { return }
        try? await time.sleep(until: time.now().addingTimeInterval(Self.finishingInSeconds))
        if read({ $0.collectionEnd == nil && $0.collection != .discarded }) { end() }
    }
}

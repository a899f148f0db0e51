import Engine
import Mirroring
import Synchronization

/// Handles other machines' requests to start an app on this one.
///
/// If an app in this process has set ``HKHealthStore/workoutConfigurationHandler``, it gets the workout. Otherwise the registered
/// app is started, and the workout waits for it.
final class AppLaunches: Sendable {
    private let launcher = AppLauncher(DeliveryFolders(variables: ProcessInfo.processInfo.environment))
    private let queue = DispatchQueue(label: "HealthKit.AppLaunches")
    private let state = Mutex(State())

    /// The limit of requests whose answer was not delivered yet.
    private static let mostChannels = 16

    private struct State {
        var handlers: [(owner: any AnyObject & Sendable, handler: @Sendable (HKWorkoutConfiguration) -> Void)] = []
        var channels: [MirrorChannel] = []
    }

    func handler(of owner: any AnyObject & Sendable) -> (@Sendable (HKWorkoutConfiguration) -> Void)? {
        state.withLock { state in state.handlers.first { $0.owner === owner }?.handler }
    }

    func setHandler(
        _ handler: (@Sendable (HKWorkoutConfiguration) -> Void)?, of owner: any AnyObject & Sendable
    ) {
        state.withLock { state in
            state.handlers.removeAll { $0.owner === owner }
            if let handler { state.handlers.append((owner, handler)) }
        }
    }

    // MARK: Requests

    /// Called on the network thread.
    func answer(_ request: AppLaunchRequest, _ offer: MirrorOffer, _ apps: CompanionApps?) -> MirrorAnswer {
        let channel = MirrorChannel(
            id: offer.channel,
            delivery: .on(queue) { [weak self] event in
                switch event {
                case .delivered, .ended, .closed: self?.forget(offer.channel)
                case .connected, .began, .entries, .acknowledged, .disconnected, .waiting: break
                }
            })
        let oldest = state.withLock { state in
            state.channels.append(channel)
            return state.channels.count > Self.mostChannels ? state.channels.removeFirst() : nil
        }
        oldest?.close()
        queue.async { [self] in
            channel.append(AppLaunchResponse(refusal: refusal(of: request, apps)).bytes)
            channel.finish()
        }
        return .accept(channel)
    }

    private func forget(_ channel: UUID) {
        state.withLock { $0.channels.removeAll { $0.id == channel } }
    }

    /// Starts the app, or gives it the workout. Returns why it could not.
    private func refusal(of request: AppLaunchRequest, _ apps: CompanionApps?) -> String? {
        do {
            let configuration = try request.configuration
            let handlers = state.withLock { $0.handlers.map(\.handler) }
            if handlers.isEmpty {
                try start(request, apps)
            } else {
                for handler in handlers { handler(configuration) }
            }
            return nil
        } catch let error as SampleError {
            return error.description
        } catch {
            return Companions.sentence(error)
        }
    }

    private func start(_ request: AppLaunchRequest, _ apps: CompanionApps?) throws {
        let registered = apps?.registered() ?? []
        guard let apps, let app = CompanionApps.app(for: request.startAppFor, among: registered) else {
            let names = registered.map(\.bundleIdentifier).joined(separator: ", ")
            throw DeliveryError.failed(
                "no app of that machine goes with \(request.startAppFor)"
                    + (names.isEmpty
                        ? ": run the app there once, so that it sets workoutConfigurationHandler and is known"
                        : " (it has \(names)): give both the same HEALTHKIT_BUNDLE_ID"))
        }
        guard !launcher.isRunning(app.bundleIdentifier) else {
            throw DeliveryError.failed(
                "\(app.bundleIdentifier) is already running there: quit it, or let it listen itself")
        }
        try apps.leave(request, for: app.bundleIdentifier, at: Date())
        do {
            _ = try launcher.start(app)
        } catch {
            _ = apps.claim(for: app.bundleIdentifier, at: Date())
            throw error
        }
    }
}

extension Companions {
    /// The apps that registered here. Nil if there is no folder for them.
    var apps: CompanionApps? { settings.folder.map(CompanionApps.init) }

    /// Registers this process's app, gives it the workout that waits for it, and starts listening for others. Nil
    /// removes the handler.
    func setConfigurationHandler(
        _ handler: (@Sendable (HKWorkoutConfiguration) -> Void)?, of owner: any AnyObject & Sendable, in app: HKSource
    ) {
        appStarts.setHandler(handler, of: owner)
        guard let handler else { return }
        do {
            try apps?.register(.running(as: app))
        } catch {
            notify(Self.sentence(error))
        }
        // The process that started this app for a workout already listens.
        guard let request = apps?.claim(for: app.bundleIdentifier, at: Date()) else { return listenWherePaired() }
        DispatchQueue.global().async {
            do { handler(try request.configuration) } catch { self.notify(Self.sentence(HKError.wrapping(error))) }
        }
    }

    /// Asks the companions, one after the other, until one has started its app.
    func startApp(_ request: AppLaunchRequest, time: any TimeSource) async throws {
        let what = "No app was started on another machine"
        let addresses = try addresses(for: what)
        let host = try host()
        var reasons: [String] = []
        for address in addresses {
            guard let reason = await refusal(of: request, address, host, time) else { return }
            reasons.append("\(address.address): \(reason)")
        }
        throw HKError.make(
            .errorHealthDataUnavailable,
            "\(what): \(reasons.joined(separator: "; ")). Check that 'workout mirror listen' or the app itself runs there, and "
                + "that the machines are paired.")
    }

    /// The time limit for one machine.
    static let longestAnswerInSeconds: TimeInterval = 10

    private func refusal(
        of request: AppLaunchRequest, _ address: CompanionAddress, _ host: MirrorHost, _ time: any TimeSource
    ) async -> String? {
        let (channel, events) = MirrorChannel.withEvents(greeting: { _ in request.bytes })
        channel.connect(to: address.address, expecting: address.fingerprint, through: host)
        let limit = Task {
            try await time.sleep(until: time.now() + Self.longestAnswerInSeconds)
            channel.close()
        }
        defer {
            limit.cancel()
            channel.close()
        }
        var reason = "nothing answered within \(Int(Self.longestAnswerInSeconds)) s"
        for await event in events {
            switch event {
            case .entries(_, let entries, _):
                guard let answer = entries.first.flatMap(AppLaunchResponse.init) else {
                    return "it gave an answer of another version"
                }
                return answer.refusal
            case .waiting(_, let why), .disconnected(_, let why): reason = why
            case .closed(_, .declined): return "it does not know this request; install the same version there"
            case .closed(_, let closure): return closure.sentence
            case .connected, .began, .acknowledged, .ended, .delivered: break
            }
        }
        return reason
    }
}

// A view model that combines the values of several publishers.

import Combine
import Foundation
import HealthKit

final class HeartRateModel: ObservableObject {
    enum Zone: Int { case easy, steady, hard }

    @Published var heartRate = 0
    @Published var maximum = 190
    @Published private(set) var zone: Zone = .easy
    let events = PassthroughSubject<HKWorkoutEventType, Never>()
    let state = CurrentValueSubject<HKWorkoutSessionState, Never>(.notStarted)
    private var cancellables = Set<AnyCancellable>()
    private var timer: Cancellable?
    @Combine.Published var ticks = 0

    init() {
        Publishers.CombineLatest($heartRate, $maximum)
            .map { rate, maximum in
                switch Double(rate) / Double(maximum) {
                case ..<0.7: Zone.easy
                case ..<0.85: Zone.steady
                default: Zone.hard
                }
            }
            .removeDuplicates()
            .assign(to: &$zone)
        events.merge(with: state.filter { $0 == .paused }.map { _ in HKWorkoutEventType.pause })
            .throttle(for: .seconds(1), scheduler: DispatchQueue.main, latest: true)
            .receive(on: RunLoop.main)
            .sink { [weak self] _ in self?.objectWillChange.send() }
            .store(in: &cancellables)
        NotificationCenter.default.publisher(for: .NSCalendarDayChanged)
            .sink { _ in }
            .store(in: &cancellables)
    }

    func start() {
        timer = Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { [weak self] _ in self?.ticks += 1 }
    }

    func authorize(_ store: HKHealthStore) -> AnyPublisher<Bool, Error> {
        Future { promise in
            store.requestAuthorization(toShare: [], read: [HKQuantityType(.heartRate)]) { success, error in
                if let error { promise(.failure(error)) } else { promise(.success(success)) }
            }
        }
        .eraseToAnyPublisher()
    }
}

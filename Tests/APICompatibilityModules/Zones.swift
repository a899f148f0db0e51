// Code without views that uses names from SwiftUI. SwiftUI re-exports Foundation, Combine, Observation and WatchKit,
// as on a watch.

import SwiftUI

enum Zone: Int, CaseIterable {
    case easy = 1
    case steady, hard

    var color: Color {
        switch self {
        case .easy: .green
        case .steady: Color(red: 1, green: 0.5, blue: 0).opacity(0.5)
        case .hard: Color("hard")
        }
    }

    var symbol: Image { Image(systemName: "heart.fill") }
    var title: LocalizedStringKey { "zone \(rawValue)" }
}

private struct ZoneKey: EnvironmentKey { static let defaultValue = Zone.easy }

extension EnvironmentValues {
    var zone: Zone {
        get { self[ZoneKey.self] }
        set { self[ZoneKey.self] = newValue }
    }
}

extension Color {
    init(hex: UInt32) {
        self.init(
            .sRGB, red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255,
            blue: Double(hex & 0xFF) / 255, opacity: 1)
    }
}

@MainActor
final class Settings: ObservableObject {
    static let defaults = UserDefaults(suiteName: "Settings-\(UUID().uuidString)")!

    @AppStorage("zone", store: defaults) var zone = Zone.easy.rawValue
    @AppStorage("name", store: defaults) var name: String?
    @AppStorage("unit", store: defaults) var unit = Unit.metric
    @Published var path = NavigationPath()

    enum Unit: String { case metric, imperial }

    func choose(_ zone: Zone) {
        withAnimation(.easeInOut(duration: 0.2)) { self.zone = zone.rawValue }
        WKInterfaceDevice.current().play(.click)
    }

    func phaseChanged(_ phase: ScenePhase) -> Bool { phase == .active }
}

final class SceneDelegate: NSObject, WKApplicationDelegate {
    @ObservedObject var settings: Settings

    init(settings: Settings) { self.settings = settings }

    @MainActor var zone: Binding<Int> { $settings.zone }
}

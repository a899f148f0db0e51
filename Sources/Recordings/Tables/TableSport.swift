/// The activities of HealthKit for the words of people and services.
enum TableSport {
    /// Returns nil for unknown words.
    static func activity(_ text: String) -> String? {
        let letters = text.lowercased().filter(\.isLetter)
        if letters.isEmpty { return nil }
        for (activity, words) in words where words.split(separator: " ").contains(where: { letters.contains($0) }) {
            return activity
        }
        return nil
    }

    /// The first word in the text decides: treadmill running is running, and cross-country skiing is not downhill
    /// skiing.
    private static let words: [(String, String)] = [
        ("handCycling", "handcycl handbike"),
        ("cycling", "cycling biking bike ride radfahren rad vélo velo ciclismo fahrrad spinning"),
        ("running", "running run laufen jogging treadmill courseàpied course correr corsa trailrun hardlopen"),
        ("hiking", "hiking hike wandern trekking randonnée randonnee"),
        ("walking", "walking walk gehen marche caminar camminata wandelen"),
        ("swimming", "swimming swim schwimmen natation nadar nuoto zwemmen"),
        ("crossCountrySkiing", "crosscountryski nordicski langlauf xcski"),
        ("downhillSkiing", "downhill alpineski ski"),
        ("snowboarding", "snowboard"),
        ("rowing", "rowing rudern aviron row"),
        ("paddleSports", "kayak canoe paddl kajak"),
        ("elliptical", "elliptical crosstrainer"),
        ("traditionalStrengthTraining", "strength weight krafttraining"),
        ("yoga", "yoga"), ("pilates", "pilates"),
        ("highIntensityIntervalTraining", "hiit highintensity"),
        ("skatingSports", "skating skate"),
        ("soccer", "soccer football fußball"), ("tennis", "tennis"),
    ]
}

import Foundation

extension RecordingSummary {
    /// The name of a column that was not read although it may hold heart rates.
    package var columnThatMayBeHeartRate: String? {
        let word = "the column "
        return leftOut.lazy.filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count)) }
            .first(where: TableNames.seemsHeartRate)
    }
}

/// The meanings of column names, in the spellings of watches, apps and people.
enum TableNames {
    struct Column: Equatable, Sendable {
        var meaning: TableMeaning
        /// The unit in the name. Nil if there is none, or one that does not fit the meaning.
        var unit: TableUnit?
        /// The text in the place of the unit.
        var unitText: String?
    }

    /// Returns nil for an unknown name.
    static func meaning(of name: String) -> Column? {
        // Garmin's FitCSVTool writes `record.heart_rate[bpm]`, and times as FIT counts them.
        if name.hasPrefix("record."), var column = meaning(of: String(name.dropFirst("record.".count))) {
            if column.meaning == .time { column.unit = TableUnit(factor: 1, offset: FITClock.epoch) }
            return column
        }
        let (plain, bracketed) = parts(of: name)
        if let meaning = names[letters(plain)] {
            guard let bracketed else { return Column(meaning: meaning, unit: implied[letters(plain)]) }
            return Column(meaning: meaning, unit: TableUnit(bracketed, of: meaning), unitText: bracketed)
        }
        // heart_rate_bpm, distance_km, speed m/s
        let words = plain.split { !($0.isLetter || $0.isNumber || $0 == "/" || $0 == "%") }
        for count in [1, 2] where words.count > count {
            let unit = words.suffix(count).joined(separator: "/")
            guard let meaning = names[letters(words.dropLast(count).joined())],
                let known = TableUnit(unit, of: meaning)
            else { continue }
            return Column(meaning: meaning, unit: known, unitText: unit)
        }
        return nil
    }

    /// Returns the column in which GoldenCheetah or a PowerTap numbers the intervals of a ride. In other tables, `interval` may be the
    /// time between beats, and `id` anything.
    static func interval(in names: [String]) -> Int? {
        if areOfPowerTap(names) { return names.firstIndex { $0.lowercased() == "id" } }
        let names = names.map { $0.lowercased() }
        guard names.contains("secs"), names.contains("headwind") else { return nil }
        return names.firstIndex(of: "interval")
    }

    /// Returns the activity that columns are typical of: torque is that of a bicycle's hub, and only rowers count by
    /// 500 m.
    static func activity(of names: [String]) -> String? {
        if areOfPowerTap(names) { return "cycling" }
        return names.contains { letters($0).contains("500m") } ? "rowing" : nil
    }

    private static func areOfPowerTap(_ names: [String]) -> Bool {
        names.contains { $0.lowercased().hasPrefix("torq") }
    }

    /// Returns whether the name belongs to a figure for a whole lap or workout.
    static func isSummary(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }
        guard let first = words.first, words.count > 1 else { return false }
        return ["avg", "average", "max", "maximum", "min", "minimum", "mean", "total", "best"].contains(first)
    }

    /// Returns whether an unknown name seems to mean heart rates, as `wahoo_hr` does, and not figures derived from
    /// them.
    static func seemsHeartRate(_ name: String) -> Bool {
        guard !isSummary(name) else { return false }
        let words = name.lowercased().split { !($0.isLetter || $0.isNumber) }
        let others = [
            "hrv", "zone", "zones", "rest", "resting", "reserve", "max", "min", "avg", "mean", "variability", "target",
            "percent", "confidence", "quality", "drift", "recovery", "source", "sensor",
        ]
        guard !words.contains(where: { others.contains(String($0)) }), !name.contains("%") else { return false }
        if words.contains(where: { ["hr", "bpm", "hrate", "pulse", "puls"].contains($0) }) { return true }
        let letters = letters(name)
        return letters.contains("heartrate") || letters.contains("herzfrequenz")
    }

    /// Returns whether the name is a figure of heart-rate variability, which is measured over minutes.
    static func isVariability(_ name: String) -> Bool {
        let names: Set = [
            "rmssd", "sdnn", "pnn50", "nn50", "lnrmssd", "avnn", "hrv", "lfhf", "morningreadiness", "hrvcv",
            "hrv4trecoverypoints", "meanrr",
        ]
        let letters = letters(name)
        return names.contains(letters) || names.contains { $0.count > 4 && letters.hasPrefix($0) }
    }

    private static func parts(of name: String) -> (plain: String, unit: String?) {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] as [(Character, Character)] {
            if let start = name.lastIndex(of: open), let end = name.lastIndex(of: close), start < end {
                let unit = name[name.index(after: start)..<end].trimmingCharacters(in: .whitespaces)
                return (String(name[..<start]), unit.isEmpty ? nil : unit)
            }
        }
        return (name, nil)
    }

    private static func letters(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    private static let names: [String: TableMeaning] = {
        var names: [String: TableMeaning] = [:]
        for (meaning, list) in lists {
            for name in list.split(separator: " ") { names[String(name)] = meaning }
        }
        return names
    }()

    /// Units that a name implies.
    private static let implied: [String: TableUnit] = [
        "ms": TableUnit(factor: 1e-3), "millis": TableUnit(factor: 1e-3), "milliseconds": TableUnit(factor: 1e-3),
        "positionlat": TableUnit(factor: 180 / 0x1p31), "positionlong": TableUnit(factor: 180 / 0x1p31),
        "kilojoules": TableUnit(factor: 1 / 4.184), "minutes": TableUnit(factor: 60),
        "sincestartms": TableUnit(factor: 1e-3), "timestampms": TableUnit(factor: 1e-3),
        "kmh": TableUnit(factor: 1 / 3.6), "mph": TableUnit(factor: 0.44704),
        "kph": TableUnit(factor: 1 / 3.6), "km": TableUnit(factor: 1000), "miles": TableUnit(factor: 1609.344),
    ]

    /// The names in lower case, without spaces and punctuation: English, German, French, Spanish, Italian, Dutch.
    private static let lists: [(TableMeaning, String)] = [
        (
            .quantity(.heartRate),
            "heartrate hr bpm pulse puls pulsrate pulserate herzfrequenz hf herzrate heartbeat beatsperminute hrbpm ecghr "
                + "heartratebpm fréquencecardiaque frequencecardiaque fc pouls frecuenciacardíaca frecuenciacardiaca "
                + "pulsaciones frequenzacardiaca hartslag hartfrequentie heartratevalue hrate hrheartrate"
        ),
        (
            .quantity(.rrInterval),
            "rr rri rrinterval rrintervals rrms rrs ibi ibis nn nni interbeatinterval rrintervall herzschlagabstand ppi "
                + "ppinterval rrintervalle"
        ),
        (
            .quantity(.speed),
            "speed velocity geschwindigkeit tempokmh vitesse velocidad velocità velocita snelheid enhancedspeed gpsspeed "
                + "currentspeed spd kmh kph mph spdinstspeed watchspeed"
        ),
        (.pace, "pace tempo allure ritmo"),
        (
            .quantity(.cadence),
            "cadence cad rpm kadenz trittfrequenz schrittfrequenz cadencia cadenza cadans runcadence bikecadence "
                + "pedalcadence stepcadence cadcadence strokerate"
        ),
        (
            .quantity(.power),
            "power watts watt pwr leistung puissance potencia potenza vermogen powerwatts powerw output poweroutput "
                + "pwrinstpwr pwrinstpower"
        ),
        (
            .quantity(.altitude),
            "altitude elevation alt ele height höhe hoehe hohe altitud altitudine hoogte enhancedaltitude gpsaltitude "
                + "elevationgps höhenmeter gpsele gpsalt gpselevation watchelevation"
        ),
        (
            .quantity(.latitude),
            "latitude lat breitengrad breite latitud latitudine breedtegraad positionlat gpslat gpslatitude"
        ),
        (
            .quantity(.longitude),
            "longitude lon lng long längengrad laengengrad länge longitud longitudine lengtegraad positionlong gpslon gpslong "
                + "gpslongitude"
        ),
        (
            .quantity(.temperature),
            "temperature temperatures temp temperatur température temperatura ambienttemperature"
        ),
        (
            .quantity(.distance),
            "distance distances dist strecke distanz entfernung distancia distanza afstand cumulativedistance totaldistance "
                + "kumulativedistanz km miles spdaccumdist watchdistance"
        ),
        (
            .quantity(.energy),
            "energy calories kcal calorie kalorien energie caloría calorías calorias energía kilojoules cumulativecalories"
        ),
        (.quantity(.lap), "lap lapnumber runde rundennummer lapindex intervalnumber tour vuelta giro ronde"),
        (.quantity(.strideLength), "stridelength steplength schrittlänge"),
        (.quantity(.groundContactTime), "groundcontacttime groundtime stancetime gct bodenkontaktzeit"),
        (.quantity(.verticalOscillation), "verticaloscillation vertikalebewegung"),
        (
            .time,
            "time timestamp datetime zeit zeitstempel uhrzeit timestamps phonetimestamp clock clocktime localtime utctime "
                + "timeutc utc timeofday heure horodatage hora tiempo tijd ora recordedat timestampms timestamps "
                + "isotime iso8601 hhmmss dateandtime startdate creationdate sampletime unixtime epoch timestampepoch posixtime unix "
                + "measuredat unixtimestamp datumuhrzeit datumzeit datetimeutc localdatetime"
        ),
        (
            .elapsed,
            "elapsed elapsedtime seconds secs sec s t sincestart secondssincestart timer timertime laufzeit ms millis "
                + "milliseconds minutes timefromstart timesincestart offset elapsedseconds elapsedsec timeelapsed sekunden "
                + "relativetime runtime activitytime timeoffset"
        ),
        (.date, "date datum day tag fecha data jour dag"),
        (.type, "type quantity measure metric signal kind measurement parameter sensor series name variable field"),
        (.value, "value wert reading valeur valor values data1"),
        (.unit, "unit units einheit"), (.event, "event events ereignis"),
    ]
}

import Foundation

/// What names of columns mean, in the spellings of watches, apps and people.
enum TableNames {
    struct Column: Equatable, Sendable {
        var meaning: TableMeaning
        /// As the name states it; nil where it does not, or states one that the meaning cannot have.
        var unit: TableUnit?
        /// What stands in the unit's place.
        var unitText: String?
    }

    /// Nil for a name that is not known.
    static func meaning(of name: String) -> Column? {
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

    /// Whether the name is of a figure for a whole lap or workout.
    static func isSummary(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }
        guard let first = words.first, words.count > 1 else { return false }
        return ["avg", "average", "max", "maximum", "min", "minimum", "mean", "total", "best"].contains(first)
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

    /// Units that a name states without saying so.
    private static let implied: [String: TableUnit] = [
        "ms": TableUnit(factor: 1e-3), "millis": TableUnit(factor: 1e-3), "milliseconds": TableUnit(factor: 1e-3),
        "positionlat": TableUnit(factor: 180 / 0x1p31), "positionlong": TableUnit(factor: 180 / 0x1p31),
        "kilojoules": TableUnit(factor: 1 / 4.184), "minutes": TableUnit(factor: 60),
        "sincestartms": TableUnit(factor: 1e-3),
    ]

    /// In small letters, without space and marks: English, German, French, Spanish, Italian, Dutch.
    private static let lists: [(TableMeaning, String)] = [
        (
            .quantity(.heartRate),
            "heartrate hr bpm pulse puls pulsrate pulserate herzfrequenz hf herzrate heartbeat beatsperminute hrbpm ecghr "
                + "heartratebpm fréquencecardiaque frequencecardiaque fc pouls frecuenciacardíaca frecuenciacardiaca "
                + "pulsaciones frequenzacardiaca hartslag hartfrequentie heartratevalue"
        ),
        (
            .quantity(.rrInterval),
            "rr rri rrinterval rrintervals rrms rrs ibi ibis nn nni interbeatinterval rrintervall herzschlagabstand ppi "
                + "ppinterval rrintervalle"
        ),
        (
            .quantity(.speed),
            "speed velocity geschwindigkeit tempokmh vitesse velocidad velocità velocita snelheid enhancedspeed gpsspeed "
                + "currentspeed spd"
        ),
        (.pace, "pace tempo allure ritmo"),
        (
            .quantity(.cadence),
            "cadence cad rpm kadenz trittfrequenz schrittfrequenz cadencia cadenza cadans runcadence bikecadence "
                + "pedalcadence stepcadence"
        ),
        (
            .quantity(.power),
            "power watts watt pwr leistung puissance potencia potenza vermogen powerwatts powerw output poweroutput"
        ),
        (
            .quantity(.altitude),
            "altitude elevation alt ele height höhe hoehe hohe altitud altitudine hoogte enhancedaltitude gpsaltitude "
                + "elevationgps höhenmeter"
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
                + "kumulativedistanz"
        ),
        (
            .quantity(.energy),
            "energy calories kcal calorie kalorien energie caloría calorías calorias energía kilojoules cumulativecalories"
        ),
        (.quantity(.lap), "lap lapnumber runde rundennummer lapindex intervalnumber tour vuelta giro ronde"),
        (.quantity(.strideLength), "stridelength steplength schrittlänge"),
        (.quantity(.groundContactTime), "groundcontacttime stancetime gct bodenkontaktzeit"),
        (.quantity(.verticalOscillation), "verticaloscillation vertikalebewegung"),
        (
            .time,
            "time timestamp datetime zeit zeitstempel uhrzeit timestamps phonetimestamp clock clocktime localtime utctime "
                + "timeutc utc timeofday heure horodatage hora tiempo tijd ora recordedat timestampms timestamps "
                + "isotime iso8601 dateandtime startdate creationdate sampletime unixtime epoch posixtime unix "
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

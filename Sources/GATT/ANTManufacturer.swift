/// The names of the manufacturers' numbers in ANT+ and FIT, which are the same: the common ones.
///
/// Source: FIT SDK, Profile.xlsx, type "manufacturer".
package enum ANTManufacturer {
    package static let names: [UInt16: String] = [
        1: "Garmin", 2: "Garmin ANT-FS", 6: "SRM", 7: "Quarq", 9: "Saris", 13: "Dynastream OEM", 15: "Dynastream",
        16: "Timex",
        23: "Suunto", 32: "Wahoo Fitness", 37: "Magellan", 40: "Concept2", 45: "Xplova", 48: "Pioneer",
        51: "4iiii", 59: "Mio", 68: "CatEye", 69: "Stages Cycling", 70: "Sigma Sport", 73: "Wattbike", 76: "Moxy",
        83: "Scosche", 86: "Elite", 89: "Tacx", 95: "Stryd", 107: "Magene", 111: "Technogym", 112: "Bryton ANT",
        115: "iGPSport", 116: "ThinkRider", 123: "Polar", 129: "COROS ANT", 132: "CYCPLUS", 135: "COOSPO",
        140: "Decathlon ANT", 144: "Zwift ANT", 258: "Lezyne", 260: "Zwift", 263: "Favero",
        265: "Strava", 267: "Bryton", 268: "SRAM", 281: "TrainerRoad", 289: "Hammerhead", 294: "COROS", 309: "FORM",
        310: "Decathlon", 339: "Zepp", 340: "Peloton", 348: "Huawei",
    ]

    package static func name(_ number: UInt16) -> String? { names[number] }
}

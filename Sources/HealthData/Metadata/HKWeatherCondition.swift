/// The weather during a workout. The value of `HKMetadataKeyWeatherCondition`.
public enum HKWeatherCondition: Int, Sendable {
    /// Nobody says.
    case none = 0
    /// Raw value 1.
    case clear = 1
    /// Raw value 2: hardly a cloud.
    case fair = 2
    /// Raw value 3: more sun than clouds.
    case partlyCloudy = 3
    /// Raw value 4: more clouds than sun.
    case mostlyCloudy = 4
    /// Raw value 5: no sun.
    case cloudy = 5
    /// Raw value 6: drops of water in the air.
    case foggy = 6
    /// Raw value 7: fine dust or smoke in the air.
    case haze = 7
    /// Raw value 8: an even wind.
    case windy = 8
    /// Raw value 9: gusts.
    case blustery = 9
    /// Raw value 10: smoke in the air.
    case smoky = 10
    /// Raw value 11: dust or sand in the air.
    case dust = 11
    /// Raw value 12.
    case snow = 12
    /// Raw value 13: lumps of ice.
    case hail = 13
    /// Raw value 14: frozen or half-frozen drops.
    case sleet = 14
    /// Raw value 15: drizzle that freezes where it falls.
    case freezingDrizzle = 15
    /// Raw value 16: rain that freezes where it falls.
    case freezingRain = 16
    /// Raw value 17.
    case mixedRainAndHail = 17
    /// Raw value 18.
    case mixedRainAndSnow = 18
    /// Raw value 19.
    case mixedRainAndSleet = 19
    /// Raw value 20.
    case mixedSnowAndSleet = 20
    /// Raw value 21: fine drops.
    case drizzle = 21
    /// Raw value 22: short rain here and there.
    case scatteredShowers = 22
    /// Raw value 23: short rain.
    case showers = 23
    /// Raw value 24.
    case thunderstorms = 24
    /// Raw value 25: a storm from the tropics, below the force of a hurricane.
    case tropicalStorm = 25
    /// Raw value 26.
    case hurricane = 26
    /// Raw value 27.
    case tornado = 27
}

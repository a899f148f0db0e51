/// Where on the body a thermometer measured. The value of `HKMetadataKeyBodyTemperatureSensorLocation`.
public enum HKBodyTemperatureSensorLocation: Int, Sendable {
    /// Somewhere else.
    case other = 0
    /// Under the arm.
    case armpit = 1
    /// Anywhere on the body.
    case body = 2
    /// In the ear.
    case ear = 3
    /// On a finger.
    case finger = 4
    /// In the stomach or the bowels, as of a capsule that is swallowed.
    case gastroIntestinal = 5
    /// In the mouth.
    case mouth = 6
    /// In the rectum.
    case rectum = 7
    /// On a toe.
    case toe = 8
    /// At the eardrum, by infrared.
    case earDrum = 9
    /// Over the artery of the temple.
    case temporalArtery = 10
    /// On the forehead.
    case forehead = 11
}

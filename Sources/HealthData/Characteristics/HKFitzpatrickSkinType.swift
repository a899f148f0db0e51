/// How the skin of the user takes the sun: from I, always burns, to VI, never burns.
public enum HKFitzpatrickSkinType: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// Always burns, never tans.
    case I = 1
    /// Burns as a rule, tans little.
    case II = 2
    /// Burns at times, tans by and by.
    case III = 3
    /// Burns seldom, tans well.
    case IV = 4
    /// Hardly ever burns, tans deeply.
    case V = 5
    /// Never burns.
    case VI = 6
}

/// How the skin of the user takes the sun: from I, always burns, to VI, never burns.
public enum HKFitzpatrickSkinType: Int, Sendable {
    case notSet = 0
    case I = 1
    case II = 2
    case III = 3
    case IV = 4
    case V = 5
    case VI = 6
}

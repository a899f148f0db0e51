import Foundation

// On Apple's systems every object can be an argument of a format string, since every `NSObject` is a `CVarArg`. Formatting
// on Linux reads what Foundation itself made only: the description goes in the place of the object.

extension CLLocation: _CVarArgObject {
    /// What Foundation's formatter reads in place of the location: its description.
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
    /// The same text as words of an argument list.
    public var _cVarArgEncoding: [Int] { NSString(string: description)._cVarArgEncoding }
}

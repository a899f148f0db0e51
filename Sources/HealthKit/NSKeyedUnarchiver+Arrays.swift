extension NSKeyedUnarchiver {
    /// The objects of an archived array, such as the statistics that the other side of a mirrored session sent. Foundation has this on
    /// Apple's systems and not on Linux.
    ///
    /// Archives of HealthKit's objects may come from anybody: whatever is in them, the result is an array or an error. Foundation's
    /// own unarchiver, which reads all other classes, stops the program at some of those.
    ///
    /// - Throws: `CocoaError.Code.coderReadCorrupt` for data that is no archive, or holds anything but an array of such objects.
    public class func unarchivedArrayOfObjects<Object: NSObject & NSCoding>(
        ofClass type: Object.Type, from data: Data
    ) throws -> [Object]? {
        let array: Any?
        if ObjectArchive.classes.values.contains(where: { ($0 as Any.Type) == type }) {
            array = try? CheckedUnarchiver.object(of: NSArray.self, from: data)
        } else {
            array = try unarchivedObject(ofClasses: [NSArray.self, type], from: data)
        }
        guard let objects = (array as? [Any])?.map({ $0 as? Object }), !objects.contains(where: { $0 == nil })
        else { throw CocoaError(.coderReadCorrupt) }
        return objects.compactMap { $0 }
    }
}

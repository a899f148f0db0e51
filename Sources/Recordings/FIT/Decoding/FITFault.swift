/// A fault that a FIT file may repeat in every message, with the field that has it.
package enum FITFault: Hashable, Sendable {
    case fieldType(message: UInt16, field: UInt8)
    case fieldSize(message: UInt16, field: UInt8)
    case developerField(developer: UInt8, field: UInt8)
    case fieldDescription
    case tooManyFieldDescriptions
    case compressedTimestamp
}

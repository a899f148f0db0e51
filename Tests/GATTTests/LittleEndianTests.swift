import Testing

@testable import GATT

@Suite struct LittleEndianTests {
    private let bytes: [UInt8] = [0xFF, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88]

    private func number<Number: FixedWidthInteger>(at offset: Int, _ kind: Number.Type) -> Number {
        Number(littleEndian: bytes.span, at: offset)
    }

    @Test func `the first byte is the least significant`() {
        #expect(number(at: 0, UInt8.self) == 0xFF)
        #expect(number(at: 1, UInt16.self) == 0x0201)
        #expect(number(at: 1, UInt32.self) == 0x0403_0201)
        #expect(number(at: 1, UInt64.self) == 0x8807_0605_0403_0201)
        #expect(number(at: 7, Int16.self) == Int16(bitPattern: 0x8807))
    }

    @Test func `a slice is indexed from its own beginning`() {
        let slice = bytes.dropFirst(2)
        let number = UInt16(littleEndian: slice.span, at: 1)
        #expect(number == 0x0403)
    }
}

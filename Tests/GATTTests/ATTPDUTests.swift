import TestBytes
import Testing

@testable import GATT

struct ATTPDUTests {
    static let vendor = BluetoothUUID(high: 0x6217_FF4B_FB31_1140, low: 0xAD5A_A455_45D7_ECF3)

    /// Layouts as in the Core Specification 5.4, volume 3, part F, section 3.4.
    static let messages: [(String, ATTPDU)] = [
        ("01 08 10 00 0a", .errorResponse(request: 8, handle: 16, code: 10)),
        ("02 05 02", .mtuRequest(517)),
        ("03 17 00", .mtuResponse(23)),
        ("04 11 00 13 00", .findInformationRequest(ATTHandleRange(17, 19))),
        (
            "05 01 11 00 02 29 12 00 01 29",
            .findInformationResponse([
                ATTInformation(handle: 17, uuid: .clientCharacteristicConfiguration),
                ATTInformation(handle: 18, uuid: BluetoothUUID(0x2901)),
            ])
        ),
        (
            "05 02 11 00 f3 ec d7 45 55 a4 5a ad 40 11 31 fb 4b ff 17 62",
            .findInformationResponse([ATTInformation(handle: 17, uuid: vendor)])
        ),
        ("08 01 00 ff ff 03 28", .readByTypeRequest(ATTHandleRange(1, 0xFFFF), .characteristicDeclaration)),
        (
            "09 07 0f 00 10 10 00 37 2a",
            .readByTypeResponse([ATTAttribute(handle: 15, value: [0x10, 0x10, 0x00, 0x37, 0x2A])])
        ),
        ("0a 10 00", .readRequest(16)),
        ("0b 01 02", .readResponse([1, 2])),
        ("0b", .readResponse([])),
        ("0c 10 00 16 00", .readBlobRequest(16, offset: 22)),
        ("0d 03", .readBlobResponse([3])),
        ("10 01 00 ff ff 00 28", .readByGroupTypeRequest(ATTHandleRange(1, 0xFFFF), .primaryService)),
        (
            "11 06 01 00 05 00 00 18 0e 00 14 00 0d 18",
            .readByGroupTypeResponse([
                ATTGroup(first: 1, last: 5, value: [0, 0x18]), ATTGroup(first: 14, last: 20, value: [0x0D, 0x18]),
            ])
        ),
        ("12 12 00 01 00", .writeRequest(18, [1, 0])),
        ("13", .writeResponse),
        ("52 12 00 01", .writeCommand(18, [1])),
        ("1b 10 00 10 3c", .notification(16, [0x10, 0x3C])),
        ("1d 10 00", .indication(16, [])),
        ("1e", .confirmation),
        (
            "23 10 00 02 00 10 3c 17 00 01 00 5a",
            .multipleNotification([
                ATTAttribute(handle: 16, value: [0x10, 0x3C]), ATTAttribute(handle: 23, value: [0x5A]),
            ])
        ),
        ("20", .unknown(opcode: 0x20)),
    ]

    @Test(arguments: messages)
    func `messages are encoded and decoded`(_ hex: String, _ message: ATTPDU) {
        #expect(ATTPDU(hexBytes(hex)) == message)
        #expect(message.bytes == hexBytes(hex))
    }

    @Test(arguments: messages)
    func `a truncated message does not trap`(_ hex: String, _ message: ATTPDU) {
        let bytes = hexBytes(hex)
        for length in bytes.indices {
            let cut = ATTPDU(bytes.prefix(length))
            #expect(cut != message)
            if length == 0 { #expect(cut == nil) }
        }
    }

    @Test(arguments: ["11 00 01 00", "11 03 01 00 05 00", "09 00", "09 01 10", "05 03 11 00 02 29", "05 00"])
    func `a list with impossible item sizes is rejected`(_ hex: String) {
        #expect(ATTPDU(hexBytes(hex)) == nil)
    }

    @Test func `a truncated last item of a list is left out`() {
        #expect(
            ATTPDU(hexBytes("11 06 01 00 05 00 00 18 0e 00 14"))
                == .readByGroupTypeResponse([ATTGroup(first: 1, last: 5, value: [0, 0x18])]))
        #expect(
            ATTPDU(hexBytes("23 10 00 01 00 10 17 00 09 00 5a"))
                == .multipleNotification([ATTAttribute(handle: 16, value: [0x10])]))
    }
}

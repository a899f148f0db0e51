import GATT
import Testing

struct DeviceInformationTests {
    @Test(
        arguments: [
            ("Polar Electro Oy", "Polar Electro Oy"), ("H10\0\0\0\0", "H10"), ("  3.1.1 \r\n", "3.1.1"), ("", nil),
            ("\0junk", nil), (" \t", nil), ("Größe", "Größe"),
        ] as [(String, String?)])
    func `a text ends at the first NUL, and white space is trimmed`(_ sent: String, _ text: String?) {
        #expect(DeviceInformation.text(Array(sent.utf8)) == text)
    }

    @Test func `invalid UTF-8 is marked, not rejected`() {
        #expect(DeviceInformation.text([0x41, 0xFF, 0x42]) == "A\u{FFFD}B")
    }

    @Test func `each characteristic fills its field`() {
        var information = DeviceInformation()
        information.update(with: Array("Polar".utf8), from: BluetoothUUID(0x2A29))
        information.update(with: Array("H10".utf8), from: DeviceInformation.Field.modelNumber.uuid)
        information.update(with: [1, 2, 3], from: .batteryLevel)
        #expect(information[.manufacturerName] == "Polar")
        #expect(information[.modelNumber] == "H10")
        #expect(information[.serialNumber] == nil)
    }
}

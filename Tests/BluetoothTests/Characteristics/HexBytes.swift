/// The bytes that hexadecimal digits stand for; spaces are left out.
func hexBytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.filter { $0 != " " })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
}

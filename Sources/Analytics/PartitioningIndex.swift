extension RandomAccessCollection {
    /// The first place from which on a condition holds; the elements before it do not meet it. `endIndex` where none does.
    ///
    /// In as many steps as the count has bits. The name is that of the same in swift-algorithms, of which nothing else is
    /// needed here.
    @inlinable
    package func partitioningIndex(where isInSecondPart: (Element) throws -> Bool) rethrows -> Index {
        var low = startIndex
        var left = count
        while left > 0 {
            let half = left / 2
            let middle = index(low, offsetBy: half)
            if try isInSecondPart(self[middle]) {
                left = half
            } else {
                low = index(after: middle)
                left -= half + 1
            }
        }
        return low
    }
}

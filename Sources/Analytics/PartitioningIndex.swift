extension RandomAccessCollection {
    /// Returns the first index from which on a condition holds; it must not hold for any element before. Returns
    /// `endIndex` if it holds for none.
    ///
    /// It needs as many steps as the count has bits. swift-algorithms has the same function under this name, but
    /// nothing else of that package is needed here.
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

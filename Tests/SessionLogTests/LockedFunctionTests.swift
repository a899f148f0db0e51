import SessionLog
import Testing

@Suite struct LockedFunctionTests {
    /// If each access wrapped the function, the call would need more stack than a thread has.
    @Test func `a function that is often read and replaced is called directly`() {
        let locked = LockedFunction<@Sendable () -> Int>({ 7 })
        for _ in 0..<300_000 { _ = locked.function }
        #expect(locked.function() == 7)
        locked.function = { 8 }
        #expect(locked.function() == 8)
    }

    @Test func `a missing function is nil`() {
        let locked = LockedFunction<(@Sendable () -> Int)?>(nil)
        #expect(locked.function == nil)
        locked.function = { 9 }
        #expect(locked.function?() == 9)
    }
}

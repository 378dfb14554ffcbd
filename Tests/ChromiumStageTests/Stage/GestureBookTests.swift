import Testing

@testable import ChromiumStage

@Suite("What a user's gesture allows")
struct GestureBookTests {
    private static func book(_ gestures: [(String, Duration)]) -> GestureBook {
        var book = GestureBook()
        for (type, time) in gestures { book.note(type, at: time) }
        return book
    }

    @Test("without one nothing is allowed")
    func none() {
        var book = GestureBook()
        #expect(book.spend(on: "a", at: .zero) == nil)
    }

    @Test("one press opens one link, however often it is asked for")
    func once() {
        var book = Self.book([("pointerdown", .zero), ("pointerup", .zero), ("click", .zero)])
        #expect(book.spend(on: "a", at: .zero) == .fresh)
        #expect(book.spend(on: "a", at: .zero) == .again)
        #expect(book.spend(on: "b", at: .zero) == nil)
        // What follows belongs to the same press.
        book.note("click", at: .seconds(1))
        #expect(book.spend(on: "b", at: .seconds(1)) == nil)
        book.note("pointerdown", at: .seconds(2))
        #expect(book.spend(on: "b", at: .seconds(2)) == .fresh)
    }

    @Test("a key counts as a press does")
    func key() {
        var book = Self.book([("keydown", .zero)])
        #expect(book.spend(on: "a", at: .zero) == .fresh)
    }

    @Test("a press is over some seconds later", arguments: [(5_000, true), (5_001, false)])
    func late(milliseconds: Int, isAllowed: Bool) {
        var book = Self.book([("pointerdown", .zero)])
        #expect((book.spend(on: "a", at: .milliseconds(milliseconds)) == .fresh) == isAllowed)
    }
}

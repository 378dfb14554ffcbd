import AdCore
import Testing

@testable import WebStage

@Suite("What a user's gesture allows")
struct UserActivationTests {
    private static func book(_ gestures: [(String, Duration)]) -> UserActivation {
        var book = UserActivation()
        for (type, time) in gestures { book.handle(UserGesture(type), at: time) }
        return book
    }

    @Test("without one nothing is allowed")
    func none() {
        var book = UserActivation()
        #expect(book.spend(on: "a", at: .zero) == nil)
    }

    @Test("one press opens one link, however often that is requested")
    func once() {
        var book = Self.book([("pointerdown", .zero), ("pointerup", .zero), ("click", .zero)])
        #expect(book.spend(on: "a", at: .zero) == .fresh)
        #expect(book.spend(on: "a", at: .zero) == .again)
        #expect(book.spend(on: "b", at: .zero) == nil)
        // What follows belongs to the same press.
        book.handle(UserGesture("click"), at: .seconds(1))
        #expect(book.spend(on: "b", at: .seconds(1)) == nil)
        book.handle(UserGesture("pointerdown"), at: .seconds(2))
        #expect(book.spend(on: "b", at: .seconds(2)) == .fresh)
    }

    @Test("a key counts as a press does")
    func key() {
        var book = Self.book([("keydown", .zero)])
        #expect(book.spend(on: "a", at: .zero) == .fresh)
    }

    @Test("a finger counts when it is lifted, and one that scrolls does not count at all")
    func touch() {
        func touched(_ types: String...) -> UserActivation {
            var book = UserActivation()
            for type in types { book.handle(UserGesture(type, isTouch: true), at: .zero) }
            return book
        }
        #expect(touched("pointerdown").allows("a", at: .zero) == nil)
        #expect(touched("pointerdown", "pointercancel").allows("a", at: .zero) == nil)
        var book = touched("pointerdown", "pointerup")
        #expect(book.spend(on: "a", at: .zero) == .fresh)
        // The click of the same tap opens nothing else.
        book.handle(UserGesture("click", isTouch: true), at: .zero)
        #expect(book.spend(on: "b", at: .zero) == nil)
        // A scroll takes nothing from the tap before it, and adds nothing.
        book.handle(UserGesture("pointerdown", isTouch: true), at: .seconds(4))
        book.handle(UserGesture("pointercancel", isTouch: true), at: .seconds(4))
        #expect(book.allows("a", at: .seconds(4)) == .again && book.allows("a", at: .seconds(6)) == nil)
    }

    @Test(
        "a pointer that our script reports is a touch unless it is a mouse",
        arguments: [("mouse", false), ("touch", true), ("pen", true), ("", false)]
    )
    func pointer(type: String, isTouch: Bool) {
        let gesture = UserGesture(["type": "pointerdown", "pointer": .string(type)])
        #expect(gesture.isTouch == isTouch && gesture.activates != isTouch)
    }

    @Test("a press is over some seconds later", arguments: [(5_000, true), (5_001, false)])
    func late(milliseconds: Int, isAllowed: Bool) {
        var book = Self.book([("pointerdown", .zero)])
        #expect((book.spend(on: "a", at: .milliseconds(milliseconds)) == .fresh) == isAllowed)
    }
}

import AdCore
import Testing

@testable import WebStage

@Suite("User activation")
struct UserActivationTests {
    private static func activation(_ gestures: [(String, Duration)]) -> UserActivation {
        var activation = UserActivation()
        for (type, time) in gestures { activation.handle(UserGesture(type), at: time) }
        return activation
    }

    @Test("without a gesture no link may be opened")
    func none() {
        var activation = UserActivation()
        #expect(activation.consume(for: "a", at: .zero) == nil)
    }

    @Test("one press opens one link, however often it is requested")
    func once() {
        var activation = Self.activation([("pointerdown", .zero), ("pointerup", .zero), ("click", .zero)])
        #expect(activation.consume(for: "a", at: .zero) == .unused)
        #expect(activation.consume(for: "a", at: .zero) == .sameLink)
        #expect(activation.consume(for: "b", at: .zero) == nil)
        // A later click belongs to the same press.
        activation.handle(UserGesture("click"), at: .seconds(1))
        #expect(activation.consume(for: "b", at: .seconds(1)) == nil)
        activation.handle(UserGesture("pointerdown"), at: .seconds(2))
        #expect(activation.consume(for: "b", at: .seconds(2)) == .unused)
    }

    @Test("a key counts as a gesture")
    func key() {
        var activation = Self.activation([("keydown", .zero)])
        #expect(activation.consume(for: "a", at: .zero) == .unused)
    }

    @Test("a touch counts when the finger is lifted, and a scroll does not count")
    func touch() {
        func touched(_ types: String...) -> UserActivation {
            var activation = UserActivation()
            for type in types { activation.handle(UserGesture(type, isTouch: true), at: .zero) }
            return activation
        }
        #expect(touched("pointerdown").allows("a", at: .zero) == nil)
        #expect(touched("pointerdown", "pointercancel").allows("a", at: .zero) == nil)
        var activation = touched("pointerdown", "pointerup")
        #expect(activation.consume(for: "a", at: .zero) == .unused)
        // The click of the same tap opens nothing else.
        activation.handle(UserGesture("click", isTouch: true), at: .zero)
        #expect(activation.consume(for: "b", at: .zero) == nil)
        // A scroll does not change the activation of the tap before it.
        activation.handle(UserGesture("pointerdown", isTouch: true), at: .seconds(4))
        activation.handle(UserGesture("pointercancel", isTouch: true), at: .seconds(4))
        #expect(activation.allows("a", at: .seconds(4)) == .sameLink && activation.allows("a", at: .seconds(6)) == nil)
    }

    @Test(
        "a reported pointer is a touch unless it is a mouse",
        arguments: [("mouse", false), ("touch", true), ("pen", true), ("", false)]
    )
    func pointer(type: String, isTouch: Bool) {
        let gesture = UserGesture(["type": "pointerdown", "pointer": .string(type)])
        #expect(gesture.isTouch == isTouch && gesture.activates != isTouch)
    }

    @Test("user activation expires after five seconds", arguments: [(5_000, true), (5_001, false)])
    func late(milliseconds: Int, isAllowed: Bool) {
        var activation = Self.activation([("pointerdown", .zero)])
        #expect((activation.consume(for: "a", at: .milliseconds(milliseconds)) == .unused) == isAllowed)
    }
}

import AdCore
import Testing

@testable import WebStage

@Suite("Navigations and windows")
struct NavigationPolicyTests {
    private let frame = EngineTarget(name: "FRAME")
    private let shop = NavigationAttempt(trigger: .window, url: "https://shop.example/")
    private let relative = NavigationAttempt(trigger: .window, url: "/shop")

    private func gesture(_ type: String, pointer: String = "mouse") -> AdJSON {
        ["k": "gesture", "type": .string(type), "target": "p", "x": 1, "y": 2, "pointer": .string(pointer)]
    }

    /// Ways out after these events of a press.
    private func pressed(_ types: String..., pointer: String = "mouse") -> NavigationPolicy {
        var ways = NavigationPolicy()
        for type in types {
            _ = ways.handle(gesture: self.gesture(type, pointer: pointer), in: self.frame, at: .zero)
            ways.taps.recordReaction(["k": "reacted"])
        }
        return ways
    }

    private func reports(_ outputs: [StageOutput]) -> [StageEvent] {
        outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    @Test("a link that a timer opens a second and a half after the tap is that tap's one outcome")
    func timer() {
        var ways = self.pressed("pointerdown", "pointerup", "click")
        #expect(self.reports(ways.taps.decide(3, creative: self.frame)).isEmpty)
        let decision = ways.judge(self.shop, in: self.frame, at: .milliseconds(1_500))
        let place = TapPoint(x: 1, y: 2, target: "p")
        #expect(
            decision
                == NavigationDecision(.done, [.report(.click(ClickThroughURL(self.shop.url), byUser: true, at: place))])
        )
        #expect(ways.taps.settle().isEmpty && ways.taps.decide(4, creative: self.frame).isEmpty)
    }

    @Test("an address that opens nothing is refused, and is the tap's outcome")
    func nowhere() {
        var ways = self.pressed("pointerdown", "pointerup", "click")
        let decision = ways.judge(self.relative, in: self.frame, at: .seconds(2))
        guard case .refused(let reason) = decision.outcome else {
            Issue.record("\(decision)")
            return
        }
        #expect(decision.outputs.isEmpty && reason.contains("is relative"))
        #expect(self.reports(ways.taps.settle()).count == 1)
    }

    @Test("an address that opens nothing is reported as blocked where its tap has its outcome already")
    func late() {
        var ways = self.pressed("pointerdown", "pointerup", "click")
        #expect(self.reports(ways.taps.settle()).count == 1)
        let decision = ways.judge(self.relative, in: self.frame, at: .seconds(2))
        guard case .refused(let reason) = decision.outcome else {
            Issue.record("\(decision)")
            return
        }
        #expect(decision.outputs == [.report(.blocked(BlockedAttempt(.popup, "/shop, \(reason)")))])
    }

    @Test("an attempt without a gesture is refused, with the reason")
    func without() {
        var ways = NavigationPolicy()
        guard case .query? = ways.judge(self.shop, in: self.frame, at: .zero).outputs.first else {
            Issue.record("it is not asked whether a gesture is on its way")
            return
        }
        let reason = "without a user's gesture"
        let blocked = BlockedAttempt(.popup, "https://shop.example/, \(reason)")
        #expect(ways.decide(self.shop, at: .zero) == NavigationDecision(.refused(reason), [.report(.blocked(blocked))]))
    }

    @Test(
        "what is tried while a finger is on the screen is decided when that is lifted: a tap opens it, a scroll does not",
        arguments: [("pointerup", true), ("pointercancel", false)]
    )
    func finger(end: String, isOpened: Bool) {
        var ways = self.pressed("pointerdown", pointer: "touch")
        #expect(ways.judge(self.shop, in: self.frame, at: .zero).outcome == .pending)
        #expect(ways.decide(self.shop, at: .zero) == NavigationDecision(.pending))
        let lifted = ways.handle(gesture: self.gesture(end, pointer: "touch"), in: self.frame, at: .zero)
        #expect(lifted.contains(NavigationPolicy.query(self.shop, in: self.frame)))
        let decision = ways.decide(self.shop, at: .zero)
        switch self.reports(decision.outputs).first {
        case .click?: #expect(isOpened)
        case .blocked?: #expect(!isOpened)
        default: Issue.record("\(decision)")
        }
    }

    @Test("so many attempts wait for a finger, and no more; none is forgotten when the ad goes")
    func held() {
        var ways = self.pressed("pointerdown", pointer: "touch")
        let rulings = (0..<100).map { _ in ways.decide(self.shop, at: .zero).outcome }
        #expect(rulings.count { $0 == .pending } == 16)
        #expect(ways.taps.settle().count { $0 == NavigationPolicy.query(self.shop, in: self.frame) } == 16)
        #expect(ways.decide(self.shop, at: .zero).outcome != .pending)
    }
}

import AdCore
import Testing

@testable import WebStage

@Suite("Decisions on navigations and windows")
struct NavigationPolicyTests {
    private let frame = EngineTarget(name: "FRAME")
    private let shop = NavigationAttempt(trigger: .window, url: "https://shop.example/")
    private let relative = NavigationAttempt(trigger: .window, url: "/shop")

    private func gesture(_ type: String, pointer: String = "mouse") -> AdJSON {
        ["k": "gesture", "type": .string(type), "target": "p", "x": 1, "y": 2, "pointer": .string(pointer)]
    }

    /// A policy after these events of a press.
    private func pressed(_ types: String..., pointer: String = "mouse") -> NavigationPolicy {
        var policy = NavigationPolicy()
        for type in types {
            _ = policy.handle(gesture: self.gesture(type, pointer: pointer), in: self.frame, at: .zero)
            policy.taps.recordReaction(["k": "reacted"])
        }
        return policy
    }

    private func reports(_ outputs: [StageOutput]) -> [StageEvent] {
        outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    @Test("a link that a timer opens 1.5 seconds after a tap is that tap's only outcome")
    func timer() {
        var policy = self.pressed("pointerdown", "pointerup", "click")
        #expect(self.reports(policy.taps.decide(3, creative: self.frame)).isEmpty)
        let decision = policy.decide(self.shop, in: self.frame, at: .milliseconds(1_500))
        let place = TapPoint(x: 1, y: 2, target: "p")
        #expect(
            decision
                == NavigationDecision(.done, [.report(.click(ClickThroughURL(self.shop.url), byUser: true, at: place))])
        )
        #expect(policy.taps.settle().isEmpty && policy.taps.decide(4, creative: self.frame).isEmpty)
    }

    @Test("an invalid URL is refused and is the tap's outcome")
    func nowhere() {
        var policy = self.pressed("pointerdown", "pointerup", "click")
        let decision = policy.decide(self.relative, in: self.frame, at: .seconds(2))
        guard case .refused(let reason) = decision.outcome else {
            Issue.record("\(decision)")
            return
        }
        #expect(decision.outputs.isEmpty && reason.contains("is relative"))
        #expect(self.reports(policy.taps.settle()).count == 1)
    }

    @Test("an invalid URL is reported as blocked if its tap has an outcome already")
    func late() {
        var policy = self.pressed("pointerdown", "pointerup", "click")
        #expect(self.reports(policy.taps.settle()).count == 1)
        let decision = policy.decide(self.relative, in: self.frame, at: .seconds(2))
        guard case .refused(let reason) = decision.outcome else {
            Issue.record("\(decision)")
            return
        }
        #expect(decision.outputs == [.report(.blocked(BlockedAttempt(.popup, "/shop, \(reason)")))])
    }

    @Test("an attempt without a gesture is refused with the reason")
    func without() {
        var policy = NavigationPolicy()
        guard case .query? = policy.decide(self.shop, in: self.frame, at: .zero).outputs.first else {
            Issue.record("the frame is not pinged for a pending gesture")
            return
        }
        let reason = "without a user's gesture"
        let blocked = BlockedAttempt(.popup, "https://shop.example/, \(reason)")
        #expect(
            policy.decide(self.shop, at: .zero) == NavigationDecision(.refused(reason), [.report(.blocked(blocked))])
        )
    }

    @Test(
        "an attempt while a finger is down is decided when it is lifted: a tap opens it, a scroll does not",
        arguments: [("pointerup", true), ("pointercancel", false)]
    )
    func finger(end: String, isOpened: Bool) {
        var policy = self.pressed("pointerdown", pointer: "touch")
        #expect(policy.decide(self.shop, in: self.frame, at: .zero).outcome == .pending)
        #expect(policy.decide(self.shop, at: .zero) == NavigationDecision(.pending))
        let lifted = policy.handle(gesture: self.gesture(end, pointer: "touch"), in: self.frame, at: .zero)
        #expect(lifted.contains(NavigationPolicy.query(self.shop, in: self.frame)))
        let decision = policy.decide(self.shop, at: .zero)
        switch self.reports(decision.outputs).first {
        case .click?: #expect(isOpened)
        case .blocked?: #expect(!isOpened)
        default: Issue.record("\(decision)")
        }
    }

    @Test("the number of held attempts is limited, and all are decided when the ad closes")
    func held() {
        var policy = self.pressed("pointerdown", pointer: "touch")
        let outcomes = (0..<100).map { _ in policy.decide(self.shop, at: .zero).outcome }
        #expect(outcomes.count { $0 == .pending } == 16)
        #expect(policy.taps.settle().count { $0 == NavigationPolicy.query(self.shop, in: self.frame) } == 16)
        #expect(policy.decide(self.shop, at: .zero).outcome != .pending)
    }
}

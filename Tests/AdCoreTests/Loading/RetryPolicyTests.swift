import Testing

@testable import AdCore

@Suite("Retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy(attempts: 3, pause: .seconds(1))

    @Test("only temporary failures are retried, up to the number of attempts")
    func failures() {
        let temporary: [RetryPolicy.Failure] = [
            .status(500), .status(503), .transport(.ambiguous(.timedOut)), .transport(.notSent(.connectTimedOut)),
        ]
        for failure in temporary {
            #expect(self.policy.pause(after: 1, failure, bits: 0) != nil)
            #expect(self.policy.pause(after: 3, failure, bits: 0) == nil)
            #expect(RetryPolicy.once.pause(after: 1, failure, bits: 0) == nil)
        }
        let permanent: [RetryPolicy.Failure] = [
            .status(200), .status(400), .status(401), .status(429), .transport(.notSent(.refused)),
            .transport(.tooLarge),
            .transport(.cancelled(sent: true)), .transport(.ambiguous(.connectionLost)),
        ]
        for failure in permanent { #expect(self.policy.pause(after: 1, failure, bits: 0) == nil) }
    }

    @Test("the pause doubles, and jitter shortens it by half at most")
    func pauses() {
        #expect(self.policy.pause(after: 1, .status(500), bits: 0) == .milliseconds(500))
        #expect(self.policy.pause(after: 2, .status(500), bits: 0) == .seconds(1))
        let longest = self.policy.pause(after: 2, .status(500), bits: .max) ?? .zero
        #expect(longest > .milliseconds(1_999) && longest <= .seconds(2))
        #expect(RetryPolicy(attempts: -2, pause: .seconds(-1)) == RetryPolicy(attempts: 1, pause: .zero))
    }
}

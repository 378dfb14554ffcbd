public import AdCore
import AdRuntime

/// Holds a provider to what every provider must do: one call in a test, and an empty list where all is well.
///
/// Give it the placement, and the body of an answer with an ad as the provider's server really sends it. Everything is
/// done in time that stands still, without a network.
///
/// ```swift
/// let findings = await AdapterConformance(provider, placement: placement, answer: answer).findings()
/// #expect(findings.isEmpty, "\(findings)")
/// ```
public struct AdapterConformance<Provider: AdProvider>: Sendable {
    /// Something that a provider must not do.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// What was tried.
        public let check: String
        /// What went wrong, and with what.
        public let problem: String

        /// Both in one line.
        public var description: String { "\(self.check): \(self.problem)" }
    }

    let provider: Provider
    let placement: Provider.Placement
    let answer: [UInt8]
    /// What else the provider's server says where it has no ad.
    let noFill: [[UInt8]]

    /// A check of one provider.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - placement: What it is asked for.
    ///   - answer: The body of an answer of status 200 with at least one ad, as JSON.
    ///   - noFill: Bodies of answers of status 200 that have none; 204 and an empty body are tried in any case.
    public init(_ provider: Provider, placement: Provider.Placement, answer: String, noFill: [String] = []) {
        self.provider = provider
        self.placement = placement
        self.answer = Array(answer.utf8)
        self.noFill = noFill.map { Array($0.utf8) }
    }

    /// Everything that was found; nothing where the provider keeps all rules.
    public func findings() async -> [Finding] {
        var findings = self.requests()
        findings += await self.life()
        findings += await self.endings()
        findings += await self.emptiness()
        findings += await self.failures()
        findings += await self.damage()
        return findings
    }

    /// A scene in which every request for an ad is answered like this.
    func scene(_ answer: @escaping @Sendable () -> ScriptedTransport.Answer) -> ConformanceScene<Provider> {
        ConformanceScene(self.provider, self.placement, answer)
    }

    /// A scene in which the server has an ad.
    var filled: ConformanceScene<Provider> {
        let answer = self.answer
        return self.scene { .response(status: 200, headers: ["Content-Type": "application/json"], body: answer) }
    }
}

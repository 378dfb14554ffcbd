public import AdCore
import AdRuntime

/// Checks a provider against the rules of all providers; one call in a test, with an empty result when all are kept.
///
/// It needs a placement, and the body of a real response of the provider's server with an ad. It uses a `ManualClock`
/// and no network.
///
/// ```swift
/// let findings = await ProviderConformance(provider, placement: placement, response: response).findings()
/// #expect(findings.isEmpty, "\(findings)")
/// ```
public struct ProviderConformance<Provider: AdProvider>: Sendable {
    /// A violation of a rule.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The check that failed.
        public let check: String
        /// What is wrong.
        public let problem: String

        /// Both in one line.
        public var description: String { "\(self.check): \(self.problem)" }
    }

    let provider: Provider
    let placement: Provider.Placement
    let response: [UInt8]
    /// Bodies of responses without an ad.
    let noFill: [[UInt8]]

    /// Creates a check of one provider.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - placement: The placement of the requests.
    ///   - response: The JSON body of a response with status 200 and at least one ad.
    ///   - noFill: Bodies of responses with status 200 and no ad; status 204 and an empty body are always checked.
    public init(_ provider: Provider, placement: Provider.Placement, response: String, noFill: [String] = []) {
        self.provider = provider
        self.placement = placement
        self.response = Array(response.utf8)
        self.noFill = noFill.map { Array($0.utf8) }
    }

    /// Returns all violations; an empty array if there are none.
    public func findings() async -> [Finding] {
        var findings = self.requests()
        findings += await self.lifecycle()
        findings += await self.endings()
        findings += await self.noFills()
        findings += await self.failures()
        findings += await self.damage()
        return findings
    }

    /// Creates a scene in which every ad request gets this response.
    func scene(_ response: @escaping @Sendable () -> ScriptedTransport.Outcome) -> ConformanceScene<Provider> {
        ConformanceScene(self.provider, self.placement, response)
    }

    /// Creates a scene in which every ad request gets an ad.
    var sceneWithAd: ConformanceScene<Provider> {
        let response = self.response
        return self.scene { .response(status: 200, headers: ["Content-Type": "application/json"], body: response) }
    }
}

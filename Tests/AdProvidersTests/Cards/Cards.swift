import AdCore
import AdProviders
import TestSupport
import Testing

/// The providers of cards as these tests ask them, and short words for what they answer.
enum Cards {
    static let keys = AttentionMarketKeys(
        apiKey: "am_test_abc123xyz",
        agentID: "agt_test_demo",
        anonKey: "anon_test_sandbox"
    )
    static let market = AttentionMarketProvider(keys: keys, base: Answers.url("https://market.example/functions/v1"))
    static let ceed = CeedAdsProvider(
        app: CeedAdsApp(appID: "app_test_demo"),
        base: Answers.url("https://ceed.example")
    )
    static let active = ActiveAdsProvider(base: Answers.url("https://active.example/functions/v1"))

    /// All that can be known of a device and its user.
    static let everything: AdContext = {
        var context = AdContext(
            ifa: "IFA-0b7d3a54",
            userAgent: "Mozilla/5.0 (Phone 12)",
            location: AdContext.Location(latitude: 55.7558, longitude: 37.6173, precision: 12.5),
            consent: AdContext.Consent(
                gdprApplies: true,
                tcf: "TCF-string",
                gpp: "GPP-string",
                gppSections: [7],
                usPrivacy: "1YNN",
                coppa: false
            )
        )
        context.network = .wifi
        context.requestID = "request-of-the-loader"
        return context
    }()

    /// What went wrong; nil where nothing did.
    static func failure<Value>(_ body: () throws(AdError) -> Value) -> AdError? {
        do throws(AdError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }
}

extension AdHTTPHeaders {
    /// Each field as a line.
    var lines: [String] { self.fields.map { "\($0.name): \($0.value)" } }
}

extension Offer {
    var card: CardCreative? {
        guard case .card(let card) = self.creative else { return nil }
        return card
    }

    /// Codes and places, as in `payout.text at ad.payout`.
    var repairs: [String] { self.issues.map(\.brief) }

    /// What the provider says besides, as JSON.
    var said: String { AdJSON.object(self.details).text() }
}

extension AdCore.AdIssue {
    var brief: String { "\(self.code) at \(self.place)" }
}

extension AdJSON {
    /// The value with the member at a path replaced, added, or taken out.
    func with(_ path: String, _ value: AdJSON?) -> AdJSON {
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        guard case .object(var members) = self else { return self }
        let index = members.firstIndex { $0.name == parts[0] }
        let new = parts.count == 1 ? value : (index.map { members[$0].value } ?? [:]).with(parts[1], value)
        switch (index, new) {
        case (let index?, let new?): members[index] = Member(parts[0], new)
        case (let index?, nil): members.remove(at: index)
        case (nil, let new?): members.append(Member(parts[0], new))
        case (nil, nil): break
        }
        return .object(members)
    }

    /// A document's example.
    static func example(_ text: String?) throws -> AdJSON { try AdJSON(parsing: try #require(text)) }
}

/// A generator that says one number only, and counts how often it was asked.
struct OneNumber: RandomNumberGenerator {
    let number: UInt64
    private(set) var draws = 0

    init(_ number: UInt64) { self.number = number }

    mutating func next() -> UInt64 {
        self.draws += 1
        return self.number
    }
}

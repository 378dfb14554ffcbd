import AdCore
import AdProviders
import TestSupport
import Testing

/// The providers of cards with test credentials, and shorthands for their results.
enum Cards {
    static let keys = AttentionMarketKeys(
        apiKey: "am_test_abc123xyz",
        agentID: "agt_test_demo",
        anonKey: "anon_test_sandbox"
    )
    static let market = AttentionMarketProvider(keys: keys, base: Responses.url("https://market.example/functions/v1"))
    static let ceed = CeedAdsProvider(
        app: CeedAdsApp(appID: "app_test_demo"),
        base: Responses.url("https://ceed.example")
    )
    static let active = ActiveAdsProvider(base: Responses.url("https://active.example/functions/v1"))

    /// A context in which every value is set.
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

    /// The error that a closure throws; nil if it throws none.
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
    /// The fields, one per line.
    var lines: [String] { self.fields.map { "\($0.name): \($0.value)" } }
}

extension Offer {
    var card: CardCreative? {
        guard case .card(let card) = self.creative else { return nil }
        return card
    }

    /// Codes and places, as in `payout.text at ad.payout`.
    var repairs: [String] { self.issues.map(\.brief) }

    /// The provider's details as JSON.
    var detailsText: String { AdJSON.object(self.details).text() }
}

extension AdCore.AdIssue {
    var brief: String { "\(self.code) at \(self.place)" }
}

extension AdJSON {
    /// The object with the member at a path replaced, added or removed.
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

    /// Parses an example of a document.
    static func example(_ text: String?) throws -> AdJSON { try AdJSON(parsing: try #require(text)) }
}

/// A generator that always returns one number, and counts the draws.
struct ConstantGenerator: RandomNumberGenerator {
    let number: UInt64
    private(set) var draws = 0

    init(_ number: UInt64) { self.number = number }

    mutating func next() -> UInt64 {
        self.draws += 1
        return self.number
    }
}

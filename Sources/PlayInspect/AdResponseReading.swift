import AdCore
import AdMarkup
import AdProviders
import PlayConsole
import PlayReport
import YabbiAds

/// A server's answer in JSON as `inspect` prints it: what the runtime makes of it, and the markup inside.
package struct AdResponseReading {
    private let provider: ProviderName
    private let proposals: [(proposal: Proposal, markup: Finding)]
    private let issues: [AdIssue]

    init(_ bytes: [UInt8], following follower: Follower?) async throws(AdError) {
        let json: AdJSON
        do throws(AdJSON.Fault) {
            json = try AdJSON.reading(bytes).json
        } catch {
            throw AdError(.unreadableAnswer, "the JSON can't be read: \(error)", at: .init(line: error.line))
        }
        guard let url = HTTPURL("http://answer.invalid/") else { preconditionFailure("A literal is no address.") }
        let response = AdHTTPResponse(status: 200, body: bytes, url: url)
        let batch: OfferBatch
        (self.provider, batch) = try AdResponseReading.read(json, response)
        var proposals: [(Proposal, Finding)] = []
        for proposal in batch.proposals {
            let markup = Array(proposal.markup.utf8)
            proposals.append((proposal, await Finding(markup, from: nil, following: follower)))
        }
        self.proposals = proposals
        self.issues = batch.issues
    }

    /// What the provider makes of it whose answer it is, by the members that it has.
    private static func read(_ json: AdJSON, _ response: AdHTTPResponse) throws(AdError) -> (ProviderName, OfferBatch) {
        let app = YabbiApp(publisherID: "inspect", bundle: "inspect", name: "inspect")
        // The format that the answer itself asks for: what suits a placement is no question here.
        switch AnswerShape(json) {
        case .openRTB:
            let provider = YabbiRTBProvider(endpoint: response.url, app: app)
            let batch = try self.first { format throws(AdError) in
                try provider.offers(from: response, for: format, in: AdContext())
            }
            return (provider.name, batch)
        case .yabbi:
            let provider = YabbiProvider(endpoint: response.url, app: app)
            let batch = try self.first { format throws(AdError) in
                try provider.offers(from: response, for: format, in: AdContext())
            }
            return (provider.name, batch)
        case .activeAds:
            let provider = ActiveAdsProvider(base: response.url)
            let format = json["ads"]?.array?.first?["format"]?.string.flatMap { ActiveAdsPlacement(rawValue: $0) }
            return (provider.name, try provider.offers(from: response, for: format ?? .feed, in: AdContext()))
        case .ceedAds:
            let provider = CeedAdsProvider(app: CeedAdsApp(appID: "inspect"), base: response.url)
            let placement = CeedAdsPlacement(conversationID: "inspect", messageID: "inspect", contextText: "")
            return (provider.name, try provider.offers(from: response, for: placement, in: AdContext()))
        case .attentionMarket:
            let keys = AttentionMarketKeys(apiKey: "inspect", agentID: "inspect", anonKey: "inspect")
            let provider = AttentionMarketProvider(keys: keys, base: response.url)
            let placement = AttentionMarketPlacement(userMessage: "")
            return (provider.name, try provider.offers(from: response, for: placement, in: AdContext()))
        case .prebid, nil:
            let text = "it is JSON, but no server's answer: that has adm, seatbid, ad or ads"
            throw AdError(.unreadableAnswer, text)
        }
    }

    /// What is read for the first placement that the answer suits.
    private static func first(
        _ read: (YabbiPlacement) throws(AdError) -> OfferBatch
    ) throws(AdError) -> OfferBatch {
        var last: AdError?
        for placement in [YabbiPlacement.banner(unit: "i"), .interstitial(unit: "i"), .rewarded(unit: "i")] {
            do throws(AdError) {
                return try read(placement)
            } catch {
                guard error.code == .formatMismatch else { throw error }
                last = error
            }
        }
        throw last ?? AdError(.unreadableAnswer, "the answer suits no placement")
    }

    /// Whether the markup of one of its ads is none.
    var isFailure: Bool { self.proposals.contains { $0.markup.isFailure } }

    /// Whom a beacon tells; an answer of cards does not say where its API is.
    private static func shown(_ beacon: BeaconTemplate) -> String {
        let text = beacon.call.address.text
        let own = "http://answer.invalid/"
        return text.hasPrefix(own) ? "(below the API's address) /" + text.dropFirst(own.count) : text
    }

    func node(of input: String) -> InspectNode {
        .input(
            input,
            "an answer of \(self.provider), \(Quantity.text(self.proposals.count, "ad"))",
            [
                .data("kind", "answer"), .data("provider", self.provider.rawValue),
                .objects("ads", self.proposals.map { self.node($0.proposal, $0.markup) }),
                .issues(self.issues + self.proposals.flatMap(\.proposal.issues)),
                .data("error", .null),
            ]
        )
    }

    private func node(_ proposal: Proposal, _ markup: Finding) -> InspectNode {
        let close = proposal.closeDelay.map { ", can be closed after \($0.seconds) s" } ?? ""
        let trackers = proposal.beacons.map { beacon -> InspectNode in
            .object(
                [.data("event", beacon.event.rawValue), .data("url", beacon.call.address.text)],
                Label.line("on \(beacon.event)", Style.printable(Redaction.address(AdResponseReading.shown(beacon))))
            )
        }
        let card = proposal.card.map { CardText.lines($0, width: 80).map { StyledText.plain($0) } } ?? []
        // A card has no markup: what stands in its place is nothing that people would read.
        let body = markup.node(of: "markup").named("markup")
        return .object(
            [
                .data("kind", proposal.kind), .data("size", proposal.size.description),
                .data("closeTimeout", proposal.closeDelay.map { .int($0.wholeMilliseconds) } ?? AdJSON.null),
                InspectNode("card", .json(proposal.card.map { CardText.json($0) } ?? .null), card),
                .objects("trackers", trackers),
                proposal.card == nil ? body : .data("markup", body.json),
            ],
            .bold(proposal.kind, "  \(proposal.size)\(close)")
        )
    }
}

extension Proposal {
    fileprivate var kind: String {
        switch self {
        case .offer(let offer): offer.terms.kind.name
        case .video(let video): video.isRewarded ? "rewarded" : "video"
        }
    }

    /// The card, if it is one.
    fileprivate var card: CardCreative? {
        guard case .offer(let offer) = self, case .card(let card) = offer.creative else { return nil }
        return card
    }

    fileprivate var size: RequestedSize {
        switch self {
        case .offer(let offer): offer.size
        case .video: .adaptive
        }
    }

    fileprivate var closeDelay: Duration? {
        switch self {
        case .offer(let offer): offer.terms.closeDelay
        case .video(let video): video.closeDelay
        }
    }

    fileprivate var beacons: [BeaconTemplate] {
        switch self {
        case .offer(let offer): offer.beacons
        case .video(let video): video.beacons
        }
    }

    fileprivate var issues: [AdIssue] {
        switch self {
        case .offer(let offer): offer.issues
        case .video(let video): video.issues
        }
    }

    fileprivate var markup: String {
        switch self {
        case .offer(let offer):
            switch offer.creative {
            case .html(let html): html.markup
            case .video, .page: ""
            case .card(let card): card.document
            }
        case .video(let video): video.markup
        }
    }
}

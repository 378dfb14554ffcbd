import AdCore
import AdLint
import AdMarkup
import AdProviders
import PlayConsole
import PlayText

/// An ad response in JSON, with the markup inside.
package struct AdResponseReading {
    private let provider: ProviderName
    private let proposals: [(proposal: Proposal, markup: InspectedInput)]
    private let issues: [AdIssue]

    init(_ bytes: [UInt8], following follower: Follower?) async throws(AdError) {
        let json: AdJSON
        do throws(AdJSON.ParseError) {
            json = try AdJSON.reading(bytes).json
        } catch {
            throw AdError(.unreadableResponse, "the JSON can't be read: \(error)", at: .init(line: error.line))
        }
        let batch: OfferBatch
        (self.provider, batch) = try AdResponseReading.read(json, bytes)
        var proposals: [(Proposal, InspectedInput)] = []
        for proposal in batch.proposals {
            let markup = Array(proposal.markup.utf8)
            proposals.append((proposal, await InspectedInput(markup, from: nil, following: follower)))
        }
        self.proposals = proposals
        self.issues = batch.issues
    }

    /// The offers that its provider reads; its members decide which provider that is.
    private static func read(_ json: AdJSON, _ body: [UInt8]) throws(AdError) -> (ProviderName, OfferBatch) {
        let app = YabbiApp(publisherID: "inspect", bundle: "inspect", name: "inspect")
        // Each provider reads for the format of the response, because there is no placement here.
        switch AdResponseFormat(json) {
        case .openRTB:
            let reading = BidReader(bundle: app.bundle)
            let batch = try self.first { placement throws(AdError) in
                try reading.offers(in: body, for: placement.format, in: AdContext())
            }
            return (reading.name, batch)
        case .yabbi:
            let reading = YabbiOffers(app: app)
            let batch = try self.first { format throws(AdError) in
                try reading.offers(in: body, for: format, in: AdContext())
            }
            return (reading.name, batch)
        case .activeAds:
            let format = json["ads"]?.array?.first?["format"]?.string.flatMap { ActiveAdsPlacement(rawValue: $0) }
            return ("activeads", try ActiveAdsProvider.offers(in: body, for: format ?? .feed))
        case .ceedAds:
            let provider = CeedAdsProvider(app: CeedAdsApp(appID: "inspect"))
            let placement = CeedAdsPlacement(conversationID: "inspect", messageID: "inspect", contextText: "")
            return (provider.name, try provider.offers(in: body, for: placement))
        case .attentionMarket:
            let keys = AttentionMarketKeys(apiKey: "inspect", agentID: "inspect", anonKey: "inspect")
            let provider = AttentionMarketProvider(keys: keys)
            return (provider.name, try provider.offers(in: body, for: AttentionMarketPlacement(userMessage: "")))
        case .prebid, .smarticoMessage, nil:
            let text = "JSON, but not an ad response; expected adm, seatbid, ad or ads"
            throw AdError(.unreadableResponse, text)
        }
    }

    /// The offers for the first placement whose format the response has.
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
        throw last ?? AdError(.unreadableResponse, "the ad response has the format of no placement")
    }

    /// Whether the markup of one of its ads can't be read.
    var isFailure: Bool { self.proposals.contains { $0.markup.isFailure } }

    /// A beacon's URL; for a call of an API whose base URL is not in its response, the path.
    private static func url(of beacon: BeaconTemplate) -> String {
        let address = beacon.call.address
        let isPath = address.url == nil && address.text.hasPrefix("/")
        return isPath ? "(base URL of the API) \(address.text)" : address.text
    }

    func node(of input: String) -> InspectNode {
        .input(
            input,
            "ad response of \(self.provider), \(Quantity.text(self.proposals.count, "ad"))",
            [
                .data("kind", "answer"), .data("provider", self.provider.rawValue),
                .objects("ads", self.proposals.map { self.node($0.proposal, $0.markup) }),
                .issues(self.issues + self.proposals.flatMap(\.proposal.issues)),
                .data("error", .null),
            ]
        )
    }

    private func node(_ proposal: Proposal, _ markup: InspectedInput) -> InspectNode {
        let close = proposal.closeDelay.map { ", can be closed after \($0.seconds) s" } ?? ""
        let trackers = proposal.beacons.map { beacon -> InspectNode in
            .object(
                [.data("event", beacon.event.rawValue), .data("url", beacon.call.address.text)],
                Label.line("on \(beacon.event)", Style.printable(Redaction.address(AdResponseReading.url(of: beacon))))
            )
        }
        let card = proposal.card.map { CardText.lines($0, width: 80).map { StyledText.plain($0) } } ?? []
        // The markup of a card is its rendered document, which the text leaves out.
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
        case .offer(let offer): offer.rules.kind.name
        case .video(let video): video.isRewarded ? "rewarded" : "video"
        case .served: "served"
        }
    }

    /// The creative as a card; nil if it is not one.
    fileprivate var card: CardCreative? {
        guard case .offer(let offer) = self, case .card(let card) = offer.creative else { return nil }
        return card
    }

    fileprivate var size: RequestedSize {
        switch self {
        case .offer(let offer): offer.size
        case .video, .served: .adaptive
        }
    }

    fileprivate var closeDelay: Duration? {
        switch self {
        case .offer(let offer): offer.rules.closeDelay
        case .video(let video): video.closeDelay
        case .served: nil
        }
    }

    fileprivate var beacons: [BeaconTemplate] {
        switch self {
        case .offer(let offer): offer.beacons
        case .video(let video): video.beacons
        case .served: []
        }
    }

    fileprivate var issues: [AdIssue] {
        switch self {
        case .offer(let offer): offer.issues
        case .video(let video): video.issues
        case .served(let markup):
            [AdIssue("adm.served", at: .field("nurl"), "the markup is in the response to \(markup.request.url)")]
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
        case .served: ""
        }
    }
}

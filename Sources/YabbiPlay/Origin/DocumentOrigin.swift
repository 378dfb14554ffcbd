import AdCore
import AdLint
import AdProviders
import AdRuntime
import PlayConsole
import SandboxSSP
import YabbiAds

/// An ad response or a tag that was already read: nothing is requested.
struct DocumentOrigin: AdOrigin {
    private enum Content {
        /// The format is nil if the response is not recognized.
        case response(AdResponseFormat?)
        case tag
    }

    let document: SourceDocument?
    private let name: String
    private let bytes: [UInt8]
    private let content: Content

    /// The same for HTML too: it is read as YABBI's response with it, which has no trackers.
    init(direct document: SourceDocument) {
        if let origin = DocumentOrigin(document) {
            self = origin
            return
        }
        var markup = ""
        if case .markup(let entry) = document.content { markup = entry.markup }
        let response: AdJSON = [
            "type": .int(YabbiWireType.banner.rawValue), "adm": .string(markup), "closeTimeout": 0, "width": 0,
            "height": 0,
        ]
        (self.bytes, self.content) = (response.bytes(), .response(.yabbi))
        self.document = document
        self.name = document.name
    }

    /// Nil for HTML, which the built-in server serves.
    init?(_ document: SourceDocument) {
        switch document.content {
        case .markup: return nil
        case .response(let bytes, let format): (self.bytes, self.content) = (bytes, .response(format))
        case .tag(let bytes): (self.bytes, self.content) = (bytes, .tag)
        }
        self.document = document
        self.name = document.name
    }

    var namesAnyServer: Bool { true }
    var servers: [HTTPURL] { [self.base].compactMap(\.self) }

    func unit(_ named: String?, for command: String) throws(PlayError) -> String { named ?? "response" }

    func format(of unit: String) -> AdFormat {
        if let format = self.document?.format { return format }
        return if case .tag = self.content { .interstitial } else { .banner }
    }

    func markup(of unit: String) -> [UInt8]? { self.document?.bytes ?? self.bytes }

    func naturalSize(of offer: Offer?) -> Size? {
        guard case .tag = self.content, self.document?.format == nil, case .video(let video)? = offer?.creative,
            case .media(let files)? = video.spots.first?.content
        else { return nil }
        return files.first?.size
    }

    // MARK: Reading

    func loader(for query: PlacementQuery, in run: RunContext) throws(PlayError) -> AdLoader<YabbiPlacement> {
        let (app, guarantee, bytes) = (run.plan.app, run.options.guarantee, self.bytes)
        let response: StoredResponse<YabbiPlacement>
        if case .response(let format?) = self.content, format.isCards {
            try self.refuseLanguage(query.language)
            let name = CardDocument.provider(of: format)
            response = StoredResponse(name, document: self.name) { (_, _) throws(AdError) in
                try CardDocument.offers(in: bytes, format)
            }
            return AdLoader(response, services: run.services)
        }
        switch try self.language(requested: query.language) {
        case nil:
            let tag = TagReader(bundle: app.bundle, guarantee: guarantee)
            response = StoredResponse(tag.name, document: self.name) { (placement, context) throws(AdError) in
                try tag.offers(in: bytes, for: placement, in: context)
            }
        case .yabbi:
            let reading = YabbiOffers(app: app.app, guarantee: guarantee)
            response = self.response(reading.name, query.format) { (placement, context) throws(AdError) in
                try reading.offers(in: bytes, for: placement, in: context)
            }
        case .openrtb:
            let reading = BidReader(bundle: app.app.bundle, guarantee: guarantee)
            response = self.response(reading.name, query.format) { (placement, context) throws(AdError) in
                try reading.offers(in: bytes, for: placement.format, in: context)
            }
        }
        return AdLoader(response, services: run.services)
    }

    /// The response for the chosen format.
    ///
    /// Without one the response decides.
    private func response(
        _ provider: ProviderName,
        _ format: AdFormat?,
        _ read: @escaping StoredResponse<YabbiPlacement>.Read
    ) -> StoredResponse<YabbiPlacement> {
        let isEmpty = self.bytes.allSatisfy(\.isWhiteSpace)
        return StoredResponse(provider, document: self.name) { (placement, context) throws(AdError) in
            if isEmpty { return .noFill }
            guard format == nil else { return try read(placement, context) }
            return try AnySlot.offers(for: placement) { (placement) throws(AdError) in try read(placement, context) }
        }
    }

    /// Throws if the command line names a protocol of placements: cards are not requested in one.
    private func refuseLanguage(_ requested: PlacementQuery.Language?) throws(PlayError) {
        guard requested == nil else {
            throw PlayError(.usage, "\(self.name) is a response with cards; remove --provider")
        }
    }

    /// The protocol of the response; nil for a tag, which has none.
    ///
    /// A recognized response decides it. Throws if the command line names another one.
    private func language(requested: PlacementQuery.Language?) throws(PlayError) -> PlacementQuery.Language? {
        switch self.content {
        case .tag:
            guard requested == nil else {
                throw PlayError(.usage, "\(self.name) is a tag without an ad response; remove --provider")
            }
            return nil
        case .response(let format):
            guard let own = format?.language else { return requested ?? .yabbi }
            guard requested == nil || requested == own else {
                let fix = "remove --provider, or use --provider \(own)"
                throw PlayError(.usage, "\(self.name) is a response of \(own); \(fix)")
            }
            return own
        }
    }
}

extension AdResponseFormat {
    /// The protocol of the response; nil if no placement is requested in it.
    fileprivate var language: PlacementQuery.Language? {
        switch self {
        case .openRTB: .openrtb
        case .yabbi: .yabbi
        case .activeAds, .ceedAds, .attentionMarket, .prebid, .smarticoMessage: nil
        }
    }
}

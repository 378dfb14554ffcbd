import AdCore
import AdMarkup

/// A VAST document as `inspect --json` prints it: absent is null or [], unknown numbers are null.
enum VASTJSON {
    static func document(_ document: VASTDocument) -> AdJSON {
        [
            "version": .text(document.version),
            "errorURLs": self.urls(document.errorURLs),
            "ads": .array(document.ads.map(self.ad)),
            "issues": self.issues(document.issues),
            "error": nil,
        ]
    }

    static func failure(_ error: VASTError) -> AdJSON {
        self.failure(code: error.code, error.message, line: error.line)
    }

    /// The code is nil where no document came.
    static func failure(code: Int?, _ message: String, line: Int?) -> AdJSON {
        [
            "version": nil, "errorURLs": [], "ads": [], "issues": [],
            "error": ["code": self.int(code), "message": .string(message), "line": self.int(line)],
        ]
    }

    static func issues(_ issues: [AdIssue]) -> AdJSON { .array(issues.map(self.issue)) }

    private static func issue(_ issue: AdIssue) -> AdJSON {
        var line: Int?
        if case .line(let number) = issue.place { line = number }
        return ["code": .string(issue.code), "line": self.int(line), "message": .string(issue.message)]
    }

    private static func ad(_ ad: VASTAd) -> AdJSON {
        let (inline, wrapper) = (ad.inline, ad.wrapper)
        return .object([
            .init("id", .text(ad.id)), .init("sequence", self.int(ad.sequence)),
            .init("type", wrapper == nil ? "inline" : "wrapper"), .init("adType", .text(ad.adType)),
            .init("adServingId", .text(ad.servingID)), .init("adSystem", .text(ad.system?.name)),
            .init("title", .text(inline?.title)), .init("advertiser", .text(inline?.advertiser?.name)),
            .init("expires", self.int(inline?.expires)),
            .init("categories", .array(inline?.categories.map { .string($0.value) } ?? [])),
            .init("blockedAdCategories", .array(wrapper?.blockedCategories.map { .string($0.value) } ?? [])),
            .init("pricing", self.pricing(ad.pricing)),
            .init("impressions", self.urls(ad.impressions.map(\.url))), .init("errors", self.urls(ad.errors)),
            .init("wrapperURL", .text(wrapper?.tagURL?.text)),
            .init("followAdditionalWrappers", self.bool(wrapper?.followsAdditionalWrappers)),
            .init("allowMultipleAds", self.bool(wrapper?.allowsMultipleAds)),
            .init("fallbackOnNoAd", self.bool(wrapper?.fallsBackOnNoAd)),
            .init("viewable", self.viewable(ad.viewable)),
            .init("verifications", .array(ad.verifications.map(self.verification))),
            .init("extensions", .int(ad.extensions.count)),
            .init("creatives", .array(ad.creatives.map(self.creative))),
        ])
    }

    private static func pricing(_ pricing: VASTPricing?) -> AdJSON {
        guard let pricing else { return .null }
        return ["value": .double(pricing.value), "model": .text(pricing.model), "currency": .text(pricing.currency)]
    }

    private static func viewable(_ list: [VASTViewable]) -> AdJSON {
        [
            "viewable": self.urls(list.flatMap(\.viewable)), "notViewable": self.urls(list.flatMap(\.notViewable)),
            "undetermined": self.urls(list.flatMap(\.undetermined)),
        ]
    }

    private static func verification(_ verification: VASTVerification) -> AdJSON {
        [
            "vendor": .text(verification.vendor), "resources": self.urls(verification.resources.map(\.url)),
            "params": .text(verification.parameters),
            "apiFramework": .text(verification.resources.first?.apiFramework),
            "tracking": self.tracking(verification.tracking),
        ]
    }

    // MARK: Creatives

    private static func creative(_ creative: VASTCreative) -> AdJSON {
        let (kind, members) = self.body(creative.body)
        let common = [
            AdJSON.Member("kind", .string(kind)), .init("id", .text(creative.id)), .init("adId", .text(creative.adID)),
            .init("sequence", self.int(creative.sequence)), .init("apiFramework", .text(creative.apiFramework)),
            .init("universalAdIds", .array(creative.universalAdIDs.map { .string($0.value) })),
            .init("universalAdIdRegistries", .array(creative.universalAdIDs.map { .text($0.registry) })),
        ]
        return .object(common + members)
    }

    private static func body(_ body: VASTCreative.Body) -> (kind: String, members: [AdJSON.Member]) {
        switch body {
        case .linear(let linear): return ("linear", self.linear(linear))
        case .nonLinear(let list):
            return (
                "nonlinear",
                [
                    .init("trackingEvents", self.tracking(list.tracking)),
                    .init("nonLinears", .array(list.items.map(self.nonLinear))),
                ]
            )
        case .companions(let list):
            return (
                "companions",
                [
                    .init("required", .text(list.required?.rawValue)),
                    .init("companions", .array(list.items.map(self.companion))),
                ]
            )
        }
    }

    private static func linear(_ linear: VASTLinear) -> [AdJSON.Member] {
        [
            .init("duration", self.seconds(linear.duration)),
            .init("skipOffset", self.seconds(linear.skipOffset?.time(in: linear.duration))),
            .init("clickThrough", .text(linear.clickThrough?.text)),
            .init("clickTracking", self.urls(linear.clickTracking)),
            .init("customClicks", self.urls(linear.customClicks)), .init("adParameters", .text(linear.parameters)),
            .init("trackingEvents", self.tracking(linear.tracking)),
            .init("mediaFiles", .array(linear.mediaFiles.map(self.media))),
            .init(
                "interactive",
                .array(
                    linear.interactiveFiles.map {
                        [
                            "url": .string($0.url.text), "type": .text($0.type),
                            "apiFramework": .text($0.apiFramework),
                        ]
                    }
                )
            ), .init("mezzanine", self.mezzanine(linear.mezzanines.first)),
            .init(
                "captions",
                .array(
                    linear.captions.map {
                        ["url": .string($0.url.text), "type": .text($0.type), "language": .text($0.language)]
                    }
                )
            ), .init("icons", .array(linear.icons.map(self.icon))),
        ]
    }

    private static func media(_ media: VASTMediaFile) -> AdJSON {
        [
            "url": .string(media.url.text), "id": .text(media.id), "type": .text(media.type),
            "width": self.int(media.width), "height": self.int(media.height), "bitrate": self.int(media.bitrate),
            "minBitrate": self.int(media.minBitrate), "maxBitrate": self.int(media.maxBitrate),
            "delivery": .text(media.delivery), "codec": .text(media.codec), "apiFramework": .text(media.apiFramework),
        ]
    }

    private static func mezzanine(_ mezzanine: VASTMezzanine?) -> AdJSON {
        guard let mezzanine else { return .null }
        return [
            "url": .string(mezzanine.url.text), "type": .text(mezzanine.type), "width": self.int(mezzanine.width),
            "height": self.int(mezzanine.height),
        ]
    }

    private static func icon(_ icon: VASTIcon) -> AdJSON {
        .object(
            [
                .init("program", .text(icon.program)), .init("width", self.int(icon.width)),
                .init("height", self.int(icon.height)), .init("x", self.place(icon.x, "left", "right")),
                .init("y", self.place(icon.y, "top", "bottom")), .init("offset", self.seconds(icon.offset)),
                .init("duration", self.seconds(icon.duration)),
            ] + self.resources(icon.resources) + [
                .init("clickThrough", .text(icon.clicks.through?.text)),
                .init("clickTracking", self.urls(icon.clicks.tracking)),
                .init("viewTracking", .text(icon.views.first?.text)),
                .init("fallbackImages", self.urls(icon.fallbackImages)),
            ]
        )
    }

    private static func nonLinear(_ item: VASTNonLinear) -> AdJSON {
        .object(
            [
                .init("id", .text(item.id)), .init("width", self.int(item.width)),
                .init("height", self.int(item.height)), .init("minSuggestedDuration", self.seconds(item.minimum)),
                .init("apiFramework", .text(item.apiFramework)),
            ] + self.resources(item.resources) + [
                .init("clickThrough", .text(item.clicks.through?.text)),
                .init("clickTracking", self.urls(item.clicks.tracking)),
            ]
        )
    }

    private static func companion(_ item: VASTCompanion) -> AdJSON {
        .object(
            [
                .init("id", .text(item.id)), .init("width", self.int(item.width)),
                .init("height", self.int(item.height)),
            ] + self.resources(item.resources) + [
                .init("clickThrough", .text(item.clicks.through?.text)),
                .init("clickTracking", self.urls(item.clicks.tracking)),
                .init("tracking", self.tracking(item.tracking)),
            ]
        )
    }

    /// The first resource of each kind.
    private static func resources(_ resources: [VASTResource]) -> [AdJSON.Member] {
        var (file, html, page): (String?, String?, String?) = (nil, nil, nil)
        for resource in resources {
            switch resource {
            case .file(let url, _): file = file ?? url.text
            case .html(let text): html = html ?? text
            case .page(let url): page = page ?? url.text
            }
        }
        return [.init("staticResource", .text(file)), .init("html", .text(html)), .init("iframe", .text(page))]
    }

    // MARK: Values

    private static func urls(_ urls: [URLTemplate]) -> AdJSON { .array(urls.map { .string($0.text) }) }

    private static func int(_ value: Int?) -> AdJSON { value.map { .int($0) } ?? .null }

    private static func bool(_ value: Bool?) -> AdJSON { value.map { .bool($0) } ?? .null }

    private static func seconds(_ duration: Duration?) -> AdJSON { duration.map { .double($0.inSeconds) } ?? .null }

    private static func place(_ place: VASTIcon.Place?, _ start: String, _ end: String) -> AdJSON {
        switch place {
        case .start: .string(start)
        case .end: .string(end)
        case .points(let points): .int(points)
        case nil: .null
        }
    }

    /// The addresses by their events, the events in the order of the document; progress with its offset.
    private static func tracking(_ tracking: [VASTTracking]) -> AdJSON {
        var names: [String] = []
        var urls: [String: [AdJSON]] = [:]
        for one in tracking {
            let name = self.name(one)
            if urls[name] == nil { names.append(name) }
            urls[name, default: []].append(.string(one.url.text))
        }
        return .object(names.map { AdJSON.Member($0, .array(urls[$0] ?? [])) })
    }

    private static func name(_ tracking: VASTTracking) -> String {
        switch tracking.offset {
        case .time(let time) where tracking.event == "progress":
            "progress-\(AdJSON.double(time.inSeconds).text())"
        case .percent(let percent) where tracking.event == "progress":
            "progress-\(AdJSON.double(percent).text())%"
        default: tracking.event
        }
    }
}

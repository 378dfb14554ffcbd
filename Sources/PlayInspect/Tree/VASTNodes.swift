import AdCore
import AdMarkup
import PlayConsole

/// A VAST document as nodes.
enum VASTNodes {
    static func members(_ document: VASTDocument) -> [InspectNode] {
        [
            .data("version", document.version),
            .urls("errorURLs", "no-ad error", document.errorURLs),
            .objects("ads", document.ads.map(self.ad)),
            .issues(document.issues),
            .data("error", .null),
        ]
    }

    /// A document that can't be read.
    ///
    /// - Parameters:
    ///   - code: The error code (VAST 4.3 §2.3.6.3); nil if the input is not VAST.
    ///   - isShown: Whether the text also has the code.
    ///   - message: The error message.
    ///   - line: The line of the error.
    ///   - input: The name of the input.
    /// - Returns: The input as a node.
    static func failure(
        code: Int?,
        shown isShown: Bool = true,
        _ message: String,
        line: Int?,
        of input: String
    ) -> InspectNode {
        let title = isShown ? code.map { "error \($0)" } ?? "error" : "error"
        // The line already has the input's name.
        let reason = message.hasPrefix("\(input) can't be ") ? String(message.dropFirst(input.count + 1)) : message
        let text = Style.printable(reason, upTo: 400) + (line.map { " (line \($0))" } ?? "")
        return InspectNode(
            nil,
            .object([
                .data("version", .null), .data("errorURLs", []), .data("ads", []), .data("issues", []),
                InspectNode(
                    "error",
                    .object([.data("code", code), .data("message", message), .data("line", line)])
                ),
            ]),
            [.bold(Style.printable(input), "  ") + .red(title, "  \(text)")]
        )
    }

    // MARK: Ads

    private static func ad(_ ad: VASTAd) -> InspectNode {
        let (inline, wrapper) = (ad.inline, ad.wrapper)
        let facts: [InspectNode] = [
            .data("id", ad.id), .data("sequence", ad.sequence), .data("type", wrapper == nil ? "inline" : "wrapper"),
            .data("adType", ad.adType), .data("adServingId", ad.servingID), .data("adSystem", ad.system?.name),
            .data("title", inline?.title), .row("advertiser", "advertiser", inline?.advertiser?.name),
            .data("expires", inline?.expires),
            self.names("categories", "categories", inline?.categories.map(\.value)),
            self.names("blockedAdCategories", "blocked", wrapper?.blockedCategories.map(\.value)),
            self.pricing(ad.pricing),
        ]
        let trackers: [InspectNode] = [
            .urls("impressions", "impression", ad.impressions.map(\.url)), .urls("errors", "error", ad.errors),
            .url("wrapperURL", "VASTAdTagURI", wrapper?.tagURL),
            .data("followAdditionalWrappers", wrapper?.followsAdditionalWrappers),
            .data("allowMultipleAds", wrapper?.allowsMultipleAds),
            .data("fallbackOnNoAd", wrapper?.fallsBackOnNoAd),
            InspectNode(
                "viewable",
                .object([
                    .urls("viewable", "viewable", ad.viewable.flatMap(\.viewable)),
                    .urls("notViewable", "not viewable", ad.viewable.flatMap(\.notViewable)),
                    .urls("undetermined", "undetermined", ad.viewable.flatMap(\.undetermined)),
                ])
            ),
            .objects("verifications", ad.verifications.map(self.verification)),
            .data("extensions", ad.extensions.count),
            .objects("creatives", ad.creatives.map(self.creative)),
        ]
        return .object(facts + trackers, self.heading(ad))
    }

    private static func heading(_ ad: VASTAd) -> StyledText {
        let name = ad.id.map { " \(Style.printable($0, upTo: 60))" } ?? ""
        let place = ad.sequence.map { ", pod sequence \($0)" } ?? ""
        let kind = ad.wrapper == nil ? "inline" : "wrapper"
        let title = ad.inline?.title.map { "  \u{201C}\(Style.printable($0, upTo: 80))\u{201D}" } ?? ""
        let system = ad.system.map { "  by \(Style.printable($0.name, upTo: 60))" } ?? ""
        return .bold("ad\(name)", " (\(kind)\(place))\(title)\(system)")
    }

    private static func names(_ name: String, _ label: String, _ values: [String]?) -> InspectNode {
        let values = values ?? []
        let line = values.isEmpty ? [] : [Label.line(label, Style.printable(values.joined(separator: ", ")))]
        return InspectNode(name, .json(.array(values.map { .string($0) })), line)
    }

    private static func pricing(_ pricing: VASTPricing?) -> InspectNode {
        guard let pricing else { return .data("pricing", .null) }
        let text = [AdJSON.double(pricing.value).text(), pricing.currency, pricing.model].compactMap(\.self)
        return InspectNode(
            "pricing",
            .object([
                .data("value", .double(pricing.value)), .data("model", pricing.model),
                .data("currency", pricing.currency),
            ]),
            [Label.line("price", Style.printable(text.joined(separator: " ")))]
        )
    }

    private static func verification(_ verification: VASTVerification) -> InspectNode {
        .object(
            [
                .data("vendor", verification.vendor), .urls("resources", "script", verification.resources.map(\.url)),
                .data("params", verification.parameters),
                .data("apiFramework", verification.resources.first?.apiFramework),
                self.tracking("tracking", verification.tracking),
            ],
            Label.line("verification", "by \(Style.printable(verification.vendor ?? "an unnamed vendor", upTo: 80))")
        )
    }

    // MARK: Creatives

    private static func creative(_ creative: VASTCreative) -> InspectNode {
        let (kind, line, members) = self.body(creative.body)
        let common: [InspectNode] = [
            .data("kind", kind), .data("id", creative.id), .data("adId", creative.adID),
            .data("sequence", creative.sequence), .data("apiFramework", creative.apiFramework),
            .data("universalAdIds", .array(creative.universalAdIDs.map { .string($0.value) })),
            .data("universalAdIdRegistries", .array(creative.universalAdIDs.map { .text($0.registry) })),
        ]
        return .object(common + members, .plain(line))
    }

    private static func body(_ body: VASTCreative.Body) -> (kind: String, line: String, members: [InspectNode]) {
        switch body {
        case .linear(let linear):
            let length = linear.duration.map { "\($0.seconds) s" } ?? "unknown duration"
            let skip = linear.skipOffset.map { ", skippable at \(self.offset($0))" } ?? ""
            return ("linear", "linear, \(length)\(skip)", self.linear(linear))
        case .nonLinear(let list):
            return (
                "nonlinear", "nonlinear",
                [
                    self.tracking("trackingEvents", list.tracking),
                    .objects("nonLinears", list.items.map(self.nonLinear)),
                ]
            )
        case .companions(let list):
            let required = list.required.map { ", \($0.rawValue) required" } ?? ""
            return (
                "companions", "companions\(required)",
                [
                    .data("required", list.required?.rawValue),
                    .objects("companions", list.items.map(self.companion)),
                ]
            )
        }
    }

    private static func linear(_ linear: VASTLinear) -> [InspectNode] {
        [
            .data("duration", linear.duration),
            .data("skipOffset", linear.skipOffset?.time(in: linear.duration)),
            .url("clickThrough", "click-through", linear.clickThrough),
            .urls("clickTracking", "click", linear.clickTracking),
            .urls("customClicks", "custom click", linear.customClickTracking),
            .data("adParameters", linear.parameters),
            self.tracking("trackingEvents", linear.tracking),
            .objects("mediaFiles", linear.mediaFiles.map(self.media)),
            .objects("interactive", linear.interactiveFiles.map(self.interactive)),
            self.mezzanine(linear.mezzanines.first),
            .objects("captions", linear.captions.map(self.captions)),
            .objects("icons", linear.icons.map(self.icon)),
        ]
    }

    private static func media(_ media: VASTMediaFile) -> InspectNode {
        let rate = media.bitrate.map { ", \($0) kbit/s" } ?? ""
        let framework = media.apiFramework.map { ", \(Style.printable($0, upTo: 20))" } ?? ""
        let about = "\(self.type(media.type)), \(self.size(media.width, media.height))\(rate)\(framework)"
        return .object(
            [
                .data("url", media.url.text), .data("id", media.id), .data("type", media.type),
                .data("width", media.width), .data("height", media.height), .data("bitrate", media.bitrate),
                .data("minBitrate", media.minBitrate), .data("maxBitrate", media.maxBitrate),
                .data("delivery", media.delivery), .data("codec", media.codec),
                .data("apiFramework", media.apiFramework),
            ],
            Label.line("media", "\(about)  \(media.url.printable)")
        )
    }

    private static func interactive(_ file: VASTInteractiveFile) -> InspectNode {
        let framework = Style.printable(file.apiFramework ?? "without apiFramework", upTo: 20)
        return .object(
            [.data("url", file.url.text), .data("type", file.type), .data("apiFramework", file.apiFramework)],
            Label.line("interactive", "\(framework), \(self.type(file.type))  \(file.url.printable)")
        )
    }

    private static func mezzanine(_ file: VASTMezzanine?) -> InspectNode {
        guard let file else { return .data("mezzanine", .null) }
        return InspectNode(
            "mezzanine",
            .object([
                .data("url", file.url.text), .data("type", file.type), .data("width", file.width),
                .data("height", file.height),
            ]),
            [
                Label.line(
                    "mezzanine",
                    "\(self.type(file.type)), \(self.size(file.width, file.height))  \(file.url.printable)"
                )
            ]
        )
    }

    private static func captions(_ file: VASTCaption) -> InspectNode {
        let language = file.language.map { ", \(Style.printable($0, upTo: 20))" } ?? ""
        return .object(
            [.data("url", file.url.text), .data("type", file.type), .data("language", file.language)],
            Label.line("captions", "\(self.type(file.type))\(language)  \(file.url.printable)")
        )
    }

    private static func icon(_ icon: VASTIcon) -> InspectNode {
        .object(
            [
                .data("program", icon.program), .data("width", icon.width), .data("height", icon.height),
                .data("x", self.place(icon.x, "left", "right")), .data("y", self.place(icon.y, "top", "bottom")),
                .data("offset", icon.offset), .data("duration", icon.duration),
            ] + self.resources(icon.resources) + [
                .url("clickThrough", "click-through", icon.clicks.through),
                .urls("clickTracking", "click", icon.clicks.tracking),
                .url("viewTracking", "view", icon.views.first),
                .urls("fallbackImages", "fallback", icon.fallbackImages),
            ],
            Label.line("icon", "\(Style.printable(icon.program ?? "-", upTo: 40))  \(self.content(icon.resources))")
        )
    }

    private static func nonLinear(_ item: VASTNonLinear) -> InspectNode {
        .object(
            [
                .data("id", item.id), .data("width", item.width), .data("height", item.height),
                .data("minSuggestedDuration", item.minimum), .data("apiFramework", item.apiFramework),
            ] + self.resources(item.resources) + [
                .url("clickThrough", "click-through", item.clicks.through),
                .urls("clickTracking", "click", item.clicks.tracking),
            ],
            Label.line("overlay", "\(self.size(item.width, item.height))  \(self.content(item.resources))")
        )
    }

    private static func companion(_ item: VASTCompanion) -> InspectNode {
        .object(
            [.data("id", item.id), .data("width", item.width), .data("height", item.height)]
                + self.resources(item.resources) + [
                    .url("clickThrough", "click-through", item.clicks.through),
                    .urls("clickTracking", "click", item.clicks.tracking),
                    self.tracking("tracking", item.tracking),
                ],
            Label.line("companion", "\(self.size(item.width, item.height))  \(self.content(item.resources))")
        )
    }

    /// The first resource of each kind; the line of the enclosing node has all of them.
    private static func resources(_ resources: [VASTResource]) -> [InspectNode] {
        var (file, html, page): (String?, String?, String?) = (nil, nil, nil)
        for resource in resources {
            switch resource {
            case .file(let url, _): file = file ?? url.text
            case .html(let text): html = html ?? text
            case .page(let url): page = page ?? url.text
            }
        }
        return [.data("staticResource", file), .data("html", html), .data("iframe", page)]
    }

    private static func content(_ resources: [VASTResource]) -> String {
        let parts = resources.map { resource in
            switch resource {
            case .file(let url, let type): "\(Style.printable(type ?? "file", upTo: 40)) \(url.printable)"
            case .page(let url): "page \(url.printable)"
            case .html(let text): "HTML, \(text.utf8.count) bytes"
            }
        }
        return parts.isEmpty ? "without a resource" : parts.joined(separator: "; ")
    }

    // MARK: Values

    private static func type(_ type: String?) -> String { Style.printable(type ?? "without a type", upTo: 60) }

    private static func size(_ width: Int?, _ height: Int?) -> String {
        "\(width.map { String($0) } ?? "?")x\(height.map { String($0) } ?? "?")"
    }

    private static func offset(_ offset: MediaOffset) -> String {
        switch offset {
        case .time(let time): "\(time.seconds) s"
        case .percent(let percent): "\(percent) %"
        }
    }

    private static func place(_ place: VASTIcon.Place?, _ start: String, _ end: String) -> AdJSON {
        switch place {
        case .start: .string(start)
        case .end: .string(end)
        case .points(let points): .int(points)
        case nil: .null
        }
    }

    /// The URLs by event, in the order of the document; `progress` includes its offset.
    private static func tracking(_ name: String, _ tracking: [VASTTracking]) -> InspectNode {
        var names: [String] = []
        var urls: [String: [AdJSON]] = [:]
        for tracker in tracking {
            let event = self.event(tracker)
            if urls[event] == nil { names.append(event) }
            urls[event, default: []].append(.string(tracker.url.text))
        }
        let lines = tracking.map { tracker in
            let offset = tracker.offset.map { " at \(self.offset($0))" } ?? ""
            return Label.line("on \(Style.printable(tracker.event, upTo: 40))\(offset)", tracker.url.printable)
        }
        return InspectNode(name, .json(.object(names.map { AdJSON.Member($0, .array(urls[$0] ?? [])) })), lines)
    }

    private static func event(_ tracking: VASTTracking) -> String {
        switch tracking.offset {
        case .time(let time) where tracking.event == "progress":
            "progress-\(AdJSON.double(time.inSeconds).text())"
        case .percent(let percent) where tracking.event == "progress":
            "progress-\(AdJSON.double(percent).text())%"
        default: tracking.event
        }
    }
}

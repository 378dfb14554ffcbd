import AdCore

/// An ad as a spot with its trackers; its number is assigned later.
package struct BuiltSpot {
    let ad: VASTResolvedAd
    let spot: VideoSpot
    let lifetime: Duration?
    /// The trackers, without the number of the spot and the values of the ad's macros.
    fileprivate let trackers: [(event: BeaconEvent, part: VideoPartID?, url: URLTemplate, depth: Int)]
    fileprivate let values: MacroValues

    var trackerCount: Int { self.trackers.count }

    func beacons(_ number: Int) -> [VideoTracker] {
        self.trackers.map {
            VideoTracker($0.event, spot: number, part: $0.part, self.values.filled($0.url), depth: $0.depth)
        }
    }
}

/// Builds a spot from an ad and its wrappers.
package struct SpotBuilder {
    let ad: VASTResolvedAd
    let merge: VASTMerge
    let policy: VideoPolicy
    let isRewarded: Bool
    var values: MacroValues
    /// Macro values of the load, for URLs that are fetched or opened.
    private let moment: MacroValues
    /// Issues about what is left out of the spot.
    var issues: [AdIssue] = []
    /// Error codes to report although the ad is played.
    var errorCodes: [Int] = []
    private var trackers: [(event: BeaconEvent, part: VideoPartID?, url: URLTemplate, depth: Int)] = []
    var parts: [VideoPartID: VideoPart] = [:]
    var partRules: [PartRules] = []
    var progress: [MediaOffset] = []
    private var knownProgress: Set<MediaOffset> = []

    package init(_ ad: VASTResolvedAd, policy: VideoPolicy, isRewarded: Bool, values: MacroValues, moment: MacroValues)
    {
        self.ad = ad
        self.moment = moment
        self.merge = VASTMerge(ad)
        self.policy = policy
        self.isRewarded = isRewarded
        self.values = values.adding(SpotBuilder.values(of: ad))
    }

    /// The macro values of the ad.
    private static func values(of ad: VASTResolvedAd) -> MacroValues {
        var values = MacroValues()
        values[.adServingID] = ad.layers.reversed().lazy.compactMap(\.servingID).first.map { .text($0) }
        values[.adType] = .text(ad.inline.adType ?? "video")
        values[.podSequence] = ad.sequence.map { .text(String($0)) }
        return values
    }

    package mutating func build() -> Result<BuiltSpot, VASTError> {
        do throws(VASTError) {
            try self.checkAd()
            if let spot = try self.linear() { return .success(spot) }
            return .success(try self.overlay())
        } catch {
            return .failure(error)
        }
    }

    // MARK: Checks

    private func checkAd() throws(VASTError) {
        // VAST 4.3 §3.3.2: conditionalAd, adType.
        if self.ad.layers.contains(where: { $0.isConditional == true }) {
            throw VASTError(408, "it is a conditional ad (conditionalAd), which is not supported")
        }
        if self.ad.inline.adType?.asciiLowercased == "audio" {
            throw VASTError(200, "it is an audio ad, which is not supported")
        }
        // VAST 4.3 §3.4.5, §3.19.2.
        let categories = self.ad.inline.inline?.categories ?? []
        if self.policy.requiresCategory, categories.isEmpty {
            throw VASTError(204, "it has no <Category>, which the policy requires")
        }
        guard !categories.isEmpty else { return }
        let blocked = self.ad.wrappers.flatMap { $0.wrapper?.blockedCategories ?? [] }
        // A list is comma-separated, and names may contain spaces; some servers separate by spaces (VAST 4.3 §3.19.2).
        let names = blocked.flatMap { list in
            list.value.split(separator: ",") + list.value.split { $0 == "," || $0.isWhitespace }
        }
        let refused = Set((names.map(\.trimmed) + self.policy.blockedCategories).map(\.asciiLowercased))
        if let category = categories.first(where: { refused.contains($0.value.trimmed.asciiLowercased) }) {
            throw VASTError(205, "its category \(category.value.excerpt(40)) is blocked")
        }
    }

    // MARK: Overlays

    private mutating func overlay() throws(VASTError) -> BuiltSpot {
        guard let creative = self.ad.inline.creatives.first(where: { $0.nonLinear?.items.isEmpty == false }),
            let nonLinears = creative.nonLinear
        else {
            throw VASTError(200, "it has neither a linear nor a nonlinear creative", line: self.ad.inline.line)
        }
        guard self.policy.playsNonLinear, !self.isRewarded else {
            throw VASTError(201, "it is nonlinear; a linear ad is required", line: creative.line)
        }
        self.add(universalIDs: creative)
        let (item, part) = try self.firstDisplayable(nonLinears.items, line: creative.line)
        for element in self.merge.elements(of: nonLinears, \.tracking) {
            self.addTracker(element.value, nil, element.depth)
        }
        let depth = self.ad.layers.count - 1
        // In wrappers <NonLinear> only adds trackers (VAST 4.3 §3.12.3).
        for (outer, layer) in self.ad.wrappers.enumerated() {
            let items = layer.creatives.compactMap(\.nonLinear).flatMap(\.items)
            for url in items.flatMap(\.clicks.tracking) { self.addTracker("clickTracking", nil, url, outer) }
        }
        for url in item.clicks.tracking { self.addTracker("clickTracking", nil, url, depth) }
        try self.addCompanions()
        self.addAdTrackers()
        let endCard = self.endCard
        let verifications = self.verifications()
        let interactive = SpotBuilder.interactive(item, part)
        let rules = SpotRules(
            .overlay(minimum: item.minimum),
            hasEndCard: endCard != nil,
            parts: self.partRules,
            verifications: verifications.count,
            clickThrough: self.overlayClickThrough(item).flatMap { self.clickThroughURL($0) },
            interactive: interactive == nil ? nil : .alone(vastCode: 902)
        )
        let title = self.ad.inline.inline?.title
        let spot = VideoSpot(
            .overlay(part),
            rules: rules,
            title: title,
            parts: self.parts,
            endCard: endCard,
            verifications: verifications,
            interactive: interactive
        )
        return self.built(spot)
    }

    private mutating func firstDisplayable(
        _ items: [VASTNonLinear],
        line: Int
    ) throws(VASTError) -> (VASTNonLinear, VideoPart) {
        var first: VASTError?
        for item in items {
            do throws(VASTError) {
                return (item, try self.part(of: item, line: line))
            } catch {
                first = first ?? error
            }
        }
        throw first ?? VASTError(500, "it has no nonlinear creative that can be displayed", line: line)
    }

    /// An overlay's content; the errors are those for nonlinear ads and VPAID (VAST 4.3 §2.3.6.3).
    private func part(of item: VASTNonLinear, line: Int) throws(VASTError) -> VideoPart {
        if item.apiFramework?.asciiLowercased == "vpaid" {
            throw VASTError(901, "the overlay is a VPAID unit, which is not executed", line: line)
        }
        if let container = self.policy.container, let width = item.width, let height = item.height,
            Double(width) > container.width || Double(height) > container.height, item.isScalable != true
        {
            throw VASTError(501, "the overlay of \(width)x\(height) does not fit into \(container)", line: line)
        }
        switch self.content(of: item.resources) {
        case .success(let content):
            return VideoPart(content, size: Size(of: item.width, item.height))
        case .failure(.unsupported(let what)):
            throw VASTError(503, "the overlay is \(what), which is not supported", line: line)
        case .failure(.unreachable(let reason)):
            throw VASTError(502, "the overlay's URL is invalid: \(reason)", line: line)
        case .failure(.missing):
            throw VASTError(500, "the overlay has no visible content", line: line)
        }
    }

    /// The interactive part of an overlay, which is its page itself (SIMID 1.2 §3.6.2).
    private static func interactive(_ item: VASTNonLinear, _ part: VideoPart) -> InteractiveCreative? {
        guard item.apiFramework?.trimmed.asciiLowercased == "simid", case .page(let url) = part.content else {
            return nil
        }
        return InteractiveCreative(.simid, url, parameters: item.parameters)
    }

    /// The click-through URL of an overlay: its own, or else the nearest wrapper's (VAST 4.3 §2.3.5).
    private func overlayClickThrough(_ item: VASTNonLinear) -> URLTemplate? {
        item.clicks.through
            ?? self.ad.wrappers.reversed().lazy
            .flatMap(\.creatives).flatMap { $0.nonLinear?.items ?? [] }.compactMap(\.clicks.through).first
    }

    // MARK: Trackers

    /// The longest lifetime of an ad: a week, in seconds.
    private static let maximumLifetime = 604_800

    /// Completes a spot with its lifetime (`Expires`, VAST 4.3 §3.4.10) and trackers.
    mutating func built(_ spot: VideoSpot) -> BuiltSpot {
        let expires = self.ad.inline.inline?.expires
        if expires == 0 {
            self.recordIssue("expires.zero", self.ad.inline.line, "Expires is 0; it is ignored")
        }
        let seconds = expires.flatMap { $0 > 0 ? Duration.seconds(min($0, SpotBuilder.maximumLifetime)) : nil }
        if let expires, expires > SpotBuilder.maximumLifetime {
            self.recordIssue(
                "expires.huge",
                self.ad.inline.line,
                "Expires is \(expires) s; the maximum of a week is used"
            )
        }
        return BuiltSpot(ad: self.ad, spot: spot, lifetime: seconds, trackers: self.trackers, values: self.values)
    }

    mutating func addTracker(_ event: BeaconEvent, _ part: VideoPartID?, _ url: URLTemplate, _ depth: Int) {
        guard !url.isPlaceholder else { return }
        self.trackers.append((event, part, url, depth))
    }

    mutating func addTracker(_ tracking: VASTTracking, _ part: VideoPartID?, _ depth: Int) {
        guard !SpotBuilder.ownNames.contains(tracking.event) else {
            let text = "\(tracking.event) is not a tracking event but has an element of its own; the tracker is ignored"
            return self.recordIssue("tracking.name", self.ad.inline.line, text)
        }
        guard tracking.event == "progress" else {
            return self.addTracker(BeaconEvent(tracking.event), part, tracking.url, depth)
        }
        // A progress event needs its offset (VAST 4.3 §3.14.3).
        guard let offset = tracking.offset else { return }
        if self.knownProgress.insert(offset).inserted { self.progress.append(offset) }
        self.addTracker(.progress(offset), part, tracking.url, depth)
    }

    /// Names of trackers with elements of their own: a tracking event with such a name would be called or billed twice.
    private static let ownNames: Set<String> = [
        "impression", "error", "view", "viewable", "notViewable", "viewUndetermined", "clickTracking", "customClick",
        "iconView", "iconClick", "companionClick", "verificationNotExecuted", "breakStart", "breakEnd",
    ]

    /// The trackers of the ad as a whole.
    mutating func addAdTrackers() {
        for element in self.merge.elements(\.impressions) {
            self.addTracker(.impression, nil, element.value.url, element.depth)
        }
        for element in self.merge.elements(\.errors) { self.addTracker(.error, nil, element.value, element.depth) }
        for element in self.merge.elements(\.viewable) {
            for url in element.value.viewable { self.addTracker("viewable", nil, url, element.depth) }
            for url in element.value.notViewable { self.addTracker("notViewable", nil, url, element.depth) }
            for url in element.value.undetermined { self.addTracker("viewUndetermined", nil, url, element.depth) }
        }
        for (number, element) in self.merge.elements(\.verifications).enumerated() {
            for tracking in element.value.tracking where tracking.event == "verificationNotExecuted" {
                self.addTracker("verificationNotExecuted", .verification(number), tracking.url, element.depth)
            }
        }
    }

    /// The macro values for URLs that are fetched or opened.
    var now: MacroValues { self.values.adding(self.moment) }

    /// The verification vendors with their scripts for OMID (VAST 4.3 §3.16); a browser runs all of them, whatever
    /// `browserOptional` says.
    mutating func verifications() -> [VideoVerification] {
        self.merge.elements(\.verifications).map { element in
            var verification = VideoVerification(
                vendor: element.value.vendor,
                scripts: [],
                parameters: element.value.parameters
            )
            for resource in element.value.resources.prefix(SpotBuilder.maxScripts)
            where !resource.isExecutable && resource.apiFramework?.asciiLowercased == "omid" {
                do throws(HTTPURL.ParseError) {
                    verification.scripts.append(try self.now.finished(resource.url))
                } catch {
                    let text = "a verification script is left out: its URL is invalid: \(error.reason)"
                    self.recordIssue("verification.address", self.ad.inline.line, text)
                }
            }
            return verification
        }
    }

    /// How many scripts of one vendor are tried.
    private static let maxScripts = 8

    mutating func add(universalIDs creative: VASTCreative) {
        let ids = creative.universalAdIDs.map { id in [id.registry, id.value].compactMap { $0 }.joined(separator: " ") }
        self.values[.universalAdID] = ids.isEmpty ? nil : .list(ids)
    }

    mutating func recordIssue(_ code: String, _ line: Int, _ text: String) {
        self.issues.append(AdIssue("vast.\(code)", at: line.asPlace(below: self.ad.wrappers.count), text))
    }

    /// The click-through URL; nil if it can't be opened.
    mutating func clickThroughURL(_ template: URLTemplate) -> ClickThroughURL? {
        let url = try? self.now.finished(template)
        if let link = ClickThroughURL(url?.text ?? template.text) { return link }
        if !template.isPlaceholder {
            let shown = Redaction.address(template.text.excerpt(200))
            self.recordIssue(
                "click.nowhere",
                self.ad.inline.line,
                "invalid click-through URL: \(shown) can't be opened"
            )
        }
        return nil
    }
}

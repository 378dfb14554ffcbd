import AdCore

/// An ad as a spot with its trackers; its number is assigned later.
package struct BuiltSpot {
    let ad: VASTResolvedAd
    let spot: VideoSpot
    let lifetime: Duration?
    /// The trackers, without the number of the spot.
    fileprivate(set) var trackers: [(event: BeaconEvent, part: VideoPartID?, url: URLTemplate, depth: Int)]

    func beacons(_ number: Int) -> [VideoTracker] {
        self.trackers.map { VideoTracker($0.event, spot: number, part: $0.part, $0.url, depth: $0.depth) }
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
    private var progress: [MediaOffset] = []
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

    // MARK: Videos

    private mutating func linear() throws(VASTError) -> BuiltSpot? {
        let candidates = self.ad.inline.creatives.filter { $0.linear != nil }
        guard !candidates.isEmpty else { return nil }
        var first: VASTError?
        for creative in candidates {
            guard let linear = creative.linear else { continue }
            do throws(VASTError) {
                return try self.spot(of: linear, in: creative)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? VASTError(400, "it has no linear creative that can be played")
    }

    private mutating func spot(of linear: VASTLinear, in creative: VASTCreative) throws(VASTError) -> BuiltSpot {
        // VAST 4.3 §3.9.2.
        if self.policy.requiresMezzanine {
            guard let mezzanine = linear.mezzanines.first else {
                throw VASTError(406, "it has no <Mezzanine>, which the policy requires", line: creative.line)
            }
            guard mezzanine.type != nil, mezzanine.width != nil, mezzanine.height != nil else {
                throw VASTError(411, "its <Mezzanine> lacks type, width or height", line: creative.line)
            }
        }
        // The policy is the player's expectation of a duration (202, VAST 4.3 §2.3.6.3).
        if let longest = self.policy.maximumDuration, let duration = linear.duration, duration > longest {
            let text = "its duration is \(duration.inSeconds) s; \(longest.inSeconds) s are allowed"
            throw VASTError(202, text, line: creative.line)
        }
        self.add(universalIDs: creative)
        let choice = MediaChoice(of: linear, by: self.policy, values: self.now)
        self.report(choice, in: linear)
        if let failure = choice.failure { throw failure }
        // A video is played without its interactive file, and the error is reported (VAST 4.3 §2.4.3).
        if let interactive = linear.interactiveFiles.first {
            let name = interactive.apiFramework ?? "no framework"
            let text = "an interactive file (\(name.excerpt(20))) is not executed; the video is played without it"
            self.recordIssue("interactive.409", creative.line, text)
            self.errorCodes.append(409)
        }
        self.values[.assetURI] = .text(choice.files[0].url.text)
        try self.addCompanions()
        self.addIcons(linear)
        for element in self.merge.elements(of: linear, \.tracking) {
            self.addTracker(element.value, nil, element.depth)
        }
        for element in self.merge.elements(of: linear, \.clickTracking) {
            self.addTracker("clickTracking", nil, element.value, element.depth)
        }
        for element in self.merge.elements(of: linear, \.customClickTracking) {
            self.addTracker("customClick", nil, element.value, element.depth)
        }
        self.addAdTrackers()
        let endCard = self.endCard
        let rules = SpotRules(
            .linear,
            duration: linear.duration,
            // A rewarded video must be watched to its end, so its skipoffset (VAST 4.3 §3.8) is ignored.
            skipOffset: self.isRewarded ? nil : linear.skipOffset,
            hasEndCard: endCard != nil,
            progress: self.progress,
            parts: self.partRules,
            verifications: self.verifications,
            clickThrough: self.merge.clickThrough(linear).flatMap { self.clickThroughURL($0) }
        )
        let spot = VideoSpot(
            .media(choice.files),
            rules: rules,
            title: self.ad.inline.inline?.title,
            parts: self.parts,
            endCard: endCard,
            captions: self.captions(of: linear, line: creative.line)
        )
        return self.built(spot)
    }

    /// Records the refused files and the ignored attributes, up to a limit.
    private mutating func report(_ choice: MediaChoice, in linear: VASTLinear) {
        for refused in choice.refused.prefix(MediaChoice.maxFiles) {
            let text = "a file is left out: \(refused.error.message)"
            self.recordIssue("media.\(refused.error.code)", refused.file.line, text)
        }
        for entry in choice.repairs.entries {
            self.recordIssue("media.\(entry.repair.attribute.rawValue)", entry.line, entry.message)
        }
        let count = linear.mediaFiles.count
        if count > MediaChoice.maxFiles, let first = linear.mediaFiles.first {
            let most = MediaChoice.maxFiles
            let text =
                "only the best \(most) of \(count) media files are tried, and \(most) refusals reported; list fewer"
            self.recordIssue("media.many", first.line, text)
        }
    }

    private mutating func captions(of linear: VASTLinear, line: Int) -> [VideoSpot.Caption] {
        var captions: [VideoSpot.Caption] = []
        for caption in linear.captions {
            do throws(HTTPURL.ParseError) {
                let url = try self.now.finished(caption.url)
                captions.append(VideoSpot.Caption(url, type: caption.type, language: caption.language))
            } catch {
                self.recordIssue(
                    "caption.address",
                    line,
                    "a caption file is left out: its URL is invalid: \(error.reason)"
                )
            }
        }
        return captions
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
        let rules = SpotRules(
            .overlay(minimum: item.minimum),
            hasEndCard: endCard != nil,
            parts: self.partRules,
            verifications: self.verifications,
            clickThrough: self.overlayClickThrough(item).flatMap { self.clickThroughURL($0) }
        )
        let title = self.ad.inline.inline?.title
        return self.built(VideoSpot(.overlay(part), rules: rules, title: title, parts: self.parts, endCard: endCard))
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
    private mutating func built(_ spot: VideoSpot) -> BuiltSpot {
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
        let trackers = self.trackers.map { ($0.event, $0.part, self.values.filled($0.url), $0.depth) }
        return BuiltSpot(ad: self.ad, spot: spot, lifetime: seconds, trackers: trackers)
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
    private mutating func addAdTrackers() {
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
                // No verification resource is executed; the trackers get reason 2 (VAST 4.3 §3.17.4).
                self.addTracker("verificationNotExecuted", .verification(number), tracking.url, element.depth)
            }
        }
    }

    /// The macro values for URLs that are fetched or opened.
    var now: MacroValues { self.values.adding(self.moment) }

    private var verifications: Int { self.merge.elements(\.verifications).count }

    private mutating func add(universalIDs creative: VASTCreative) {
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

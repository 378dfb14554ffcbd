import AdCore

/// An ad as a spot, with its trackers; its number is assigned when its place is known.
package struct BuiltSpot {
    let ad: VASTResolvedAd
    let spot: VideoSpot
    let lifetime: Duration?
    /// The trackers, without the spot's number.
    fileprivate(set) var tells: [(event: BeaconEvent, part: VideoPartID?, url: URLTemplate, depth: Int)]

    func beacons(_ number: Int) -> [VideoBeacon] {
        self.tells.map { VideoBeacon($0.event, spot: number, part: $0.part, $0.url, depth: $0.depth) }
    }
}

/// Makes a spot of an ad and the wrappers around it.
package struct SpotBuilder {
    let ad: VASTResolvedAd
    let merge: VASTMerge
    let policy: VideoPolicy
    let isRewarded: Bool
    var values: MacroValues
    /// Macro values of the load, for URLs that are fetched or opened.
    private let moment: MacroValues
    /// What is left out of the spot, and why.
    var issues: [AdIssue] = []
    /// Codes to report although the ad is played.
    var faults: [Int] = []
    private var tells: [(event: BeaconEvent, part: VideoPartID?, url: URLTemplate, depth: Int)] = []
    var parts: [VideoPartID: VideoPart] = [:]
    var partTerms: [PartRules] = []
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

    /// What stands for macros in all of the ad's addresses.
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

    // MARK: May it be played

    private func checkAd() throws(VASTError) {
        if self.ad.layers.contains(where: { $0.isConditional == true }) {
            throw VASTError(408, "it is only sold under a condition that a program of its own decides")
        }
        if self.ad.inline.adType?.asciiLowercased == "audio" {
            throw VASTError(200, "it is an audio ad, and there is nothing to see")
        }
        let categories = self.ad.inline.inline?.categories ?? []
        if self.policy.needsCategory, categories.isEmpty {
            throw VASTError(204, "it does not say what kind of product it is for (<Category>)")
        }
        guard !categories.isEmpty else { return }
        let blocked = self.ad.wrappers.flatMap { $0.wrapper?.blockedCategories ?? [] }
        // A list has commas, and its names may have spaces; some write a space for the comma.
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
        throw first ?? VASTError(400, "it has no video that can be played")
    }

    private mutating func spot(of linear: VASTLinear, in creative: VASTCreative) throws(VASTError) -> BuiltSpot {
        if self.policy.needsMezzanine {
            guard let mezzanine = linear.mezzanines.first else {
                throw VASTError(406, "it does not bring the file it was made from (<Mezzanine>)", line: creative.line)
            }
            guard mezzanine.type != nil, mezzanine.width != nil, mezzanine.height != nil else {
                throw VASTError(411, "its <Mezzanine> lacks type, width or height", line: creative.line)
            }
        }
        if let longest = self.policy.longest, let duration = linear.duration, duration > longest {
            let text = "it takes \(duration.inSeconds) s, and \(longest.inSeconds) s are allowed"
            throw VASTError(202, text, line: creative.line)
        }
        self.add(universalIDs: creative)
        let choice = MediaChoice(of: linear, by: self.policy, values: self.now)
        self.report(choice, in: linear)
        if let failure = choice.failure { throw failure }
        if let program = linear.interactiveFiles.first {
            let name = program.apiFramework ?? "no framework"
            let text = "a program (\(name.excerpt(20))) is not run; the video is played without it"
            self.leaveOut("interactive.409", creative.line, text)
            self.faults.append(409)
        }
        self.values[.assetURI] = .text(choice.files[0].url.text)
        try self.addCompanions()
        self.addIcons(linear)
        for said in self.merge.of(linear, \.tracking) { self.addTracker(said.value, nil, said.depth) }
        for said in self.merge.of(linear, \.clickTracking) {
            self.addTracker("clickTracking", nil, said.value, said.depth)
        }
        for said in self.merge.of(linear, \.customClicks) {
            self.addTracker("customClick", nil, said.value, said.depth)
        }
        self.addAdTrackers()
        let endCard = self.endCard
        let terms = SpotRules(
            .linear,
            duration: linear.duration,
            skipOffset: self.isRewarded ? nil : linear.skipOffset,
            hasEndCard: endCard != nil,
            progress: self.progress,
            parts: self.partTerms,
            verifications: self.verifications,
            clickThrough: self.merge.clickThrough(linear).flatMap { self.landing($0) }
        )
        let spot = VideoSpot(
            .media(choice.files),
            terms: terms,
            title: self.ad.inline.inline?.title,
            parts: self.parts,
            endCard: endCard,
            captions: self.captions(of: linear, line: creative.line)
        )
        return self.built(spot)
    }

    /// Which files are left out, and which of their attributes were ignored; of very many files only the first.
    private mutating func report(_ choice: MediaChoice, in linear: VASTLinear) {
        for refused in choice.refused.prefix(MediaChoice.mostFiles) {
            let text = "a file is left out: \(refused.error.message)"
            self.leaveOut("media.\(refused.error.code)", refused.file.line, text)
        }
        for entry in choice.repairs.entries {
            self.leaveOut("media.\(entry.repair.attribute.rawValue)", entry.line, entry.message)
        }
        let count = linear.mediaFiles.count
        if count > MediaChoice.mostFiles, let first = linear.mediaFiles.first {
            let most = MediaChoice.mostFiles
            let text = "of \(count) media files the \(most) most suitable are tried, and \(most) told of; list fewer"
            self.leaveOut("media.many", first.line, text)
        }
    }

    private mutating func captions(of linear: VASTLinear, line: Int) -> [VideoSpot.Caption] {
        var captions: [VideoSpot.Caption] = []
        for caption in linear.captions {
            do throws(HTTPURL.Fault) {
                let url = try self.now.finished(caption.url)
                captions.append(VideoSpot.Caption(url, type: caption.type, language: caption.language))
            } catch {
                self.leaveOut(
                    "caption.address",
                    line,
                    "captions are left out: their address can't be called: \(error.reason)"
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
            throw VASTError(200, "it brings neither a video nor an overlay", line: self.ad.inline.line)
        }
        guard self.policy.playsOverlays, !self.isRewarded else {
            throw VASTError(201, "it is an overlay where a video was asked for", line: creative.line)
        }
        self.add(universalIDs: creative)
        let (item, part) = try self.choose(nonLinears.items, line: creative.line)
        for said in self.merge.of(nonLinears, \.tracking) { self.addTracker(said.value, nil, said.depth) }
        let depth = self.ad.layers.count - 1
        for (outer, layer) in self.ad.wrappers.enumerated() {
            let items = layer.creatives.compactMap(\.nonLinear).flatMap(\.items)
            for url in items.flatMap(\.clicks.tracking) { self.addTracker("clickTracking", nil, url, outer) }
        }
        for url in item.clicks.tracking { self.addTracker("clickTracking", nil, url, depth) }
        try self.addCompanions()
        self.addAdTrackers()
        let endCard = self.endCard
        let terms = SpotRules(
            .overlay(least: item.minimum),
            hasEndCard: endCard != nil,
            parts: self.partTerms,
            verifications: self.verifications,
            clickThrough: self.overlayClickThrough(item).flatMap { self.landing($0) }
        )
        let title = self.ad.inline.inline?.title
        return self.built(VideoSpot(.overlay(part), terms: terms, title: title, parts: self.parts, endCard: endCard))
    }

    private mutating func choose(
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
        throw first ?? VASTError(500, "it has no overlay that can be shown", line: line)
    }

    private func part(of item: VASTNonLinear, line: Int) throws(VASTError) -> VideoPart {
        if item.apiFramework?.asciiLowercased == "vpaid" {
            throw VASTError(901, "the overlay is a program after VPAID, which is not run", line: line)
        }
        if let room = self.policy.container, let width = item.width, let height = item.height,
            Double(width) > room.width || Double(height) > room.height, item.isScalable != true
        {
            throw VASTError(501, "the overlay of \(width)x\(height) does not fit into \(room)", line: line)
        }
        switch self.content(of: item.resources) {
        case .success(let content):
            return VideoPart(content, size: Size(of: item.width, item.height))
        case .failure(.unsupported(let what)):
            throw VASTError(503, "the overlay is \(what), which can't be shown", line: line)
        case .failure(.unreachable(let why)):
            throw VASTError(502, "the overlay's address can't be called: \(why)", line: line)
        case .failure(.missing):
            throw VASTError(500, "the overlay holds nothing to show", line: line)
        }
    }

    /// The click-through URL of an overlay: its own, else that of the nearest wrapper.
    private func overlayClickThrough(_ item: VASTNonLinear) -> URLTemplate? {
        item.clicks.through
            ?? self.ad.wrappers.reversed().lazy
            .flatMap(\.creatives).flatMap { $0.nonLinear?.items ?? [] }.compactMap(\.clicks.through).first
    }

    // MARK: Trackers

    /// As long as an auction's ad may be kept: a week, in seconds.
    private static let longestLifetime = 604_800

    private mutating func built(_ spot: VideoSpot) -> BuiltSpot {
        let expires = self.ad.inline.inline?.expires
        if expires == 0 {
            self.leaveOut("expires.zero", self.ad.inline.line, "an ad that expires at once is not meant")
        }
        let seconds = expires.flatMap { $0 > 0 ? Duration.seconds(min($0, SpotBuilder.longestLifetime)) : nil }
        if let expires, expires > SpotBuilder.longestLifetime {
            self.leaveOut(
                "expires.huge",
                self.ad.inline.line,
                "an ad that may be shown for \(expires) s is kept for a week, and no longer"
            )
        }
        let tells = self.tells.map { ($0.event, $0.part, self.values.filled($0.url), $0.depth) }
        return BuiltSpot(ad: self.ad, spot: spot, lifetime: seconds, tells: tells)
    }

    mutating func addTracker(_ event: BeaconEvent, _ part: VideoPartID?, _ url: URLTemplate, _ depth: Int) {
        guard !url.isNowhere else { return }
        self.tells.append((event, part, url, depth))
    }

    mutating func addTracker(_ tracking: VASTTracking, _ part: VideoPartID?, _ depth: Int) {
        guard !SpotBuilder.ownNames.contains(tracking.event) else {
            let text = "an event is called \(tracking.event), which is told elsewhere; nobody is told twice"
            return self.leaveOut("tracking.name", self.ad.inline.line, text)
        }
        guard tracking.event == "progress" else {
            return self.addTracker(BeaconEvent(tracking.event), part, tracking.url, depth)
        }
        guard let offset = tracking.offset else { return }
        if self.knownProgress.insert(offset).inserted { self.progress.append(offset) }
        self.addTracker(.progress(offset), part, tracking.url, depth)
    }

    /// What has elements of its own in VAST: an event of that name would be billed, or told, a second time.
    private static let ownNames: Set<String> = [
        "impression", "error", "view", "viewable", "notViewable", "viewUndetermined", "clickTracking", "customClick",
        "iconView", "iconClick", "companionClick", "verificationNotExecuted", "breakStart", "breakEnd",
    ]

    /// What concerns the ad, and none of its creatives.
    private mutating func addAdTrackers() {
        for said in self.merge.each(\.impressions) { self.addTracker(.impression, nil, said.value.url, said.depth) }
        for said in self.merge.each(\.errors) { self.addTracker(.error, nil, said.value, said.depth) }
        for said in self.merge.each(\.viewable) {
            for url in said.value.viewable { self.addTracker("viewable", nil, url, said.depth) }
            for url in said.value.notViewable { self.addTracker("notViewable", nil, url, said.depth) }
            for url in said.value.undetermined { self.addTracker("viewUndetermined", nil, url, said.depth) }
        }
        for (number, said) in self.merge.each(\.verifications).enumerated() {
            for tracking in said.value.tracking where tracking.event == "verificationNotExecuted" {
                self.addTracker("verificationNotExecuted", .verification(number), tracking.url, said.depth)
            }
        }
    }

    /// What stands for macros in what is fetched or opened.
    var now: MacroValues { self.values.adding(self.moment) }

    private var verifications: Int { self.merge.each(\.verifications).count }

    private mutating func add(universalIDs creative: VASTCreative) {
        let ids = creative.universalAdIDs.map { id in [id.registry, id.value].compactMap { $0 }.joined(separator: " ") }
        self.values[.universalAdID] = ids.isEmpty ? nil : .list(ids)
    }

    mutating func leaveOut(_ what: String, _ line: Int, _ text: String) {
        self.issues.append(AdIssue("vast.\(what)", at: line.asPlace(below: self.ad.wrappers.count), text))
    }

    /// The click-through URL, if there is one.
    mutating func landing(_ template: URLTemplate) -> ClickThroughURL? {
        let url = try? self.now.finished(template)
        if let link = ClickThroughURL(url?.text ?? template.text) { return link }
        if !template.isNowhere {
            let shown = Redaction.address(template.text.excerpt(200))
            self.leaveOut("click.nowhere", self.ad.inline.line, "a click leads nowhere: \(shown) can't be opened")
        }
        return nil
    }
}

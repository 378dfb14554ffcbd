import AdCore

extension VASTReader {
    mutating func end() {
        guard self.stop == nil else { return }
        if self.skipped > 0 {
            self.skipped -= 1
            return
        }
        guard let closed = self.open.popLast() else { return }
        self.line = closed.line
        if !self.nodes.isEmpty,
            !(closed.element.belongsToVerification(self.verification != nil) && self.isText(closed.element))
        {
            if closed.element == .verification { self.endVerification() }
            if let node = self.endNode() { self.add(node, closed.element) }
            self.isCollecting = !self.nodes.isEmpty
            return
        }
        self.finish(closed.element)
        if !self.nodes.isEmpty {
            _ = self.endNode()
            self.isCollecting = true
        } else {
            self.isCollecting = false
        }
    }

    private func isText(_ element: VASTElement) -> Bool {
        switch element {
        case .verification, .adVerifications, .trackingEvents: false
        default: true
        }
    }

    private mutating func add(_ node: VASTNode, _ element: VASTElement) {
        if element == .creativeExtension {
            self.creative?.extensions.append(node)
        } else if self.ad != nil {
            self.ad?.extensions.append(node)
        } else if self.adBreak != nil {
            self.adBreak?.extensions.append(node)
        } else {
            self.schedule.extensions.append(node)
        }
    }

    private mutating func endVerification() {
        if let verification = self.verification.take() { self.ad?.verifications.append(verification) }
    }

    // MARK: Elements

    private mutating func finish(_ element: VASTElement) {
        switch element {
        case .ad: self.endAd()
        case .vast: if self.expectedRoot == .vmap { self.source?.content = .vast(self.document) }
        case .vastAdData: self.endVASTData()
        case .adSource:
            if let source = self.source.take() { self.adBreak?.source = source }
        case .adBreak:
            if let adBreak = self.adBreak.take() { self.schedule.breaks.append(adBreak) }
        case .creative: self.endCreative()
        case .linear:
            if let linear = self.linear.take() { self.creative?.bodies.append(.linear(linear)) }
        case .nonLinearAds:
            if let nonLinears = self.nonLinears.take() { self.creative?.bodies.append(.nonLinear(nonLinears)) }
        case .companionAds:
            if let companions = self.companions.take() { self.creative?.bodies.append(.companions(companions)) }
        case .nonLinear:
            if let item = self.nonLinear.take() { self.nonLinears?.items.append(item) }
        case .companion:
            if let item = self.companion.take() { self.companions?.items.append(item) }
        case .icon:
            if let icon = self.icon.take() { self.linear?.icons.append(icon) }
        case .iconClickFallbackImage: self.isInFallback = false
        case .verification: self.endVerification()
        case .viewableImpression:
            if let viewable = self.viewable.take() { self.ad?.viewable.append(viewable) }
        case .mediaFile: self.endMedia()
        case .tracking: self.endTracking()
        default:
            if self.isCollecting { self.finishText(element) }
        }
    }

    private mutating func endMedia() {
        guard var media = self.media.take() else { return }
        guard let url = self.url(.mediaFile) else { return }
        media.url = url
        self.linear?.mediaFiles.append(media)
    }

    /// Requires an event, and an offset for `progress` (VAST 4.3 §3.14.3).
    private mutating func endTracking() {
        guard let url = self.url(.tracking) else { return }
        guard let event = self.pending.event, !event.isEmpty else {
            return self.addIssue("vast.event.missing", "a <Tracking> has no event; it is left out")
        }
        if event == "progress", self.pending.offset == nil {
            if !self.pending.isOffsetWrong {
                self.addIssue("vast.offset.missing", "a progress event has no offset; it is never called")
            }
            return
        }
        let tracking = VASTTracking(event: event, offset: self.pending.offset, url: url)
        // To ask first whether one of these is nil would copy it, for each of the many trackers.
        if self.verification?.tracking.append(tracking) != nil { return }
        if self.companion?.tracking.append(tracking) != nil { return }
        if self.nonLinears?.tracking.append(tracking) != nil { return }
        if self.linear?.tracking.append(tracking) != nil { return }
        if case .none = self.ad, self.adBreak?.tracking.append(tracking) != nil { return }
        self.addIssue("vast.tracking.misplaced", "a <Tracking> outside of a creative is left out")
    }

    private mutating func endCreative() {
        guard let draft = self.creative.take() else { return }
        if draft.bodies.isEmpty {
            self.addIssue("vast.creative.empty", "a creative is empty; it is left out")
        }
        for body in draft.bodies {
            self.ad?.creatives.append(
                VASTCreative(
                    id: draft.id,
                    adID: draft.adID,
                    sequence: draft.sequence,
                    apiFramework: draft.apiFramework,
                    universalAdIDs: draft.universalAdIDs,
                    extensions: draft.extensions,
                    body: body,
                    line: draft.line
                )
            )
        }
    }

    private mutating func endAd() {
        guard var ad = self.ad.take() else { return }
        if let inline = self.inline {
            ad.kind = .inline(inline)
            // Both are required (VAST 4.3 §3.4).
            if ad.creatives.isEmpty, ad.impressions.isEmpty {
                let text =
                    "an <InLine> has neither <Creatives> nor <Impression>, which are required"
                self.addIssue("vast.inline.empty", ad.line, text)
            }
        } else if let wrapper = self.wrapper, wrapper.tagURL != nil {
            ad.kind = .wrapper(wrapper)
        } else {
            // Both violate the schema, and affect this ad only (VAST 4.3 §3.3.2, §3.19.1).
            let isWrapper = self.wrapper != nil
            let reason =
                isWrapper
                ? "a <Wrapper> has no <VASTAdTagURI>; add one"
                : "an ad is neither <InLine> nor <Wrapper>; give it one of them"
            self.document.broken.append(
                VASTBrokenAd(code: 101, reason: reason, errors: ad.errors, line: ad.line)
            )
            let code = isWrapper ? "vast.wrapper.noTag" : "vast.ad.empty"
            return self.addIssue(code, ad.line, "\(reason) (the ad is left out, error 101)")
        }
        guard self.document.ads.count < self.limits.ads else {
            let most = self.limits.ads
            return self.addIssue("vast.ads.many", "only the first \(most) ads are read")
        }
        self.document.ads.append(ad)
    }
}

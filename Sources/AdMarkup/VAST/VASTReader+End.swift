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
        if !self.nodes.isEmpty, !(closed.element.isMeasured(self.verification != nil) && self.isText(closed.element)) {
            if closed.element == .verification { self.endVerification() }
            if let node = self.endNode() { self.keep(node, closed.element) }
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

    private mutating func keep(_ node: VASTNode, _ element: VASTElement) {
        if element == .creativeExtension {
            self.creative?.extensions.append(node)
        } else if self.ad != nil {
            self.ad?.extensions.append(node)
        } else if self.adBreak != nil {
            self.adBreak?.extensions.append(node)
        } else {
            self.plan.extensions.append(node)
        }
    }

    private mutating func endVerification() {
        guard let verification = self.verification else { return }
        self.ad?.verifications.append(verification)
        self.verification = nil
    }

    // MARK: Texts

    /// The text without the white space around it.
    private func value<R>(_ body: (ByteView) -> R) -> R {
        self.text.withUnsafeBufferPointer { body($0[...].withoutBlanks) }
    }

    private var string: String { self.value(\.text) }
    private var filled: String? {
        let text = self.string
        return text.isEmpty ? nil : text
    }

    /// The address in the text; an empty one is none.
    private mutating func url(_ element: VASTElement) -> URLTemplate? {
        if let url = self.value({ $0.isEmpty ? nil : URLTemplate(verbatim: $0.text) }) { return url }
        self.note("vast.url.empty", "an address is empty where <\(element.spelling)> should have one; it is left out")
        return nil
    }

    private mutating func taken<Value>(_ read: (ByteView) -> VASTValue<Value>, of what: StaticString) -> Value? {
        let text = self.text
        return text.withUnsafeBufferPointer { bytes in
            let value = bytes[...].withoutBlanks
            return self.take(read(value), of: what, value)
        }
    }

    /// Whether an element that stands once in its parent has not been read there yet; a second one costs itself, and the
    /// first one counts (VAST 4.3 §5: at most one).
    private mutating func isFirst(_ earlier: (some Any)?, _ element: VASTElement) -> Bool {
        guard earlier != nil else { return true }
        self.note("vast.element.twice", "<\(element.spelling)> stands twice where one is allowed; the first counts")
        return false
    }

    // MARK: Elements

    private mutating func finish(_ element: VASTElement) {
        switch element {
        case .ad: self.endAd()
        case .vast: if self.wanted == .vmap { self.source?.content = .vast(self.document) }
        case .vastAdData: self.endVASTData()
        case .adSource:
            if let source = self.source { self.adBreak?.source = source }
            self.source = nil
        case .adBreak:
            if let adBreak = self.adBreak { self.plan.breaks.append(adBreak) }
            self.adBreak = nil
        case .creative: self.endCreative()
        case .linear:
            if let linear = self.linear { self.creative?.bodies.append(.linear(linear)) }
            self.linear = nil
        case .nonLinearAds:
            if let nonLinears = self.nonLinears { self.creative?.bodies.append(.nonLinear(nonLinears)) }
            self.nonLinears = nil
        case .companionAds:
            if let companions = self.companions { self.creative?.bodies.append(.companions(companions)) }
            self.companions = nil
        case .nonLinear:
            if let item = self.nonLinear { self.nonLinears?.items.append(item) }
            self.nonLinear = nil
        case .companion:
            if let item = self.companion { self.companions?.items.append(item) }
            self.companion = nil
        case .icon:
            if let icon = self.icon { self.linear?.icons.append(icon) }
            self.icon = nil
        case .iconClickFallbackImage: self.isInFallback = false
        case .verification: self.endVerification()
        case .viewableImpression:
            if let viewable = self.viewable { self.ad?.viewable.append(viewable) }
            self.viewable = nil
        case .mediaFile: self.endMedia()
        case .tracking: self.endTracking()
        default:
            if self.isCollecting { self.finishText(element) }
        }
    }

    private mutating func finishText(_ element: VASTElement) {
        switch element {
        // Of the document and the ad.
        case .error:
            guard let url = self.url(element) else { return }
            if self.ad == nil { self.document.errorURLs.append(url) } else { self.ad?.errors.append(url) }
        case .impression:
            if let url = self.url(element) {
                self.ad?.impressions.append(VASTImpression(id: self.pending.id, url: url))
            }
        case .adSystem:
            guard self.isFirst(self.ad?.system, element) else { return }
            if let name = self.filled { self.ad?.system = VASTSystem(name: name, version: self.pending.version) }
        case .adServingId:
            guard self.isFirst(self.ad?.servingID, element) else { return }
            let value = self.filled
            self.ad?.servingID = value
        case .pricing:
            guard self.isFirst(self.ad?.pricing, element) else { return }
            if let value = self.taken(VASTValue.number, of: "pricing") {
                self.ad?.pricing = VASTPricing(value: value, model: self.pending.model, currency: self.pending.currency)
            }
        case .viewable: if let url = self.url(element) { self.viewable?.viewable.append(url) }
        case .notViewable: if let url = self.url(element) { self.viewable?.notViewable.append(url) }
        case .viewUndetermined: if let url = self.url(element) { self.viewable?.undetermined.append(url) }
        // Of an inline ad.
        case .adTitle:
            guard self.isFirst(self.inline?.title, element) else { return }
            let value = self.filled
            self.inline?.title = value
        case .description:
            guard self.isFirst(self.inline?.description, element) else { return }
            let value = self.filled
            self.inline?.description = value
        case .advertiser:
            guard self.isFirst(self.inline?.advertiser, element) else { return }
            if let name = self.filled { self.inline?.advertiser = VASTNamed(name: name, id: self.pending.id) }
        case .survey:
            if let url = self.url(element) {
                self.inline?.surveys.append(VASTSurvey(url: url, type: self.pending.type))
            }
        case .category:
            if let value = self.filled {
                self.inline?.categories.append(VASTCategory(value: value, authority: self.pending.authority))
            }
        case .expires:
            guard self.isFirst(self.inline?.expires, element) else { return }
            let value = self.taken(VASTValue.whole, of: "expires")
            self.inline?.expires = value
        // Of a wrapper.
        case .tagURI:
            guard self.isFirst(self.wrapper?.tagURL, element) else { return }
            let value = self.url(element)
            self.wrapper?.tagURL = value
        case .oldTagURL, .oldURL:
            guard self.wrapper != nil, self.wrapper?.tagURL == nil, let text = self.filled else { return }
            self.note(
                "vast.tagURL.old",
                "the address stands in <VASTAdTagURL>, as before VAST 2; it belongs into <VASTAdTagURI>"
            )
            self.wrapper?.tagURL = URLTemplate(verbatim: text)
        case .blockedAdCategories:
            if let value = self.filled {
                self.wrapper?.blockedCategories.append(VASTCategory(value: value, authority: self.pending.authority))
            }
        case .adTagURI:
            if let url = self.url(element) { self.source?.content = .tag(url, type: self.pending.type) }
        case .customAdData:
            let text = self.string
            self.source?.content = .custom(text, type: self.pending.type)
        case .universalAdId:
            if let value = self.filled ?? self.pending.registryValue {
                self.creative?.universalAdIDs.append(VASTUniversalAdID(value: value, registry: self.pending.registry))
            }
        default: self.finishLinearText(element)
        }
    }

    private mutating func finishLinearText(_ element: VASTElement) {
        switch element {
        case .duration:
            guard self.isFirst(self.linear?.duration, element) else { return }
            let value = self.taken(VASTValue.duration, of: "duration")
            self.linear?.duration = value
        case .clickThrough:
            guard self.isFirst(self.linear?.clickThrough, element) else { return }
            if let url = self.url(element) { self.linear?.clickThrough = url }
        case .clickTracking: if let url = self.url(element) { self.linear?.clickTracking.append(url) }
        case .customClick: if let url = self.url(element) { self.linear?.customClicks.append(url) }
        case .mezzanine:
            if let url = self.url(element) {
                self.linear?.mezzanines.append(
                    VASTMezzanine(
                        url: url,
                        type: self.pending.type,
                        width: self.pending.width,
                        height: self.pending.height,
                        delivery: self.pending.delivery,
                        codec: self.pending.codec,
                        id: self.pending.id
                    )
                )
            }
        case .interactiveCreativeFile:
            if let url = self.url(element) {
                self.linear?.interactiveFiles.append(
                    VASTInteractiveFile(
                        url: url,
                        type: self.pending.type,
                        apiFramework: self.pending.apiFramework,
                        hasVariableDuration: self.pending.hasVariableDuration
                    )
                )
            }
        case .closedCaptionFile:
            if let url = self.url(element) {
                self.linear?.captions.append(
                    VASTCaption(url: url, type: self.pending.type, language: self.pending.language)
                )
            }
        case .adParameters: self.endParameters()
        case .javaScriptResource, .executableResource, .flashResource:
            if let url = self.url(element) {
                self.verification?.resources.append(
                    VASTVerification.Resource(
                        url: url,
                        apiFramework: self.pending.apiFramework,
                        isExecutable: element != .javaScriptResource,
                        type: self.pending.type
                    )
                )
            }
        case .verificationParameters:
            guard self.isFirst(self.verification?.parameters, element) else { return }
            let value = self.filled
            self.verification?.parameters = value
        default: self.finishBesideText(element)
        }
    }

    private mutating func finishBesideText(_ element: VASTElement) {
        switch element {
        case .staticResource:
            guard let url = self.url(element) else { return }
            if self.isInFallback {
                self.icon?.fallbackImages.append(url)
            } else {
                self.keep(.file(url, type: self.pending.type))
            }
        case .iframeResource: if let url = self.url(element) { self.keep(.page(url)) }
        case .htmlResource: if let html = self.filled { self.keep(.html(html)) }
        case .nonLinearClickThrough:
            guard self.isFirst(self.nonLinear?.clicks.through, element) else { return }
            if let url = self.url(element) { self.nonLinear?.clicks.through = url }
        case .nonLinearClickTracking: if let url = self.url(element) { self.nonLinear?.clicks.tracking.append(url) }
        case .companionClickThrough:
            guard self.isFirst(self.companion?.clicks.through, element) else { return }
            if let url = self.url(element) { self.companion?.clicks.through = url }
        case .companionClickTracking: if let url = self.url(element) { self.companion?.clicks.tracking.append(url) }
        case .iconClickThrough:
            guard self.isFirst(self.icon?.clicks.through, element) else { return }
            if let url = self.url(element) { self.icon?.clicks.through = url }
        case .iconClickTracking: if let url = self.url(element) { self.icon?.clicks.tracking.append(url) }
        case .iconViewTracking: if let url = self.url(element) { self.icon?.views.append(url) }
        case .altText:
            guard !self.isInFallback, self.isFirst(self.companion?.altText, element) else { return }
            let text = self.filled
            self.companion?.altText = text
        default: break
        }
    }

    private mutating func keep(_ resource: VASTResource) {
        if self.icon != nil {
            self.icon?.resources.append(resource)
        } else if self.companion != nil {
            self.companion?.resources.append(resource)
        } else {
            self.nonLinear?.resources.append(resource)
        }
    }

    private mutating func endParameters() {
        let known =
            self.companion != nil
            ? self.companion?.parameters
            : self.nonLinear != nil ? self.nonLinear?.parameters : self.linear?.parameters
        guard self.isFirst(known, .adParameters) else { return }
        let parameters = self.filled
        if self.companion != nil {
            self.companion?.parameters = parameters
        } else if self.nonLinear != nil {
            self.nonLinear?.parameters = parameters
        } else {
            self.linear?.parameters = parameters
        }
    }

    private mutating func endMedia() {
        guard var media = self.media else { return }
        self.media = nil
        guard let url = self.url(.mediaFile) else { return }
        media.url = url
        self.linear?.mediaFiles.append(media)
    }

    private mutating func endTracking() {
        guard let url = self.url(.tracking) else { return }
        guard let event = self.pending.event, !event.isEmpty else {
            return self.note("vast.event.missing", "a <Tracking> does not say what for; it is left out")
        }
        if event == "progress", self.pending.offset == nil {
            if !self.pending.isOffsetWrong {
                self.note("vast.offset.missing", "a progress event has no offset, and is never called")
            }
            return
        }
        let tracking = VASTTracking(event: event, offset: self.pending.offset, url: url)
        if self.verification != nil {
            self.verification?.tracking.append(tracking)
        } else if self.companion != nil {
            self.companion?.tracking.append(tracking)
        } else if self.nonLinears != nil {
            self.nonLinears?.tracking.append(tracking)
        } else if self.linear != nil {
            self.linear?.tracking.append(tracking)
        } else if self.adBreak != nil, self.ad == nil {
            self.adBreak?.tracking.append(tracking)
        } else {
            self.note("vast.tracking.misplaced", "a <Tracking> stands where nothing is played; it is left out")
        }
    }

    private mutating func endCreative() {
        guard let draft = self.creative else { return }
        self.creative = nil
        if draft.bodies.isEmpty {
            self.note("vast.creative.empty", "a creative holds nothing to show; it is left out")
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
        guard var ad = self.ad else { return }
        self.ad = nil
        if let inline = self.inline {
            ad.kind = .inline(inline)
            if ad.creatives.isEmpty, ad.impressions.isEmpty {
                let text =
                    "an <InLine> has neither <Creatives> nor <Impression>, which it must have; nothing can be shown"
                self.note("vast.inline.empty", ad.line, text)
            }
        } else if let wrapper = self.wrapper, wrapper.tagURL != nil {
            ad.kind = .wrapper(wrapper)
        } else {
            // Either breaks the schema, and costs this ad alone (VAST 4.3 §3.3.2, §3.19.1).
            let isWrapper = self.wrapper != nil
            let reason =
                isWrapper
                ? "a <Wrapper> has no <VASTAdTagURI>; write the address to ask into it"
                : "an ad is neither <InLine> nor <Wrapper>; give it one of them"
            self.document.broken.append(
                VASTBrokenAd(code: 101, reason: reason, errors: ad.errors, line: ad.line)
            )
            let code = isWrapper ? "vast.wrapper.noTag" : "vast.ad.empty"
            return self.note(code, ad.line, "\(reason) (the ad is left out, error 101)")
        }
        guard self.document.ads.count < self.limits.ads else {
            let most = self.limits.ads
            return self.note("vast.ads.many", "only the first \(most) ads are read")
        }
        self.document.ads.append(ad)
    }
}

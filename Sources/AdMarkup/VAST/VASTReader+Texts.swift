import AdCore

/// Parses elements whose content is text.
extension VASTReader {
    // MARK: Texts

    /// Calls a closure with the text without surrounding white space.
    private func value<R>(_ body: (ByteView) -> R) -> R {
        self.text.withUnsafeBufferPointer { body($0[...].withoutWhiteSpace) }
    }

    private var string: String { self.value(\.text) }
    private var filled: String? {
        let text = self.string
        return text.isEmpty ? nil : text
    }

    /// The URL in the text; nil if it is empty.
    mutating func url(_ element: VASTElement) -> URLTemplate? {
        if let url = self.value({ $0.isEmpty ? nil : URLTemplate(verbatim: $0.text) }) { return url }
        self.addIssue(
            "vast.url.empty",
            "<\(element.spelling)> has no URL; it is left out"
        )
        return nil
    }

    private mutating func parse<Value>(_ read: (ByteView) -> VASTValue<Value>, of what: StaticString) -> Value? {
        let text = self.text
        return text.withUnsafeBufferPointer { bytes in
            let value = bytes[...].withoutWhiteSpace
            return self.accept(read(value), of: what, value)
        }
    }

    /// Whether an element that may occur once in its parent has no value yet (VAST 4.3 §5).
    ///
    /// A second element is ignored with an issue.
    mutating func isFirst(_ earlier: (some Any)?, _ element: VASTElement) -> Bool {
        guard earlier != nil else { return true }
        self.addIssue(
            "vast.element.twice",
            "<\(element.spelling)> occurs twice where one is allowed; the first is used"
        )
        return false
    }

    mutating func finishText(_ element: VASTElement) {
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
            if let value = self.parse(VASTValue.number, of: "pricing") {
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
            let value = self.parse(VASTValue.whole, of: "expires")
            self.inline?.expires = value
        // Of a wrapper.
        case .tagURI:
            guard self.isFirst(self.wrapper?.tagURL, element) else { return }
            let value = self.url(element)
            self.wrapper?.tagURL = value
        case .oldTagURL, .oldURL:
            guard self.wrapper != nil, self.wrapper?.tagURL == nil, let text = self.filled else { return }
            self.addIssue(
                "vast.tagURL.old",
                "the URL is in <VASTAdTagURL>, as before VAST 2; use <VASTAdTagURI>"
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
            let value = self.parse(VASTValue.duration, of: "duration")
            self.linear?.duration = value
        case .clickThrough:
            guard self.isFirst(self.linear?.clickThrough, element) else { return }
            if let url = self.url(element) { self.linear?.clickThrough = url }
        case .clickTracking: if let url = self.url(element) { self.linear?.clickTracking.append(url) }
        case .customClick: if let url = self.url(element) { self.linear?.customClickTracking.append(url) }
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
        default: self.finishCompanionText(element)
        }
    }

    private mutating func finishCompanionText(_ element: VASTElement) {
        switch element {
        case .staticResource:
            guard let url = self.url(element) else { return }
            if self.isInFallback {
                self.icon?.fallbackImages.append(url)
            } else {
                self.add(.file(url, type: self.pending.type))
            }
        case .iframeResource: if let url = self.url(element) { self.add(.page(url)) }
        case .htmlResource: if let html = self.filled { self.add(.html(html)) }
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

    private mutating func add(_ resource: VASTResource) {
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
}

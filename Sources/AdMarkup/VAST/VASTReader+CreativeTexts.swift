import AdCore

/// Parses elements of creatives whose content is text.
extension VASTReader {
    /// Handles the end of an element of a creative or of its video, or of one of the others below.
    mutating func finishLinearText(_ element: VASTElement) {
        switch element {
        case .universalAdId:
            if let value = self.filled ?? self.pending.registryValue {
                self.creative?.universalAdIDs.append(VASTUniversalAdID(value: value, registry: self.pending.registry))
            }
        case .duration:
            guard self.isFirst(self.linear?.duration, element) else { return }
            let value = self.parse(VASTValue.duration, of: "duration")
            self.linear?.duration = value
        case .clickThrough:
            guard self.isFirst(self.linear?.clickThrough, element) else { return }
            if let url = self.url(element) { self.linear?.clickThrough = url }
        case .clickTracking: if let url = self.url(element) { self.linear?.clickTracking.append(url) }
        case .customClick: if let url = self.url(element) { self.linear?.customClickTracking.append(url) }
        case .adParameters: self.endParameters()
        default: self.finishFile(element)
        }
    }

    /// Handles the end of a file of a video: mezzanine, interactive file, captions.
    private mutating func finishFile(_ element: VASTElement) {
        switch element {
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
        default: self.finishVerificationText(element)
        }
    }

    /// Handles the end of an element of a verification (VAST 4.3 §3.17).
    private mutating func finishVerificationText(_ element: VASTElement) {
        switch element {
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
        default: self.finishResource(element)
        }
    }

    /// Handles the end of a resource or alternative text of a companion, an overlay or an icon.
    private mutating func finishResource(_ element: VASTElement) {
        switch element {
        case .staticResource:
            guard let url = self.url(element) else { return }
            if self.isInFallback {
                self.icon?.fallbackImages.append(url)
            } else {
                self.add(.file(url, type: self.pending.type))
            }
        case .iframeResource:
            // SIMID names its API at the resource (SIMID 1.2 §3.6.2).
            if self.nonLinear?.apiFramework == nil { self.nonLinear?.apiFramework = self.pending.apiFramework }
            if let url = self.url(element) { self.add(.page(url)) }
        case .htmlResource: if let html = self.filled { self.add(.html(html)) }
        case .altText:
            guard !self.isInFallback, self.isFirst(self.companion?.altText, element) else { return }
            let text = self.filled
            self.companion?.altText = text
        default: self.finishClick(element)
        }
    }

    /// Handles the end of a click or view URL of a companion, an overlay or an icon.
    private mutating func finishClick(_ element: VASTElement) {
        switch element {
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

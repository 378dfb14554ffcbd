import AdCore
import CLibXML2
import LibC

extension VASTReader {
    mutating func start(_ name: UnsafeBufferPointer<UInt8>, _ attributes: XMLAttributes, line: Int) {
        guard self.stop == nil else { return }
        self.line = line + self.linesBefore
        if self.open.isEmpty, self.root == nil { return self.startRoot(name, attributes) }
        if self.skipped > 0 {
            self.skipped += 1
            return
        }
        let found = VASTElement.table.find(name)
        let isExtension = !self.nodes.isEmpty
        if isExtension { self.startNode(name, attributes) }
        guard let (element, isExact) = found else {
            if !isExtension {
                let shown = String(decoding: name.prefix(40), as: UTF8.self)
                self.addIssue(
                    "vast.element.unknown",
                    "<\(shown)> is not a VAST element; it is ignored with its content"
                )
                self.skipped = 1
            } else {
                self.open.append(Open(element: .other, line: self.line))
            }
            return
        }
        if !isExact, !isExtension { self.reportCase(name) }
        self.open.append(Open(element: element, line: self.line))
        guard !isExtension || element.belongsToVerification(self.verification != nil) else { return }
        self.startElement(element, attributes)
    }

    private mutating func reportCase(_ name: UnsafeBufferPointer<UInt8>) {
        let shown = String(decoding: name.prefix(40), as: UTF8.self)
        self.addIssue(
            "vast.element.case",
            "<\(shown)> has the wrong case; it is accepted"
        )
    }

    /// Records an issue for an element that is accepted although it is misplaced.
    private mutating func reportMisplaced(_ name: StaticString, _ home: StaticString) {
        self.addIssue(
            "vast.element.misplaced",
            "<\(name)> is misplaced; it is read as part of \(home)"
        )
    }

    private mutating func startRoot(_ name: UnsafeBufferPointer<UInt8>, _ attributes: XMLAttributes) {
        self.root = String(decoding: name.prefix(40), as: UTF8.self)
        let found = VASTElement.table.find(name)
        if let found, !found.isExact, found.name == .vast || found.name == .vmap { self.reportCase(name) }
        switch found?.name {
        case .vmap? where self.expectedRoot == .vmap:
            self.open.append(Open(element: .vmap, line: self.line))
            attributes.known { name, value in if name == .version { self.schedule.version = value.text } }
        case .vast? where self.expectedRoot == .vast:
            self.open.append(Open(element: .vast, line: self.line))
            var version: String?
            attributes.known { name, value in if name == .version, !value.isEmpty { version = value.text } }
            self.document.version = version
            // The version is required (VAST 4.3 §3.2), but every version is parsed the same.
            if version == nil {
                self.addIssue("vast.version.missing", "<VAST> has no version attribute; any version is accepted")
            }
        case .videoAdServingTemplate?:
            self.stop = VASTError(
                102,
                "the document is VAST 1, which is not supported; request 3.0 or 4.x",
                line: self.line
            )
        default:
            let shown = self.root ?? ""
            self.stop = VASTError(
                101,
                "the root is <\(shown)>; expected <\(self.expectedRoot == .vast ? "VAST" : "VMAP")>; check the URL",
                line: self.line
            )
        }
    }

    /// Handles the start of an element.
    private mutating func startElement(_ element: VASTElement, _ attributes: XMLAttributes) {
        switch element {
        case .vast:
            self.document = VASTDocument()
            attributes.known { name, value in if name == .version { self.document.version = value.text } }
        case .adBreak: self.startBreak(attributes)
        case .adSource: self.startSource(attributes)
        case .ad: self.startAd(attributes)
        case .inline:
            if self.wrapper != nil || self.inline != nil { return self.skipSecondKind() }
            self.inline = VASTInline()
        case .wrapper:
            if self.wrapper != nil || self.inline != nil { return self.skipSecondKind() }
            self.startWrapper(attributes)
        case .creative: self.startCreative(attributes)
        case .linear:
            if self.parent != .creative { self.reportMisplaced("Linear", "the creative") }
            self.startLinear(attributes)
        case .nonLinearAds:
            if self.parent != .creative { self.reportMisplaced("NonLinearAds", "the creative") }
            self.nonLinears = VASTNonLinears()
        case .nonLinear: self.startNonLinear(attributes)
        case .companionAds:
            if self.parent != .creative { self.reportMisplaced("CompanionAds", "the creative") }
            self.startCompanions(attributes)
        case .companion: self.startCompanion(attributes)
        case .icon: self.startIcon(attributes)
        case .iconClickFallbackImage: self.isInFallback = true
        case .mediaFile: self.startMedia(attributes)
        case .verification:
            var verification = VASTVerification()
            verification.isInExtension = !self.nodes.isEmpty
            attributes.known { name, value in if name == .vendor { verification.vendor = value.text } }
            self.verification = verification
            if self.nodes.isEmpty, self.parent != .adVerifications {
                self.reportMisplaced("Verification", "the ad")
            }
        case .adVerifications:
            // Before VAST 4.1 it is in an extension (VAST 4.3 §3.16).
            if self.nodes.isEmpty, self.parent != .inline, self.parent != .wrapper {
                self.reportMisplaced("AdVerifications", "the ad")
            }
        case .vastAdData: self.collect()
        case .viewableImpression:
            var viewable = VASTViewable()
            attributes.known { name, value in if name == .id { viewable.id = value.text } }
            self.viewable = viewable
        case .extensionElement, .creativeExtension:
            self.nodes = [VASTNode(name: element == .extensionElement ? "Extension" : "CreativeExtension")]
            self.fillNode(attributes)
            self.collect()
        case .creatives, .creativeExtensions, .extensions, .icons, .iconClicks,
            .iconClickFallbackImages, .mediaFiles, .closedCaptionFiles, .trackingEvents, .videoClicks, .vmap,
            .videoAdServingTemplate, .other:
            break
        default: self.startText(attributes)
        }
    }

    mutating func collect() {
        self.isCollecting = true
        self.text.removeAll(keepingCapacity: true)
    }

    /// Handles the start of an element whose content is text.
    private mutating func startText(_ attributes: XMLAttributes) {
        self.collect()
        if self.hasPending { self.pending = Pending() }
        self.hasPending = attributes.count > 0
        guard self.hasPending else { return }
        attributes.known { name, value in
            switch name {
            case .id: self.pending.id = value.text
            case .type, .creativeType, .templateType: self.pending.type = value.text
            case .event: self.pending.event = value.text
            case .version: self.pending.version = value.text
            case .authority: self.pending.authority = value.text
            case .idRegistry: self.pending.registry = value.text
            case .idValue: self.pending.registryValue = value.text
            case .model: self.pending.model = value.text
            case .currency: self.pending.currency = value.text
            case .language: self.pending.language = value.text
            case .apiFramework: self.pending.apiFramework = value.text
            case .delivery: self.pending.delivery = value.text
            case .codec: self.pending.codec = value.text
            case .width: self.pending.width = self.accept(.whole(value), of: "width", value)
            case .height: self.pending.height = self.accept(.whole(value), of: "height", value)
            case .variableDuration:
                self.pending.hasVariableDuration = self.accept(.flag(value), of: "variableDuration", value)
            case .offset:
                self.pending.offset = self.accept(.offset(value), of: "offset", value)
                self.pending.isOffsetWrong = self.pending.offset == nil
            default: break
            }
        }
    }

    /// Skips a second `<InLine>` or `<Wrapper>`: an ad has exactly one of them (VAST 4.3 §3.3.2).
    private mutating func skipSecondKind() {
        self.addIssue(
            "vast.ad.twoKinds",
            "an ad has both <InLine> and <Wrapper>, or one of them twice; the first is used"
        )
        self.open.removeLast()
        self.skipped = 1
    }

    /// Parses the attributes of `<Ad>` (VAST 4.3 §3.3.2).
    private mutating func startAd(_ attributes: XMLAttributes) {
        var ad = VASTAd()
        ad.line = self.line
        attributes.known { name, value in
            switch name {
            case .id: ad.id = value.text
            case .sequence: ad.sequence = self.accept(.whole(value), of: "sequence", value)
            case .adType: ad.adType = value.text
            case .conditionalAd: ad.isConditional = self.accept(.flag(value), of: "conditionalAd", value)
            default: break
            }
        }
        self.ad = ad
        self.inline = nil
        self.wrapper = nil
    }

    /// Parses the attributes of `<Wrapper>` (VAST 4.3 §3.19).
    private mutating func startWrapper(_ attributes: XMLAttributes) {
        var wrapper = VASTWrapper()
        attributes.known { name, value in
            switch name {
            case .followAdditionalWrappers:
                wrapper.followsAdditionalWrappers = self.accept(.flag(value), of: "followAdditionalWrappers", value)
            case .allowMultipleAds: wrapper.allowsMultipleAds = self.accept(.flag(value), of: "allowMultipleAds", value)
            case .fallbackOnNoAd: wrapper.fallsBackOnNoAd = self.accept(.flag(value), of: "fallbackOnNoAd", value)
            default: break
            }
        }
        self.wrapper = wrapper
    }

    /// Parses the attributes of `<Creative>` (VAST 4.3 §3.7); older versions spell `adId` differently.
    private mutating func startCreative(_ attributes: XMLAttributes) {
        var creative = CreativeDraft(line: self.line)
        attributes.known { name, value in
            switch name {
            case .id: creative.id = value.text
            case .adID, .adId: creative.adID = value.text
            case .sequence: creative.sequence = self.accept(.whole(value), of: "sequence", value)
            case .apiFramework: creative.apiFramework = value.text
            default: break
            }
        }
        self.creative = creative
    }

    /// Parses the attributes of `<Linear>` (VAST 4.3 §3.8).
    private mutating func startLinear(_ attributes: XMLAttributes) {
        var linear = VASTLinear()
        attributes.known { name, value in
            if name == .skipoffset { linear.skipOffset = self.accept(.offset(value), of: "skipoffset", value) }
        }
        self.linear = linear
    }

    /// Parses the attributes of `<MediaFile>` (VAST 4.3 §3.9.1).
    private mutating func startMedia(_ attributes: XMLAttributes) {
        guard let none = URLTemplate("-") else { return }
        var media = VASTMediaFile(url: none, line: self.line)
        attributes.known { name, value in
            switch name {
            case .id: media.id = value.text
            case .type: media.type = value.text
            case .delivery: media.delivery = value.text
            case .codec: media.codec = value.text
            case .apiFramework: media.apiFramework = value.text
            case .mediaType: media.mediaType = value.text
            case .width: media.width = self.accept(.whole(value), of: "width", value)
            case .height: media.height = self.accept(.whole(value), of: "height", value)
            case .bitrate: media.bitrate = self.accept(.whole(value), of: "bitrate", value)
            case .minBitrate: media.minBitrate = self.accept(.whole(value), of: "minBitrate", value)
            case .maxBitrate: media.maxBitrate = self.accept(.whole(value), of: "maxBitrate", value)
            case .fileSize: media.fileSize = self.accept(.whole(value), of: "fileSize", value)
            case .scalable: media.isScalable = self.accept(.flag(value), of: "scalable", value)
            case .maintainAspectRatio:
                media.keepsAspectRatio = self.accept(.flag(value), of: "maintainAspectRatio", value)
            default: break
            }
        }
        self.media = media
        self.collect()
    }
}

extension VASTElement {
    /// Whether an element inside an extension belongs to a verification: before VAST 4.1 these were extensions.
    func belongsToVerification(_ isInVerification: Bool) -> Bool {
        switch self {
        case .verification, .adVerifications: true
        case .javaScriptResource, .executableResource, .verificationParameters, .trackingEvents, .tracking:
            isInVerification
        default: false
        }
    }
}

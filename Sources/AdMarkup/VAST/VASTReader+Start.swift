import AdCore
import CLibXML2

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The attributes of one start tag as libxml2 hands them over; valid only during the callback.
struct XMLAttributes {
    let base: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    let count: Int

    /// Every attribute's local name and value, without the white space around it.
    ///
    /// Both are gone when the closure returns: what is to stay is copied there.
    func each(_ body: (UnsafeBufferPointer<UInt8>, ByteView) -> Void) {
        guard let base else { return }
        for index in 0..<self.count {
            guard let text = base[5 * index], let start = base[5 * index + 3], let end = base[5 * index + 4] else {
                continue
            }
            let length = strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
            let value = UnsafeBufferPointer(start: start, count: end - start)
            let name = UnsafeBufferPointer(start: text, count: length)
            if memchr(start, Int32(UInt8(ascii: "&")), value.count) == nil {
                body(name, value[...].withoutBlanks)
            } else {
                XMLAttributes.decoded(value).withUnsafeBufferPointer { body(name, $0[...].withoutBlanks) }
            }
        }
    }

    /// libxml2 leaves each `&` of a value as a reference, for a tree that would read it once more.
    private static func decoded(_ value: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var at = 0
        while at < value.count {
            result.append(value[at])
            at += value[at...].begins("&#38;") ? 5 : 1
        }
        return result
    }

    /// The attributes that VAST knows.
    func known(_ body: (VASTAttributeName, ByteView) -> Void) {
        self.each { name, value in
            if let (name, _) = VASTAttributeName.table.find(name) { body(name, value) }
        }
    }
}

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
                self.note(
                    "vast.element.unknown",
                    "<\(shown)> is no element of VAST; it and what stands inside is left out"
                )
                self.skipped = 1
            } else {
                self.open.append(Open(element: .other, line: self.line))
            }
            return
        }
        if !isExact, !isExtension { self.noteCase(name) }
        self.open.append(Open(element: element, line: self.line))
        guard !isExtension || element.isMeasured(self.verification != nil) else { return }
        self.begin(element, attributes)
    }

    private mutating func noteCase(_ name: UnsafeBufferPointer<UInt8>) {
        let shown = String(decoding: name.prefix(40), as: UTF8.self)
        self.note("vast.element.case", "<\(shown)> is written with other capitals than VAST's; it is read all the same")
    }

    /// Notes an element that counts although it stands in the wrong place.
    private mutating func noteMisplaced(_ name: StaticString, _ home: StaticString) {
        self.note("vast.element.misplaced", "<\(name)> stands where it does not belong; it is read as one of \(home)")
    }

    private mutating func startRoot(_ name: UnsafeBufferPointer<UInt8>, _ attributes: XMLAttributes) {
        self.root = String(decoding: name.prefix(40), as: UTF8.self)
        let found = VASTElement.table.find(name)
        if let found, !found.isExact, found.name == .vast || found.name == .vmap { self.noteCase(name) }
        switch found?.name {
        case .vmap? where self.wanted == .vmap:
            self.open.append(Open(element: .vmap, line: self.line))
            attributes.known { name, value in if name == .version { self.plan.version = value.text } }
        case .vast? where self.wanted == .vast:
            self.open.append(Open(element: .vast, line: self.line))
            var version: String?
            attributes.known { name, value in if name == .version, !value.isEmpty { version = value.text } }
            self.document.version = version
            if version == nil { self.note("vast.version.missing", "<VAST> has no version; it is read as any") }
        case .videoAdServingTemplate?:
            self.stop = VASTError(
                102,
                "the document is of VAST 1, which nobody serves any more; ask for 3.0 or 4.x",
                line: self.line
            )
        default:
            let shown = self.root ?? ""
            self.stop = VASTError(
                101,
                "the root is <\(shown)> where <\(self.wanted == .vast ? "VAST" : "VMAP")> should be; check what the address answers",
                line: self.line
            )
        }
    }

    /// What an element means when it begins.
    private mutating func begin(_ element: VASTElement, _ attributes: XMLAttributes) {
        switch element {
        case .vast:
            self.document = VASTDocument()
            attributes.known { name, value in if name == .version { self.document.version = value.text } }
        case .adBreak: self.beginBreak(attributes)
        case .adSource: self.beginSource(attributes)
        case .ad: self.beginAd(attributes)
        case .inline:
            if self.wrapper != nil || self.inline != nil { return self.beginSecondKind() }
            self.inline = VASTInline()
        case .wrapper:
            if self.wrapper != nil || self.inline != nil { return self.beginSecondKind() }
            self.beginWrapper(attributes)
        case .creative: self.beginCreative(attributes)
        case .linear:
            if self.parent != .creative { self.noteMisplaced("Linear", "the creative") }
            self.beginLinear(attributes)
        case .nonLinearAds:
            if self.parent != .creative { self.noteMisplaced("NonLinearAds", "the creative") }
            self.nonLinears = VASTNonLinears()
        case .nonLinear: self.beginNonLinear(attributes)
        case .companionAds:
            if self.parent != .creative { self.noteMisplaced("CompanionAds", "the creative") }
            self.beginCompanions(attributes)
        case .companion: self.beginCompanion(attributes)
        case .icon: self.beginIcon(attributes)
        case .iconClickFallbackImage: self.isInFallback = true
        case .mediaFile: self.beginMedia(attributes)
        case .verification:
            var verification = VASTVerification()
            verification.isInExtension = !self.nodes.isEmpty
            attributes.known { name, value in if name == .vendor { verification.vendor = value.text } }
            self.verification = verification
            if self.nodes.isEmpty, self.parent != .adVerifications {
                self.noteMisplaced("Verification", "the ad")
            }
        case .adVerifications:
            // Before 4.1 they stand in an extension (VAST 4.3 §3.16).
            if self.nodes.isEmpty, self.parent != .inline, self.parent != .wrapper {
                self.noteMisplaced("AdVerifications", "the ad")
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
        default: self.beginText(attributes)
        }
    }

    mutating func collect() {
        self.isCollecting = true
        self.text.removeAll(keepingCapacity: true)
    }

    /// An element whose text is what matters.
    private mutating func beginText(_ attributes: XMLAttributes) {
        self.collect()
        self.pending = Pending()
        guard attributes.count > 0 else { return }
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
            case .width: self.pending.width = self.take(.whole(value), of: "width", value)
            case .height: self.pending.height = self.take(.whole(value), of: "height", value)
            case .variableDuration:
                self.pending.hasVariableDuration = self.take(.flag(value), of: "variableDuration", value)
            case .offset:
                self.pending.offset = self.take(.offset(value), of: "offset", value)
                self.pending.isOffsetWrong = self.pending.offset == nil
            default: break
            }
        }
    }

    private mutating func beginSecondKind() {
        self.note("vast.ad.twoKinds", "an ad holds both <InLine> and <Wrapper>, or one of them twice; the first counts")
        self.open.removeLast()
        self.skipped = 1
    }

    private mutating func beginAd(_ attributes: XMLAttributes) {
        var ad = VASTAd()
        ad.line = self.line
        attributes.known { name, value in
            switch name {
            case .id: ad.id = value.text
            case .sequence: ad.sequence = self.take(.whole(value), of: "sequence", value)
            case .adType: ad.adType = value.text
            case .conditionalAd: ad.isConditional = self.take(.flag(value), of: "conditionalAd", value)
            default: break
            }
        }
        self.ad = ad
        self.inline = nil
        self.wrapper = nil
    }

    private mutating func beginWrapper(_ attributes: XMLAttributes) {
        var wrapper = VASTWrapper()
        attributes.known { name, value in
            switch name {
            case .followAdditionalWrappers:
                wrapper.followsAdditionalWrappers = self.take(.flag(value), of: "followAdditionalWrappers", value)
            case .allowMultipleAds: wrapper.allowsMultipleAds = self.take(.flag(value), of: "allowMultipleAds", value)
            case .fallbackOnNoAd: wrapper.fallsBackOnNoAd = self.take(.flag(value), of: "fallbackOnNoAd", value)
            default: break
            }
        }
        self.wrapper = wrapper
    }

    private mutating func beginCreative(_ attributes: XMLAttributes) {
        var creative = CreativeDraft(line: self.line)
        attributes.known { name, value in
            switch name {
            case .id: creative.id = value.text
            case .adID, .adId: creative.adID = value.text
            case .sequence: creative.sequence = self.take(.whole(value), of: "sequence", value)
            case .apiFramework: creative.apiFramework = value.text
            default: break
            }
        }
        self.creative = creative
    }

    private mutating func beginLinear(_ attributes: XMLAttributes) {
        var linear = VASTLinear()
        attributes.known { name, value in
            if name == .skipoffset { linear.skipOffset = self.take(.offset(value), of: "skipoffset", value) }
        }
        self.linear = linear
    }

    private mutating func beginMedia(_ attributes: XMLAttributes) {
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
            case .width: media.width = self.take(.whole(value), of: "width", value)
            case .height: media.height = self.take(.whole(value), of: "height", value)
            case .bitrate: media.bitrate = self.take(.whole(value), of: "bitrate", value)
            case .minBitrate: media.minBitrate = self.take(.whole(value), of: "minBitrate", value)
            case .maxBitrate: media.maxBitrate = self.take(.whole(value), of: "maxBitrate", value)
            case .fileSize: media.fileSize = self.take(.whole(value), of: "fileSize", value)
            case .scalable: media.isScalable = self.take(.flag(value), of: "scalable", value)
            case .maintainAspectRatio:
                media.keepsAspectRatio = self.take(.flag(value), of: "maintainAspectRatio", value)
            default: break
            }
        }
        self.media = media
        self.collect()
    }
}

extension VASTElement {
    /// Whether an element inside an extension is read as what it is: verifications stood there before 4.1.
    func isMeasured(_ isInVerification: Bool) -> Bool {
        switch self {
        case .verification, .adVerifications: true
        case .javaScriptResource, .executableResource, .verificationParameters, .trackingEvents, .tracking:
            isInVerification
        default: false
        }
    }
}

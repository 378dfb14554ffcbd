import AdCore
import LibC

/// The elements of VAST 2.0 to 4.3 and of VMAP.
enum VASTElement: UInt8 {
    case adParameters, adServingId, adSystem, adTitle, adVerifications, advertiser, altText, blockedAdCategories,
        category, clickThrough, clickTracking, closedCaptionFile, closedCaptionFiles, companion, companionAds,
        companionClickThrough, companionClickTracking, creative, creativeExtension, creativeExtensions, creatives,
        customClick, description, duration, error, executableResource, expires, extensionElement, extensions,
        flashResource, htmlResource, icon, iconClickFallbackImage, iconClickFallbackImages, iconClickThrough,
        iconClickTracking, iconClicks, iconViewTracking, icons, iframeResource, impression, inline,
        interactiveCreativeFile, javaScriptResource, linear, mediaFile, mediaFiles, mezzanine, nonLinear,
        nonLinearAds, nonLinearClickThrough, nonLinearClickTracking, notViewable, pricing, staticResource, survey,
        tracking, trackingEvents, universalAdId, vast, tagURI, verification, verificationParameters, videoClicks,
        viewUndetermined, viewable, viewableImpression, wrapper, ad, videoAdServingTemplate
    /// Elements of VMAP.
    case vmap, adBreak, adSource, vastAdData, adTagURI, customAdData
    /// The `<VASTAdTagURL>` of wrappers before VAST 2.0, and its `<URL>`.
    case oldTagURL, oldURL
    /// An unknown name.
    case other
}

extension VASTElement {
    static let table = NameTable<VASTElement>([
        ("VASTAdTagURL", .oldTagURL), ("URL", .oldURL), ("VMAP", .vmap), ("AdBreak", .adBreak), ("AdSource", .adSource),
        ("VASTAdData", .vastAdData), ("AdTagURI", .adTagURI), ("CustomAdData", .customAdData),
        ("AdParameters", .adParameters), ("AdServingId", .adServingId), ("AdSystem", .adSystem),
        ("AdTitle", .adTitle), ("AdVerifications", .adVerifications), ("Advertiser", .advertiser),
        ("AltText", .altText), ("BlockedAdCategories", .blockedAdCategories), ("Category", .category),
        ("ClickThrough", .clickThrough), ("ClickTracking", .clickTracking),
        ("ClosedCaptionFile", .closedCaptionFile), ("ClosedCaptionFiles", .closedCaptionFiles),
        ("Companion", .companion), ("CompanionAds", .companionAds),
        ("CompanionClickThrough", .companionClickThrough), ("CompanionClickTracking", .companionClickTracking),
        ("Creative", .creative), ("CreativeExtension", .creativeExtension),
        ("CreativeExtensions", .creativeExtensions), ("Creatives", .creatives), ("CustomClick", .customClick),
        ("Description", .description), ("Duration", .duration), ("Error", .error),
        ("ExecutableResource", .executableResource), ("Expires", .expires), ("Extension", .extensionElement),
        ("Extensions", .extensions), ("FlashResource", .flashResource), ("HTMLResource", .htmlResource),
        ("Icon", .icon), ("IconClickFallbackImage", .iconClickFallbackImage),
        ("IconClickFallbackImages", .iconClickFallbackImages), ("IconClickThrough", .iconClickThrough),
        ("IconClickTracking", .iconClickTracking), ("IconClicks", .iconClicks),
        ("IconViewTracking", .iconViewTracking), ("Icons", .icons), ("IFrameResource", .iframeResource),
        ("Impression", .impression), ("InLine", .inline), ("InteractiveCreativeFile", .interactiveCreativeFile),
        ("JavaScriptResource", .javaScriptResource), ("Linear", .linear), ("MediaFile", .mediaFile),
        ("MediaFiles", .mediaFiles), ("Mezzanine", .mezzanine), ("NonLinear", .nonLinear),
        ("NonLinearAds", .nonLinearAds), ("NonLinearClickThrough", .nonLinearClickThrough),
        ("NonLinearClickTracking", .nonLinearClickTracking), ("NotViewable", .notViewable), ("Pricing", .pricing),
        ("StaticResource", .staticResource), ("Survey", .survey), ("Tracking", .tracking),
        ("TrackingEvents", .trackingEvents), ("UniversalAdId", .universalAdId), ("VAST", .vast),
        ("VASTAdTagURI", .tagURI), ("Verification", .verification),
        ("VerificationParameters", .verificationParameters), ("VideoClicks", .videoClicks),
        ("ViewUndetermined", .viewUndetermined), ("Viewable", .viewable),
        ("ViewableImpression", .viewableImpression), ("Wrapper", .wrapper), ("Ad", .ad),
        ("VideoAdServingTemplate", .videoAdServingTemplate),
    ])
}

extension VASTElement {
    /// The name as the specification writes it.
    var spelling: String { VASTElement.table.spelling(of: self) ?? "?" }
}

/// The attributes of VAST and VMAP.
enum VASTAttributeName: UInt8 {
    case timeOffset, breakType, breakId, repeatAfter, followRedirects, templateType, adID, adId, adType,
        allowMultipleAds, altText, apiFramework, assetHeight, assetWidth, authority, bitrate,
        browserOptional, codec, conditionalAd, creativeType, currency, delivery, duration, event, expandedHeight,
        expandedWidth, fallbackOnNoAd, fileSize, followAdditionalWrappers, height, hoverText, id, idRegistry,
        idValue, language, maintainAspectRatio, maxBitrate, mediaType, minBitrate, minSuggestedDuration, model,
        offset, program, pxratio, renderingMode, required, scalable, sequence, skipoffset, type, adSlotID,
        variableDuration, vendor, version, width, xPosition, yPosition
    /// An unknown name.
    case other
}

extension VASTAttributeName {
    static let table = NameTable<VASTAttributeName>([
        ("timeOffset", .timeOffset), ("breakType", .breakType), ("breakId", .breakId), ("repeatAfter", .repeatAfter),
        ("followRedirects", .followRedirects), ("templateType", .templateType),
        ("adID", .adID), ("adId", .adId), ("adType", .adType), ("allowMultipleAds", .allowMultipleAds),
        ("altText", .altText), ("apiFramework", .apiFramework), ("assetHeight", .assetHeight),
        ("assetWidth", .assetWidth), ("authority", .authority), ("bitrate", .bitrate),
        ("browserOptional", .browserOptional), ("codec", .codec), ("conditionalAd", .conditionalAd),
        ("creativeType", .creativeType), ("currency", .currency), ("delivery", .delivery), ("duration", .duration),
        ("event", .event), ("expandedHeight", .expandedHeight), ("expandedWidth", .expandedWidth),
        ("fallbackOnNoAd", .fallbackOnNoAd), ("fileSize", .fileSize),
        ("followAdditionalWrappers", .followAdditionalWrappers), ("height", .height), ("hoverText", .hoverText),
        ("id", .id), ("idRegistry", .idRegistry), ("idValue", .idValue), ("language", .language),
        ("maintainAspectRatio", .maintainAspectRatio), ("maxBitrate", .maxBitrate), ("mediaType", .mediaType),
        ("minBitrate", .minBitrate), ("minSuggestedDuration", .minSuggestedDuration), ("model", .model),
        ("offset", .offset), ("program", .program), ("pxratio", .pxratio), ("renderingMode", .renderingMode),
        ("required", .required), ("scalable", .scalable), ("sequence", .sequence), ("skipoffset", .skipoffset),
        ("type", .type), ("adSlotID", .adSlotID), ("variableDuration", .variableDuration), ("vendor", .vendor),
        ("version", .version), ("width", .width), ("xPosition", .xPosition), ("yPosition", .yPosition),
    ])
}

/// Finds names by their bytes, with the right case or another one.
struct NameTable<Name: Sendable>: Sendable {
    private struct Entry: Sendable {
        let hash: UInt32
        let text: StaticString
        let name: Name
    }

    private let slots: [Entry?]

    init(_ names: [(StaticString, Name)]) {
        var slots = [Entry?](repeating: nil, count: 512)
        for (text, name) in names {
            let hash = NameTable.hash(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            var index = Int(hash) & 511
            while slots[index] != nil { index = (index + 1) & 511 }
            slots[index] = Entry(hash: hash, text: text, name: name)
        }
        self.slots = slots
    }

    /// The name, and whether its case is right.
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> (name: Name, isExact: Bool)? {
        let hash = NameTable.hash(bytes)
        var index = Int(hash) & 511
        var similar: Name?
        while let entry = self.slots[index] {
            if entry.hash == hash, entry.text.utf8CodeUnitCount == bytes.count, let base = bytes.baseAddress {
                if memcmp(entry.text.utf8Start, base, bytes.count) == 0 { return (entry.name, true) }
                if (0..<bytes.count).allSatisfy({ bytes[$0].lowercased == entry.text.utf8Start[$0].lowercased }) {
                    similar = similar ?? entry.name
                }
            }
            index = (index + 1) & 511
        }
        return similar.map { ($0, false) }
    }

    /// The text of a name.
    func spelling(of name: Name) -> String? where Name: Equatable {
        self.slots.lazy.compactMap { $0 }.first { $0.name == name }.map { "\($0.text)" }
    }

    /// A hash that ignores ASCII case, of the length and of four letters.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let count = bytes.count
        guard count > 0 else { return 0 }
        func mixed(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte | 0x20)) &* 16_777_619 }
        let start = mixed(mixed(UInt32(truncatingIfNeeded: count), bytes[0]), bytes[count / 3])
        let hash = mixed(mixed(start, bytes[max(0, count - 2)]), bytes[count - 1])
        return hash ^ hash >> 15
    }
}

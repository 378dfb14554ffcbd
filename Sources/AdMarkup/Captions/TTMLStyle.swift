import AdCore

/// The style attributes of TTML that are kept (TTML2 §10.2); nil is not given.
struct TTMLStyle: Hashable {
    private var isItalic: Bool?
    private var isBold: Bool?
    private var isUnderlined: Bool?
    private var align: CueSettings.Align?
    private var displayAlign: String?
    /// The vertical place of the region, and its height, in percent of the video's height.
    private var top: Double?
    private var height: Double?

    init() {}

    init(_ values: [String: String]) {
        self.isItalic = values["fontStyle"].map { $0 == "italic" || $0 == "oblique" }
        self.isBold = values["fontWeight"].map { $0 == "bold" }
        self.isUnderlined = values["textDecoration"].map { $0.contains("underline") && !$0.contains("noUnderline") }
        self.align = values["textAlign"].flatMap { CueSettings.Align(rawValue: $0) }
        self.displayAlign = values["displayAlign"]
        self.top = values["origin"].flatMap { TTMLStyle.second($0) }
        self.height = values["extent"].flatMap { TTMLStyle.second($0) }
    }

    /// The second of two percentages, which is the vertical one.
    private static func second(_ text: String) -> Double? {
        let parts = text.split(separator: " ")
        return parts.count == 2 ? CueSettings.percent(parts[1]) : nil
    }

    func overridden(by other: TTMLStyle) -> TTMLStyle {
        var result = self
        result.isItalic = other.isItalic ?? self.isItalic
        result.isBold = other.isBold ?? self.isBold
        result.isUnderlined = other.isUnderlined ?? self.isUnderlined
        result.align = other.align ?? self.align
        result.displayAlign = other.displayAlign ?? self.displayAlign
        result.top = other.top ?? self.top
        result.height = other.height ?? self.height
        return result
    }

    /// The tags of WebVTT that mean the same.
    var tags: [String] {
        [("i", self.isItalic), ("b", self.isBold), ("u", self.isUnderlined)].compactMap { $0.1 == true ? $0.0 : nil }
    }

    /// The place of a cue: text at the lower edge is where players show captions without a place.
    var settings: CueSettings {
        var settings = CueSettings()
        settings.align = self.align
        guard let top else {
            // A region without a place covers the video.
            if self.displayAlign == "before" { settings.line = .percent(0) }
            return settings
        }
        let height = self.height ?? 0
        switch self.displayAlign {
        case "after" where top + height < 70: settings.line = .percent(max(0, top + height - 12))
        case "center" where top + height / 2 < 70: settings.line = .percent(max(0, top + height / 2 - 6))
        case "after", "center": break
        // The text is at the upper edge of its region (the default).
        default: if top < 70 { settings.line = .percent(top) }
        }
        return settings
    }
}

import AdCore

/// The ad in a YABBI response, parsed leniently: every repair is an issue with its field.
struct YabbiResponse {
    let type: YabbiWireType
    let markup: String
    let closeDelay: Duration?
    let size: RequestedSize
    let viewTracker: BeaconAddress?
    let clickTracker: BeaconAddress?
    let issues: [AdIssue]

    /// Parses a response; nil when it means that there is no ad.
    init?(reading json: AdJSON) throws(AdError) {
        guard let markup = try YabbiResponse.markup(json) else { return nil }
        var fields = LenientFields(json)
        self.markup = markup
        self.type = try YabbiResponse.type(&fields)
        self.closeDelay = YabbiResponse.closeDelay(&fields)
        self.size = YabbiResponse.size(&fields)
        self.viewTracker = fields.tracker("tracker", "view")
        self.clickTracker = fields.tracker("tracker", "click")
        self.issues = fields.issues
    }

    /// The markup; nil when there is no ad.
    ///
    /// A missing `adm` means no ad, unless the object has no field of the protocol, as an error report has.
    private static func markup(_ json: AdJSON) throws(AdError) -> String? {
        switch json["adm"] {
        case .string(let text): return text.trimmed.isEmpty ? nil : text
        case .null: return nil
        case nil:
            if let error = AdError.foreign(json, hasNoneOf: "type", "adm") { throw error }
            return nil
        case let other?:
            throw AdError(.unreadableResponse, "adm is \(other.kind); expected a string")
        }
    }

    private static func type(_ fields: inout LenientFields) throws(AdError) -> YabbiWireType {
        guard let number = fields.number("type") else {
            throw AdError(.incompleteOffer, "the response has no usable type; it must be 1, 2 or 3")
        }
        guard let whole = Int(exactly: number), let type = YabbiWireType(rawValue: whole) else {
            let text = AdJSON.double(number).text()
            throw AdError(.unknownType, "unknown type \(text) in the response; known types are 1, 2 and 3")
        }
        return type
    }

    private static func closeDelay(_ fields: inout LenientFields) -> Duration? {
        guard fields.has("closeTimeout") else {
            fields.addIssue("closeTimeout.missing", "closeTimeout", "no closeTimeout; 0 is used")
            return nil
        }
        guard let milliseconds = fields.number("closeTimeout") else { return nil }
        if milliseconds < 0 {
            fields.addIssue("closeTimeout.negative", "closeTimeout", "closeTimeout is negative; 0 is used")
            return .zero
        }
        let longest = ClosePlan.maximumCloseDelay
        guard milliseconds <= longest.inSeconds * 1000 else {
            let text =
                "closeTimeout is \(AdJSON.double(milliseconds).text()) ms; the maximum of ten minutes is used"
            fields.addIssue("closeTimeout.huge", "closeTimeout", text)
            return longest
        }
        return .microseconds(Int64(milliseconds * 1000))
    }

    /// The protocol requires width and height; a missing one is an issue, 0 means adaptive.
    private static func size(_ fields: inout LenientFields) -> RequestedSize {
        for name in ["width", "height"] where !fields.has(name) {
            fields.addIssue("\(name).missing", name, "no \(name); the size is adaptive")
        }
        let width = fields.length("width")
        let height = fields.length("height")
        return RequestedSize(width: width, height: height)
    }
}

import AdCore

/// An answer of YABBI's server, read leniently: every repair is an issue with its field.
struct YabbiAnswer {
    let type: YabbiWireType
    let markup: String
    let closeDelay: Duration?
    let size: RequestedSize
    let viewTracker: BeaconAddress?
    let clickTracker: BeaconAddress?
    let issues: [AdIssue]

    /// Reads an answer; nil where it says that there is no ad.
    init?(reading json: AdJSON) throws(AdError) {
        guard let markup = try YabbiAnswer.markup(json) else { return nil }
        var fields = LenientFields(json)
        self.markup = markup
        self.type = try YabbiAnswer.type(&fields)
        self.closeDelay = YabbiAnswer.closeDelay(&fields)
        self.size = YabbiAnswer.size(&fields)
        self.viewTracker = fields.tracker("tracker", "view")
        self.clickTracker = fields.tracker("tracker", "click")
        self.issues = fields.issues
    }

    /// The markup; nil where it is empty.
    ///
    /// An answer without any `adm` is no ad as well, unless it is plainly something else: a report of a fault, say.
    private static func markup(_ json: AdJSON) throws(AdError) -> String? {
        switch json["adm"] {
        case .string(let text): return text.trimmed.isEmpty ? nil : text
        case .null: return nil
        case nil:
            if let error = AdError.foreign(json, hasNoneOf: "type", "adm") { throw error }
            return nil
        case let other?:
            throw AdError(.unreadableAnswer, "adm is \(other.kind) where a text should be")
        }
    }

    private static func type(_ fields: inout LenientFields) throws(AdError) -> YabbiWireType {
        guard let number = fields.number("type") else {
            throw AdError(.incompleteOffer, "the answer has no usable type; it must be 1, 2 or 3")
        }
        guard let whole = Int(exactly: number), let type = YabbiWireType(rawValue: whole) else {
            let text = AdJSON.double(number).text()
            throw AdError(.unknownType, "the answer is of type \(text), and only 1, 2 and 3 are known")
        }
        return type
    }

    private static func closeDelay(_ fields: inout LenientFields) -> Duration? {
        guard fields.has("closeTimeout") else {
            fields.note("closeTimeout.missing", "closeTimeout", "there is none, and 0 was taken")
            return nil
        }
        guard let milliseconds = fields.number("closeTimeout") else { return nil }
        if milliseconds < 0 {
            fields.note("closeTimeout.negative", "closeTimeout", "it is negative, and 0 was taken")
            return .zero
        }
        let longest = ClosePlan.longestTimeout
        guard milliseconds <= longest.inSeconds * 1000 else {
            let text =
                "it is \(AdJSON.double(milliseconds).text()) ms, and ten minutes were taken, the longest that is honoured"
            fields.note("closeTimeout.huge", "closeTimeout", text)
            return longest
        }
        return .microseconds(Int64(milliseconds * 1000))
    }

    /// The protocol has both sides in every answer, so one that is absent is a fault; 0 is not.
    private static func size(_ fields: inout LenientFields) -> RequestedSize {
        for name in ["width", "height"] where !fields.has(name) {
            fields.note("\(name).missing", name, "there is none, and adaptive was taken")
        }
        let width = fields.side("width")
        let height = fields.side("height")
        return RequestedSize(width: width, height: height)
    }
}

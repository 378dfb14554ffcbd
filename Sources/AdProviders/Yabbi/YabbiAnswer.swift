import AdCore

/// An answer of YABBI's server, read leniently: every repair is an issue with its field.
struct YabbiAnswer {
    let type: YabbiWireType
    let markup: String
    let closeTimeout: Duration?
    let size: SizeRequest
    let viewTracker: TrackingURL?
    let clickTracker: TrackingURL?
    let issues: [Issue]

    /// The longest close time-out that is believed; the watchdog ends the wait much earlier.
    private static let longestTimeout = Duration.seconds(600)

    /// Reads an answer; nil where it says that there is no ad.
    init?(reading body: [UInt8]) throws(AdError) {
        let json = try YabbiAnswer.json(body)
        guard case .object = json else {
            throw AdError(.unreadableAnswer, "the answer is \(json.kind) where an object should be")
        }
        var fields = LenientFields(json)
        let markup = fields.text("adm") ?? ""
        guard !markup.trimmed.isEmpty else { return nil }
        self.markup = markup
        self.type = try YabbiAnswer.type(&fields)
        self.closeTimeout = YabbiAnswer.closeTimeout(&fields)
        self.size = YabbiAnswer.size(&fields)
        self.viewTracker = fields.tracker("tracker", "view")
        self.clickTracker = fields.tracker("tracker", "click")
        self.issues = fields.issues
    }

    private static func type(_ fields: inout LenientFields) throws(AdError) -> YabbiWireType {
        guard let number = fields.number("type") else {
            throw AdError(.incompleteOffer, "the answer has no usable type; it must be 1, 2 or 3")
        }
        guard let whole = Int(exactly: number), let type = YabbiWireType(rawValue: whole) else {
            let text = JSON.double(number).text()
            throw AdError(.unknownType, "the answer is of type \(text), and only 1, 2 and 3 are known")
        }
        return type
    }

    private static func closeTimeout(_ fields: inout LenientFields) -> Duration? {
        guard let milliseconds = fields.number("closeTimeout") else { return nil }
        if milliseconds < 0 {
            fields.note("closeTimeout.negative", "closeTimeout", "it is negative, and 0 was taken")
            return .zero
        }
        guard milliseconds <= self.longestTimeout.inSeconds * 1000 else {
            fields.note(
                "closeTimeout.huge",
                "closeTimeout",
                "it is longer than ten minutes, and ten minutes were taken"
            )
            return self.longestTimeout
        }
        return .microseconds(Int64(milliseconds * 1000))
    }

    private static func size(_ fields: inout LenientFields) -> SizeRequest {
        let width = fields.side("width")
        let height = fields.side("height")
        return SizeRequest(width: width, height: height)
    }
}

extension YabbiAnswer {
    /// A status that carries no ad.
    static func refusal(_ response: HTTPResponse) -> AdError {
        let start = self.beginning(of: response.body)
        let quote = start.isEmpty ? "" : " and says: \(start)"
        return AdError(.serverStatus, "the server answered with status \(response.status)\(quote)")
    }

    /// The answer's JSON, or why it is none.
    static func json(_ body: [UInt8]) throws(AdError) -> JSON {
        do throws(JSON.Fault) {
            return try JSON(parsing: body)
        } catch {
            throw self.noJSON(body, error)
        }
    }

    private static func noJSON(_ body: [UInt8], _ fault: JSON.Fault) -> AdError {
        let first = body.first { !$0.isWhiteSpace }
        guard first == UInt8(ascii: "<") else {
            return AdError(
                .unreadableAnswer,
                "the answer is no JSON: \(fault.message) (column \(fault.column))",
                at: .init(line: fault.line),
                underlying: fault
            )
        }
        let text =
            "the answer is a page of HTML or XML where JSON should be: check the address, or a login page of the network"
        return AdError(.unreadableAnswer, text, underlying: fault)
    }

    /// The first words of a body, fit for an error.
    private static func beginning(of body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(200), as: UTF8.self).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar == "\u{FFFD}" ? " " : Character(scalar)
        }
        return String(text).trimmed
    }
}

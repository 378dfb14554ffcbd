import AdCore

/// Units that serve no creative but a particular answer, most of them a bad one.
enum SpecialUnit: String, CaseIterable, Sendable {
    case noFill = "nofill"
    case noFillEmpty = "nofill-empty"
    case noFillMarkup = "nofill-adm"
    case noFillReason = "nofill-nbr"
    case slow
    case broken
    case badType = "bad-type"
    case badMarkup = "bad-adm-mismatch"
    case badCloseTimeout = "bad-close-timeout"
    case badCloseTimeoutHuge = "bad-close-timeout-huge"
    case badSize = "bad-size"
    case badHTML = "bad-html-instead"
    case badStatus = "bad-500"
    case badTracker = "bad-empty-tracker"
    case badHuge = "bad-huge"

    /// Who serves units.
    enum Server: Hashable, Sendable { case yabbi, openRTB }

    /// What it answers, in a line for the index page.
    var about: String {
        switch self {
        case .noFill: "no ad: status 204"
        case .noFillEmpty: "no ad: status 200 with an empty body"
        case .noFillMarkup: "no ad: an answer whose adm is empty"
        case .noFillReason: "no ad: an answer that gives a reason (nbr 2)"
        case .slow: "an ad that takes its time"
        case .broken: "JSON that breaks off"
        case .badType: "a type (mtype) of 9"
        case .badMarkup: "HTML under the type of video"
        case .badCloseTimeout: "a negative closeTimeout"
        case .badCloseTimeoutHuge: "a closeTimeout of 1e300"
        case .badSize: "sizes as texts: \"320\" and \"NaN\""
        case .badHTML: "an HTML page with status 200"
        case .badStatus: "status 500"
        case .badTracker: "empty tracker addresses"
        case .badHuge: "an answer of 50 MB"
        }
    }

    /// Whether a server knows the unit.
    func isServed(by server: Server) -> Bool {
        switch self {
        case .noFillReason: server == .openRTB
        case .badCloseTimeout, .badCloseTimeoutHuge: server == .yabbi
        default: true
        }
    }
}

/// What a unit's name stands for.
enum Unit: Hashable, Sendable {
    case creative(CreativeEntry)
    case special(SpecialUnit)

    /// Finds what a name stands for, or says which names there are.
    init(_ name: String, of server: SpecialUnit.Server, at field: String, in state: SandboxState) throws(FieldFault) {
        if let special = SpecialUnit(rawValue: name), special.isServed(by: server) {
            self = .special(special)
        } else if let creative = state.catalogue[name] {
            self = .creative(creative)
        } else {
            let specials = SpecialUnit.allCases.filter { $0.isServed(by: server) }.map(\.rawValue)
            let known = (state.catalogue.creatives.map(\.name) + specials).joined(separator: ", ")
            throw FieldFault(field, "is \"\(name)\", which is no unit of this sandbox; known are \(known)")
        }
    }
}

extension SandboxReply {
    /// The page that a network puts in the place of every answer until somebody has signed in.
    static let signIn = SandboxReply.text(
        "<!DOCTYPE html><title>Sign in</title><p>This network wants you to sign in first.</p>\n",
        type: "text/html; charset=utf-8"
    )

    /// What a server says that has fallen over.
    static let internalError = SandboxReply.text(
        "Internal Server Error\n",
        type: "text/plain; charset=utf-8",
        status: 500
    )
}

extension SpecialUnit {
    /// An answer that is the same whoever was asked; nil where the server makes it.
    var commonReply: SandboxReply? {
        switch self {
        case .noFill:
            SandboxReply(status: 204)
        case .noFillEmpty:
            SandboxReply(status: 200, headers: ["Content-Type": "application/json"])
        case .badHTML:
            .signIn
        case .badStatus:
            .internalError
        default:
            nil
        }
    }

    /// How many bytes of markup `bad-huge` answers.
    static let hugeCount = 50 << 20

    /// An answer as large as `bad-huge` wants it: the empty `adm` of a template is filled while it is sent.
    static func huge(_ template: SandboxReply) -> SandboxReply {
        guard case .bytes(let bytes) = template.body else { return template }
        let mark = Array(#""adm":""#.utf8)
        let place = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? bytes.startIndex
        var reply = template
        reply.body = .filled(
            before: Array(bytes[..<(place + mark.count)]),
            filler: UInt8(ascii: "x"),
            times: self.hugeCount,
            after: Array(bytes[(place + mark.count)...])
        )
        return reply
    }

    /// JSON that ends in the middle of a text.
    static func broken(_ whole: SandboxReply) -> SandboxReply {
        guard case .bytes(let bytes) = whole.body else { return whole }
        var reply = whole
        reply.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
        return reply
    }
}

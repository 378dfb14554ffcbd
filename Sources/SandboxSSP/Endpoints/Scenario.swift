import AdCore
import LoopbackServer

/// The scenarios: names of placements with a particular response instead of a creative, most of them an error.
enum Scenario: String, CaseIterable, Sendable {
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

    /// The servers that know scenarios.
    enum Provider: Hashable, Sendable { case yabbi, openRTB }

    /// The description on the index page.
    var about: String {
        switch self {
        case .noFill: "no fill: status 204"
        case .noFillEmpty: "no fill: status 200 with an empty body"
        case .noFillMarkup: "no fill: a response with an empty adm"
        case .noFillReason: "no fill: a response with a reason (nbr 2)"
        case .slow: "a delayed ad"
        case .broken: "truncated JSON"
        case .badType: "a type (mtype) of 9"
        case .badMarkup: "HTML with the type of video"
        case .badCloseTimeout: "a negative closeTimeout"
        case .badCloseTimeoutHuge: "a closeTimeout of 1e300"
        case .badSize: "sizes as strings: \"320\" and \"NaN\""
        case .badHTML: "an HTML page with status 200"
        case .badStatus: "status 500"
        case .badTracker: "empty tracker URLs"
        case .badHuge: "a response of 50 MB"
        }
    }

    /// Whether a server has the scenario.
    func isAvailable(for provider: Provider) -> Bool {
        switch self {
        case .noFillReason: provider == .openRTB
        case .badCloseTimeout, .badCloseTimeoutHuge: provider == .yabbi
        default: true
        }
    }
}

/// What a placement serves.
enum Placement: Hashable, Sendable {
    case creative(CreativeEntry)
    case scenario(Scenario)

    /// Finds a placement by its name; the error lists all names.
    init(_ name: String, of provider: Scenario.Provider, at field: String, in state: SandboxState) throws(FieldError) {
        if let scenario = Scenario(rawValue: name), scenario.isAvailable(for: provider) {
            self = .scenario(scenario)
        } else if let creative = state.catalogue[name] {
            self = .creative(creative)
        } else {
            let scenarios = Scenario.allCases.filter { $0.isAvailable(for: provider) }.map(\.rawValue)
            let known = (state.catalogue.creatives.map(\.name) + scenarios).joined(separator: ", ")
            throw FieldError(field, "is \"\(name)\", an unknown placement; available: \(known)")
        }
    }
}

extension ServerResponse {
    /// The sign-in page that a captive portal sends instead of every response.
    static let signIn = ServerResponse.text(
        "<!DOCTYPE html><title>Sign in</title><p>This network wants you to sign in first.</p>\n",
        type: "text/html; charset=utf-8"
    )

    /// A plain status 500.
    static let internalError = ServerResponse.text(
        "Internal Server Error\n",
        type: "text/plain; charset=utf-8",
        status: 500
    )
}

extension Scenario {
    /// The response of a scenario that is the same for all servers; nil for the others.
    var commonResponse: ServerResponse? {
        switch self {
        case .noFill:
            ServerResponse(status: 204)
        case .noFillEmpty:
            ServerResponse(status: 200, headers: ["Content-Type": "application/json"])
        case .badHTML:
            .signIn
        case .badStatus:
            .internalError
        default:
            nil
        }
    }

    /// The size of the markup of `bad-huge`, in bytes.
    static let hugeCount = 50 << 20

    /// The response of `bad-huge`: the empty `adm` of a template is filled while it is sent.
    static func huge(_ template: ServerResponse) -> ServerResponse {
        guard case .bytes(let bytes) = template.body else { return template }
        let mark = Array(#""adm":""#.utf8)
        let index = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? bytes.startIndex
        var response = template
        response.body = .filled(
            before: Array(bytes[..<(index + mark.count)]),
            filler: UInt8(ascii: "x"),
            times: self.hugeCount,
            after: Array(bytes[(index + mark.count)...])
        )
        return response
    }

    /// The first half of a JSON response.
    static func broken(_ whole: ServerResponse) -> ServerResponse {
        guard case .bytes(let bytes) = whole.body else { return whole }
        var response = whole
        response.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
        return response
    }
}

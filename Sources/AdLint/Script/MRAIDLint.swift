import AdCore
import AdHTML
import AdMarkup

/// Checks the calls of MRAID in a creative's scripts.
enum MRAIDLint {
    private static let events: Set<String> = [
        "ready", "error", "stateChange", "sizeChange", "exposureChange", "audioVolumeChange", "viewableChange",
    ]
    /// The methods that may be called while the state is `loading`.
    private static let callableWhileLoading: Set<String> = [
        "addEventListener", "removeEventListener", "getVersion", "getState",
    ]

    static func check(_ code: ScriptCode, _ log: inout LintLog) {
        let calls = code.tokens.indices.filter {
            code.tokens[$0].kind == .word && code.isMRAIDMember($0) && code.isCall($0)
        }
        let names = Set(calls.map(code.word))
        let waits =
            names.contains("getState")
            || calls.contains { code.word($0) == "addEventListener" && code.string($0 + 2) == "ready" }
        if !waits,
            let first = calls.first(where: {
                !self.callableWhileLoading.contains(code.word($0)) && MRAIDScript.methods.contains(code.word($0))
                    && code.moment($0) != .tap
            })
        {
            log.add(
                .mraidNoReady,
                code.tokens[first].place,
                "mraid.\(code.word(first)) is called, but nothing waits for ready"
            )
        }
        if !names.contains("getState"),
            let first = calls.first(where: {
                code.word($0) == "addEventListener" && code.string($0 + 2) == "ready"
            })
        {
            log.add(
                .mraidReadyOnly,
                code.tokens[first].place,
                "there is a listener for ready, but no call of mraid.getState"
            )
        }
        for call in calls { self.check(call, code, names, &log) }
        guard !calls.isEmpty else { return }
        self.locations(code, openings: calls.filter { code.word($0) == "open" }, &log)
        guard !names.contains("open") else { return }
        for index in code.tokens.indices where code.word(index) == "open" && code.isCall(index) {
            guard let receiver = code.receiver(index), ["window", "self", "top", "parent"].contains(receiver) else {
                continue
            }
            log.add(.mraidWindowOpen, code.tokens[index].place, "\(receiver).open is called, but never mraid.open")
        }
    }

    /// The number of calls of `mraid.open` that are compared with one assignment.
    private static let maxCalls = 100

    /// Reports taps that set `location`.
    ///
    /// In a function that also calls `mraid.open`, setting `location` is the fallback without MRAID.
    private static func locations(_ code: ScriptCode, openings: [Int], _ log: inout LintLog) {
        for index in code.tokens.indices where code.word(index) == "location" && code.setsLocation(index) {
            if openings.isEmpty {
                guard code.moment(index) != .load else { continue }
                log.add(.mraidWindowOpen, code.tokens[index].place, "location is set, but mraid.open is never called")
            } else {
                guard code.moment(index) == .tap,
                    !openings.prefix(MRAIDLint.maxCalls).contains(where: { code.runsTogether($0, index) })
                else { continue }
                log.add(
                    .mraidWindowOpen,
                    code.tokens[index].place,
                    "location is set here, while other taps call mraid.open"
                )
            }
        }
    }

    private static func check(_ index: Int, _ code: ScriptCode, _ names: Set<String>, _ log: inout LintLog) {
        let name = code.word(index)
        let place = code.tokens[index].place
        guard MRAIDScript.methods.contains(name) else {
            let suggestion =
                log.suggestion(for: name, as: .method, among: MRAIDScript.methods).map { "; did you mean mraid.\($0)?" }
                ?? ""
            return log.add(.mraidMethodUnknown, place, "mraid.\(name.excerpt()) is called\(suggestion)")
        }
        let isAtLoad = code.moment(index) == .load
        switch name {
        case "addEventListener", "removeEventListener":
            guard let event = code.string(index + 2) else { return }
            if !self.events.contains(event) {
                let suggestion =
                    log.suggestion(for: event, as: .hostEvent, among: self.events).map { "; did you mean \($0)?" } ?? ""
                log.add(.mraidEventUnknown, place, "the event is \(event.quoted)\(suggestion)")
            }
            if event == "viewableChange" { log.add(.mraidDeprecated, place, "there is a listener for viewableChange") }
        case "isViewable", "useCustomClose": log.add(.mraidDeprecated, place, "mraid.\(name) is called")
        case "open":
            if code.word(index + 2) == ")" { log.add(.mraidOpenEmpty, place, "mraid.open() is called") }
            if isAtLoad { log.add(.mraidOpenAtLoad, place, "mraid.open runs without a tap") }
            if let address = code.string(index + 2), code.word(index + 3) == ")" || code.word(index + 3) == "," {
                self.address(address, "open", place, &log)
            }
        case "expand", "resize":
            if isAtLoad { log.add(.mraidExpandAtLoad, place, "mraid.\(name) runs without a tap") }
            if name == "expand", let address = code.string(index + 2), code.word(index + 3) == ")" {
                self.address(address, "expand", place, &log)
            }
            if name == "resize", !names.contains("setResizeProperties") {
                log.add(.mraidResizeUnprepared, place, "mraid.resize is called, but never mraid.setResizeProperties")
            }
        case "createCalendarEvent":
            if !names.contains("supports") {
                log.add(.mraidSupportsMissing, place, "mraid.createCalendarEvent is called")
            }
        case "playVideo", "storePicture":
            if name == "storePicture", !names.contains("supports") {
                log.add(.mraidSupportsMissing, place, "mraid.storePicture is called")
            }
            if let address = code.string(index + 2), URLCheck.scheme(of: address) == "http" {
                log.add(.mraidVideoInsecure, place, "mraid.\(name) is called with \(address.quotedURL)")
            }
        case "setOrientationProperties", "setResizeProperties", "setExpandProperties":
            self.properties(index, code, &log)
        case "close": if isAtLoad { log.add(.mraidCloseAtLoad, place, "mraid.close runs without a tap") }
        default: break
        }
    }

    /// Checks a URL that the app opens, which has no page to resolve it against (MRAID 3.0 §5.4, §5.8).
    private static func address(_ text: String, _ method: String, _ place: SourcePlace, _ log: inout LintLog) {
        let address = text.trimmed
        guard !address.isEmpty, AdMacroSpelling.leading(address) == nil else { return }
        switch URLCheck.scheme(of: address) {
        case nil:
            // `mraid.expand("two.html")` opens the creative's own second page.
            guard method == "open", !address.hasPrefix("//") else { return }
            log.add(.mraidOpenRelative, place, "mraid.open is called with \(address.quotedURL)")
        case "http" where method == "open":
            log.add(.htmlLinkInsecure, place, "mraid.open is called with \(address.quotedURL)")
        case "http" where method == "expand":
            log.add(.mraidExpandInsecure, place, "mraid.expand is called with \(address.quotedURL)")
        default:
            guard let local = URLCheck.localScheme(of: address) else { return }
            log.add(
                .urlSchemeWrong,
                place,
                "mraid.\(method) is called with \(address.quotedURL); \(local): is no landing page"
            )
        }
    }

    /// The values that properties may have (MRAID 3.0 §6).
    private static let propertyValues: [String: Set<String>] = [
        "forceOrientation": ["portrait", "landscape", "none"],
        "customClosePosition": [
            "top-left", "top-right", "top-center", "center", "bottom-left", "bottom-right", "bottom-center",
        ],
    ]

    private static func properties(_ index: Int, _ code: ScriptCode, _ log: inout LintLog) {
        guard code.word(index + 2) == "{", let end = code.matchingBrackets[index + 2] else { return }
        for at in (index + 3)..<min(end, index + 200) {
            let name = code.string(at) ?? code.word(at)
            guard let known = self.propertyValues[name], code.word(at + 1) == ":", let value = code.string(at + 2),
                !known.contains(value)
            else { continue }
            let suggestion =
                log.suggestion(for: value, as: .property(name), among: known).map { "; did you mean \($0)?" } ?? ""
            log.add(.mraidPropertyWrong, code.tokens[at].place, "\(name) is \(value.quoted)\(suggestion)")
        }
    }
}

import AdCore
import AdHTML
import AdMarkup

/// Looks at how a creative talks to its host.
enum MRAIDLint {
    private static let methods: Set<String> = [
        "addEventListener", "removeEventListener", "getVersion", "getState", "getPlacementType", "supports", "open",
        "close", "unload", "expand",
        "resize", "playVideo", "storePicture", "createCalendarEvent", "getExpandProperties", "setExpandProperties",
        "getOrientationProperties",
        "setOrientationProperties", "getResizeProperties", "setResizeProperties", "getScreenSize", "getMaxSize",
        "getDefaultPosition",
        "getCurrentPosition", "getCurrentAppOrientation", "getLocation", "isViewable", "useCustomClose", "initVpaid",
    ]
    private static let events: Set<String> = [
        "ready", "error", "stateChange", "sizeChange", "exposureChange", "audioVolumeChange", "viewableChange",
    ]
    /// What may be called while the state is still loading.
    private static let early: Set<String> = ["addEventListener", "removeEventListener", "getVersion", "getState"]

    static func check(_ code: ScriptCode, _ log: inout LintLog) {
        let calls = code.tokens.indices.filter {
            code.tokens[$0].kind == .word && code.isOfBridge($0) && code.isCall($0)
        }
        let names = Set(calls.map(code.word))
        let waits =
            names.contains("getState")
            || calls.contains { code.word($0) == "addEventListener" && code.text($0 + 2) == "ready" }
        if !waits,
            let first = calls.first(where: {
                !self.early.contains(code.word($0)) && self.methods.contains(code.word($0)) && code.moment($0) != .tap
            })
        {
            log.add(
                .mraidNoReady,
                code.tokens[first].place,
                "mraid.\(code.word(first)) is called, and nothing waits for ready"
            )
        }
        if !names.contains("getState"),
            let first = calls.first(where: {
                code.word($0) == "addEventListener" && code.text($0 + 2) == "ready"
            })
        {
            log.add(
                .mraidReadyOnly,
                code.tokens[first].place,
                "ready is listened to, and mraid.getState is called nowhere"
            )
        }
        for call in calls { self.check(call, code, names, &log) }
        guard !calls.isEmpty else { return }
        self.locations(code, openings: calls.filter { code.word($0) == "open" }, &log)
        guard !names.contains("open") else { return }
        for index in code.tokens.indices where code.word(index) == "open" && code.isCall(index) {
            guard let owner = code.owner(index), ["window", "self", "top", "parent"].contains(owner) else { continue }
            log.add(.mraidWindowOpen, code.tokens[index].place, "\(owner).open is called, and mraid.open nowhere")
        }
    }

    /// How many calls of `mraid.open` are compared with a place.
    private static let mostOpenings = 100

    /// Looks for taps that set `location`; beside `mraid.open` in the same function it is for where there is no MRAID.
    private static func locations(_ code: ScriptCode, openings: [Int], _ log: inout LintLog) {
        for index in code.tokens.indices where code.word(index) == "location" && code.leadsAway(index) {
            if openings.isEmpty {
                guard code.moment(index) != .load else { continue }
                log.add(.mraidWindowOpen, code.tokens[index].place, "location is set, and mraid.open is called nowhere")
            } else {
                guard code.moment(index) == .tap,
                    !openings.prefix(MRAIDLint.mostOpenings).contains(where: { code.runsTogether($0, index) })
                else { continue }
                log.add(.mraidWindowOpen, code.tokens[index].place, "location is set, where others call mraid.open")
            }
        }
    }

    private static func check(_ index: Int, _ code: ScriptCode, _ names: Set<String>, _ log: inout LintLog) {
        let name = code.word(index)
        let place = code.tokens[index].place
        guard self.methods.contains(name) else {
            let meant = log.meant(by: name, as: .method, among: self.methods).map { "; mraid.\($0) may be meant" } ?? ""
            return log.add(.mraidMethodUnknown, place, "mraid.\(name.excerpt()) is called\(meant)")
        }
        let isAtLoad = code.moment(index) == .load
        switch name {
        case "addEventListener", "removeEventListener":
            guard let event = code.text(index + 2) else { return }
            if !self.events.contains(event) {
                let meant =
                    log.meant(by: event, as: .hostEvent, among: self.events).map { "; did you mean \($0)?" } ?? ""
                log.add(.mraidEventUnknown, place, "the event is \(event.quoted)\(meant)")
            }
            if event == "viewableChange" { log.add(.mraidDeprecated, place, "the event viewableChange is listened to") }
        case "isViewable", "useCustomClose": log.add(.mraidDeprecated, place, "mraid.\(name) is called")
        case "open":
            if code.word(index + 2) == ")" { log.add(.mraidOpenEmpty, place, "mraid.open() is called") }
            if isAtLoad { log.add(.mraidOpenAtLoad, place, "mraid.open runs without a tap") }
            if let address = code.text(index + 2), code.word(index + 3) == ")" || code.word(index + 3) == "," {
                self.address(address, "open", place, &log)
            }
        case "expand", "resize":
            if isAtLoad { log.add(.mraidExpandAtLoad, place, "mraid.\(name) runs without a tap") }
            if name == "expand", let address = code.text(index + 2), code.word(index + 3) == ")" {
                self.address(address, "expand", place, &log)
            }
            if name == "resize", !names.contains("setResizeProperties") {
                log.add(.mraidResizeUnprepared, place, "mraid.resize is called, and mraid.setResizeProperties nowhere")
            }
        case "createCalendarEvent":
            if !names.contains("supports") {
                log.add(.mraidSupportsMissing, place, "mraid.createCalendarEvent is called")
            }
        case "playVideo", "storePicture":
            if name == "storePicture", !names.contains("supports") {
                log.add(.mraidSupportsMissing, place, "mraid.storePicture is called")
            }
            if let address = code.text(index + 2), AddressCheck.scheme(of: address) == "http" {
                log.add(.mraidFilmInsecure, place, "mraid.\(name) gets \(address.quotedAddress)")
            }
        case "setOrientationProperties", "setResizeProperties", "setExpandProperties":
            self.properties(index, code, &log)
        case "close": if isAtLoad { log.add(.mraidCloseAtLoad, place, "mraid.close runs without a tap") }
        default: break
        }
    }

    /// An address that is handed to the host, which has no page to resolve it against (MRAID 3.0 §4.2.6, §4.2.1).
    private static func address(_ text: String, _ method: String, _ place: SourcePlace, _ log: inout LintLog) {
        let address = text.trimmed
        guard !address.isEmpty, AdMacroSpelling.leading(address) == nil else { return }
        switch AddressCheck.scheme(of: address) {
        case nil:
            // `mraid.expand("two.html")` is the creative's own second page.
            guard method == "open", !address.hasPrefix("//") else { return }
            log.add(.mraidOpenRelative, place, "mraid.open gets \(address.quotedAddress)")
        case "http" where method == "open":
            log.add(.htmlLinkInsecure, place, "mraid.open gets \(address.quotedAddress)")
        case "http" where method == "expand":
            log.add(.mraidExpandInsecure, place, "mraid.expand gets \(address.quotedAddress)")
        default:
            guard let local = AddressCheck.localScheme(of: address) else { return }
            log.add(
                .urlSchemeWrong,
                place,
                "mraid.\(method) gets \(address.quotedAddress); \(local): is no landing page"
            )
        }
    }

    /// The words that a property may be (MRAID 3.0 §4.3).
    private static let words: [String: Set<String>] = [
        "forceOrientation": ["portrait", "landscape", "none"],
        "customClosePosition": [
            "top-left", "top-right", "top-center", "center", "bottom-left", "bottom-right", "bottom-center",
        ],
    ]

    private static func properties(_ index: Int, _ code: ScriptCode, _ log: inout LintLog) {
        guard code.word(index + 2) == "{", let end = code.partners[index + 2] else { return }
        for at in (index + 3)..<min(end, index + 200) {
            let name = code.text(at) ?? code.word(at)
            guard let known = self.words[name], code.word(at + 1) == ":", let value = code.text(at + 2),
                !known.contains(value)
            else { continue }
            let meant = log.meant(by: value, as: .property(name), among: known).map { "; did you mean \($0)?" } ?? ""
            log.add(.mraidPropertyWrong, code.tokens[at].place, "\(name) is \(value.quoted)\(meant)")
        }
    }
}

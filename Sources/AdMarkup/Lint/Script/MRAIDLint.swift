import AdCore

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
                code.tokens[first].line,
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
                code.tokens[first].line,
                "ready is listened to, and mraid.getState is called nowhere"
            )
        }
        for call in calls { self.check(call, code, names, &log) }
        guard !calls.isEmpty, !names.contains("open") else { return }
        for index in code.tokens.indices where code.word(index) == "open" && code.isCall(index) {
            guard let owner = code.owner(index), ["window", "self", "top", "parent"].contains(owner) else { continue }
            log.add(.mraidWindowOpen, code.tokens[index].line, "\(owner).open is called, and mraid.open nowhere")
        }
    }

    private static func check(_ index: Int, _ code: ScriptCode, _ names: Set<String>, _ log: inout LintLog) {
        let name = code.word(index)
        let line = code.tokens[index].line
        guard self.methods.contains(name) else {
            let meant = log.meant(by: name, among: self.methods).map { "; mraid.\($0) may be meant" } ?? ""
            return log.add(.mraidMethodUnknown, line, "mraid.\(name.excerpt()) is called\(meant)")
        }
        let isAtLoad = code.moment(index) == .load
        switch name {
        case "addEventListener", "removeEventListener":
            guard let event = code.text(index + 2) else { return }
            if !self.events.contains(event) {
                log.add(.mraidEventUnknown, line, "MRAID knows no event \(event.quoted)")
            }
            if event == "viewableChange" { log.add(.mraidDeprecated, line, "the event viewableChange is listened to") }
        case "isViewable", "useCustomClose": log.add(.mraidDeprecated, line, "mraid.\(name) is called")
        case "open":
            if code.word(index + 2) == ")" { log.add(.mraidOpenEmpty, line, "mraid.open() is called") }
            if isAtLoad { log.add(.mraidOpenAtLoad, line, "mraid.open runs without a tap") }
        case "expand", "resize":
            if isAtLoad { log.add(.mraidExpandAtLoad, line, "mraid.\(name) runs without a tap") }
            if name == "resize", !names.contains("setResizeProperties") {
                log.add(.mraidResizeUnprepared, line, "mraid.resize is called, and mraid.setResizeProperties nowhere")
            }
        case "playVideo", "storePicture":
            if let address = code.text(index + 2), AddressCheck.scheme(of: address) == "http" {
                log.add(.mraidFilmInsecure, line, "mraid.\(name) gets \(address.quotedAddress)")
            }
        case "close": if isAtLoad { log.add(.mraidCloseAtLoad, line, "mraid.close runs without a tap") }
        default: break
        }
    }
}

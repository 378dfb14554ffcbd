import AdCore

/// Looks at what the scripts of a creative do.
struct ScriptLint {
    private let code: ScriptCode
    private let makesSound: Bool
    /// How many words before each place may end a loop.
    private let ends: [Int32]
    private var hasConsole = false

    static func check(_ code: ScriptCode, _ log: inout LintLog) {
        var lint = ScriptLint(code)
        for index in code.tokens.indices where code.tokens[index].kind == .word {
            lint.navigation(index, &log)
            lint.devices(index, &log)
            lint.habits(index, &log)
        }
    }

    private init(_ code: ScriptCode) {
        self.code = code
        var count: Int32 = 0
        self.ends = code.tokens.map { token in
            let before = count
            if token.kind == .word, ScriptLint.ending.contains(token.text) { count += 1 }
            return before
        }
        self.makesSound = code.tokens.indices.contains {
            ["Audio", "AudioContext", "webkitAudioContext"].contains(code.word($0)) && code.word($0 - 1) == "new"
        }
    }

    private func line(_ index: Int) -> Int { self.code.tokens[index].line }

    /// The code at a place, for a message.
    private func excerpt(_ index: Int) -> String {
        let code = self.code
        let start = code.owner(index) == nil ? index : max(0, index - 2)
        let shown = code.tokens[start..<min(start + 8, code.tokens.count)].prefix {
            $0.text != "\u{0}" && $0.text != ";"
        }
        return shown.map { $0.kind == .text ? "\"\($0.text)\"" : $0.text }.joined().quotedAddress
    }

    private static let windows: Set<String> = ["window", "self", "top", "parent", "globalThis"]

    // MARK: Going away

    private func navigation(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let word = code.word(index)
        switch word {
        case "open" where code.isCall(index):
            guard let owner = code.owner(index), ScriptLint.windows.contains(owner) else { return }
            if code.moment(index) == .load {
                log.add(.scriptWindowOpenAtLoad, self.line(index), "\(self.excerpt(index)) runs without a tap")
            }
        case "location": self.location(index, &log)
        case "click" where code.isCall(index) && code.owner(index) != nil && code.word(index + 2) == ")":
            if code.moment(index) == .load {
                log.add(.scriptSelfClick, self.line(index), "\(code.owner(index) ?? "").click() runs without a tap")
            }
        case "MouseEvent", "PointerEvent", "Event", "TouchEvent":
            if code.word(index - 1) == "new", code.text(index + 2) == "click", code.moment(index) == .load {
                log.add(.scriptSelfClick, self.line(index), "a click is made without a tap")
            }
        case "document" where code.isOutside(index):
            log.add(.scriptParentAccess, self.line(index), "\(code.owner(index) ?? "").document is used")
        case "frameElement" where code.owner(index) == "window":
            log.add(.scriptParentAccess, self.line(index), "window.frameElement is used")
        case "pushState", "replaceState", "back", "forward", "go":
            if code.owner(index) == "history", code.isCall(index) {
                log.add(.scriptHistory, self.line(index), "history.\(word) is called")
            }
        case "onbeforeunload" where code.isAssigned(index):
            log.add(.scriptUnloadHandler, self.line(index), "onbeforeunload is set")
        case "addEventListener" where code.text(index + 2) == "beforeunload":
            log.add(.scriptUnloadHandler, self.line(index), "beforeunload is listened to")
        default: break
        }
    }

    private func location(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let owner = code.owner(index)
        guard owner != nil || code.isFree(index),
            owner.map({ ScriptLint.windows.contains($0) || $0 == "document" }) ?? true
        else { return }
        let member = code.word(index + 1) == "." ? index + 2 : nil
        let leads =
            code.isAssigned(index)
            || member.map {
                (code.word($0) == "href" && code.isAssigned($0))
                    || (["replace", "assign"].contains(code.word($0)) && code.isCall($0))
            } ?? false
        guard leads else { return }
        if let owner, owner == "top" || owner == "parent" {
            guard code.isOutside(index) else { return }
            log.add(.scriptTopNavigation, self.line(index), self.excerpt(index))
        } else if code.moment(index) == .load {
            log.add(.scriptRedirectAtLoad, self.line(index), "\(self.excerpt(index)) runs without a tap")
        }
    }

    // MARK: The device

    private func devices(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let word = code.word(index)
        let owner = code.owner(index)
        switch word {
        case "localStorage", "sessionStorage", "indexedDB":
            guard owner == nil || owner == "window", !code.isTried(index) else { return }
            log.add(.scriptStorage, self.line(index), "\(word) is used")
        case "cookie" where owner == "document": log.add(.scriptCookie, self.line(index), "document.cookie is used")
        case "geolocation" where owner == "navigator":
            log.add(.scriptGeolocation, self.line(index), "navigator.geolocation is used")
        case "getUserMedia", "webkitGetUserMedia": log.add(.scriptCamera, self.line(index), "\(word) is called")
        case "requestPermission" where owner == "Notification":
            log.add(.scriptNotification, self.line(index), "Notification.requestPermission is called")
        case "pushManager": log.add(.scriptNotification, self.line(index), "pushManager is used")
        case "clipboard" where owner == "navigator":
            log.add(.scriptClipboard, self.line(index), "navigator.clipboard is used")
        case "execCommand" where ["copy", "cut", "paste"].contains(code.text(index + 2) ?? ""):
            log.add(.scriptClipboard, self.line(index), "execCommand(\"\(code.text(index + 2) ?? "")\") is called")
        case "vibrate" where owner == "navigator" && code.isCall(index):
            log.add(.scriptVibrate, self.line(index), "navigator.vibrate is called")
        case "serviceWorker" where owner == "navigator":
            log.add(.scriptWorkerService, self.line(index), "navigator.serviceWorker is used")
        case "play" where code.isCall(index) && owner != nil && self.makesSound && code.moment(index) == .load:
            log.add(.scriptAudioAtLoad, self.line(index), "\(owner ?? "").play() runs without a tap")
        case "requestFullscreen", "webkitRequestFullscreen", "webkitRequestFullScreen":
            if code.isCall(index), code.moment(index) == .load {
                log.add(.scriptFullscreenAtLoad, self.line(index), "\(word) runs without a tap")
            }
        default: break
        }
    }

    // MARK: Habits

    private mutating func habits(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let word = code.word(index)
        let owner = code.owner(index)
        let isGlobal = owner == "window" || (owner == nil && code.isFree(index))
        switch word {
        case "write", "writeln":
            if owner == "document", code.isCall(index) {
                log.add(.scriptDocumentWrite, self.line(index), self.excerpt(index))
            }
        case "alert", "confirm", "prompt":
            if isGlobal, self.isGlobalCall(index) { log.add(.scriptDialog, self.line(index), self.excerpt(index)) }
        case "eval":
            if isGlobal, self.isGlobalCall(index) { log.add(.scriptEval, self.line(index), self.excerpt(index)) }
        case "Function":
            if code.word(index - 1) == "new", code.isCall(index) {
                log.add(.scriptEval, self.line(index), "new \(self.excerpt(index))")
            }
        case "setTimeout", "setInterval": if isGlobal { self.timer(index, &log) }
        case "while", "for": self.loop(index, &log)
        case "open": self.request(index, &log)
        case "debugger":
            if owner == nil, code.word(index + 1) != ":" {
                log.add(.scriptDebugger, self.line(index), "debugger stands here")
            }
        case "log", "debug", "info", "warn", "dir", "table":
            if owner == "console", code.isCall(index), !self.hasConsole {
                self.hasConsole = true
                log.add(.scriptConsole, self.line(index), "console.\(word) is called")
            }
        default: break
        }
    }

    /// Whether a word is called, and declares no method of that name.
    private func isGlobalCall(_ index: Int) -> Bool {
        guard self.code.isCall(index), let end = self.code.partners[index + 1] else { return false }
        return self.code.word(end + 1) != "{" && !self.code.declared.contains(self.code.word(index))
    }

    private func timer(_ index: Int, _ log: inout LintLog) {
        let arguments = self.code.arguments(index)
        guard let first = arguments.first else { return }
        if self.code.text(first) != nil { log.add(.scriptTimerText, self.line(index), self.excerpt(index)) }
        guard self.code.word(index) == "setInterval", arguments.count > 1,
            let delay = Double(self.code.word(arguments[1])),
            [",", ")"].contains(self.code.word(arguments[1] + 1)), delay < 16
        else { return }
        log.add(.scriptTimerFast, self.line(index), "setInterval runs every \(Int(delay)) ms")
    }

    /// A loop whose condition is always true, and in which nothing ends it.
    private func loop(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        guard code.isCall(index), code.word(index - 1) != ".", let end = code.partners[index + 1] else { return }
        guard end - index < 10 else { return }
        let condition = ((index + 2)..<end).map { code.word($0) }
        let isEndless =
            code.word(index) == "while"
            ? condition == ["true"] || condition == ["1"] || condition == ["!", "0"] : condition == [";", ";"]
        guard isEndless else { return }
        // In `do {…} while (true)` the body stands before.
        var body = end + 1
        if code.word(index - 1) == "}", let open = code.partners[index - 1], code.word(open - 1) == "do" { body = open }
        let last = code.word(body) == "{" ? code.partners[body] ?? body : min(body + 50, code.tokens.count - 1)
        guard body < last || code.word(body) == "{" || code.word(body) == ";" else { return }
        guard self.ends[max(body, last)] == self.ends[body] else { return }
        log.add(.scriptEndlessLoop, self.line(index), "\(code.word(index)) (\(condition.joined())) never ends")
    }

    private static let ending: Set<String> = ["break", "return", "throw", "await", "yield"]

    private func request(_ index: Int, _ log: inout LintLog) {
        let arguments = self.code.arguments(index)
        guard self.code.owner(index) != nil, arguments.count >= 3,
            ["GET", "POST", "PUT", "HEAD"].contains((self.code.text(arguments[0]) ?? "")),
            ["false", "0"].contains(self.code.word(arguments[2]))
                || (self.code.word(arguments[2]) == "!" && self.code.word(arguments[2] + 1) == "1")
        else { return }
        log.add(.scriptSynchronousRequest, self.line(index), self.excerpt(index))
    }
}

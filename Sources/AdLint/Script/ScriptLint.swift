import AdCore
import AdHTML
import AdMarkup

/// Checks what the scripts of a creative do.
struct ScriptLint {
    private let code: ScriptCode
    private let makesSound: Bool
    /// For each token the number of words before it that may end a loop.
    private let loopExits: [Int32]
    private var hasConsole = false

    static func check(_ code: ScriptCode, _ log: inout LintLog) {
        for error in code.syntaxErrors { log.add(.scriptSyntax, error.place, error.message) }
        var lint = ScriptLint(code)
        for index in code.tokens.indices where code.tokens[index].kind == .word {
            lint.navigation(index, &log)
            lint.deviceAccess(index, &log)
            lint.badPractices(index, &log)
        }
    }

    private init(_ code: ScriptCode) {
        self.code = code
        var count: Int32 = 0
        self.loopExits = code.tokens.map { token in
            let before = count
            if token.kind == .word, ScriptLint.loopExitWords.contains(token.text) { count += 1 }
            return before
        }
        self.makesSound = code.tokens.indices.contains {
            ["Audio", "AudioContext", "webkitAudioContext"].contains(code.word($0)) && code.word($0 - 1) == "new"
        }
    }

    private func place(_ index: Int) -> SourcePlace { self.code.tokens[index].place }

    /// The code at a place, for a message.
    private func excerpt(_ index: Int) -> String {
        let code = self.code
        let start = code.receiver(index) == nil ? index : max(0, index - 2)
        let shown = code.tokens[start..<min(start + 8, code.tokens.count)].prefix {
            $0.text != "\u{0}" && $0.text != ";"
        }
        return shown.map { $0.kind == .string ? "\"\($0.text)\"" : $0.text }.joined().quotedURL
    }

    private static let windows: Set<String> = ["window", "self", "top", "parent", "globalThis"]

    // MARK: Navigation

    private func navigation(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let word = code.word(index)
        switch word {
        case "open" where code.isCall(index):
            guard let receiver = code.receiver(index), ScriptLint.windows.contains(receiver) else { return }
            if code.moment(index) == .load {
                log.add(.scriptWindowOpenAtLoad, self.place(index), "\(self.excerpt(index)) runs without a tap")
            }
            if let address = code.string(index + 2), URLCheck.scheme(of: address.trimmed) == "http" {
                log.add(
                    .htmlLinkInsecure,
                    self.place(index),
                    "\(receiver).open is called with \(address.quotedURL)"
                )
            }
        case "location": self.location(index, &log)
        case "click" where code.isCall(index) && code.receiver(index) != nil && code.word(index + 2) == ")":
            if code.moment(index) == .load {
                log.add(.scriptSelfClick, self.place(index), "\(code.receiver(index) ?? "").click() runs without a tap")
            }
        case "MouseEvent", "PointerEvent", "Event", "TouchEvent":
            if code.word(index - 1) == "new", code.string(index + 2) == "click", code.moment(index) == .load {
                log.add(.scriptSelfClick, self.place(index), "a click event is created without a tap")
            }
        case "document" where code.isOuterWindow(index):
            log.add(.scriptParentAccess, self.place(index), "\(code.receiver(index) ?? "").document is used")
        case "frameElement" where code.receiver(index) == "window":
            log.add(.scriptParentAccess, self.place(index), "window.frameElement is used")
        case "pushState", "replaceState", "back", "forward", "go":
            if code.receiver(index) == "history", code.isCall(index) {
                log.add(.scriptHistory, self.place(index), "history.\(word) is called")
            }
        case "onbeforeunload" where code.isAssigned(index):
            log.add(.scriptUnloadHandler, self.place(index), "onbeforeunload is set")
        case "addEventListener" where code.string(index + 2) == "beforeunload":
            log.add(.scriptUnloadHandler, self.place(index), "there is a listener for beforeunload")
        default: break
        }
    }

    private func location(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let receiver = code.receiver(index)
        guard code.setsLocation(index) else { return }
        if let receiver, receiver == "top" || receiver == "parent" {
            guard code.isOuterWindow(index) else { return }
            log.add(.scriptTopNavigation, self.place(index), self.excerpt(index))
        } else if code.moment(index) == .load {
            log.add(.scriptRedirectAtLoad, self.place(index), "\(self.excerpt(index)) runs without a tap")
        }
    }

    // MARK: Access to the device

    private func deviceAccess(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let word = code.word(index)
        let receiver = code.receiver(index)
        switch word {
        case "localStorage", "sessionStorage", "indexedDB":
            guard receiver == nil || receiver == "window", !code.isInTry(index) else { return }
            log.add(.scriptStorage, self.place(index), "\(word) is used")
        case "cookie" where receiver == "document": log.add(.scriptCookie, self.place(index), "document.cookie is used")
        case "geolocation" where receiver == "navigator":
            log.add(.scriptGeolocation, self.place(index), "navigator.geolocation is used")
        case "getUserMedia", "webkitGetUserMedia": log.add(.scriptCamera, self.place(index), "\(word) is called")
        case "requestPermission" where receiver == "Notification":
            log.add(.scriptNotification, self.place(index), "Notification.requestPermission is called")
        case "pushManager": log.add(.scriptNotification, self.place(index), "pushManager is used")
        case "clipboard" where receiver == "navigator":
            log.add(.scriptClipboard, self.place(index), "navigator.clipboard is used")
        case "execCommand" where ["copy", "cut", "paste"].contains(code.string(index + 2) ?? ""):
            log.add(.scriptClipboard, self.place(index), "execCommand(\"\(code.string(index + 2) ?? "")\") is called")
        case "vibrate" where receiver == "navigator" && code.isCall(index):
            log.add(.scriptVibrate, self.place(index), "navigator.vibrate is called")
        case "serviceWorker" where receiver == "navigator":
            log.add(.scriptWorkerService, self.place(index), "navigator.serviceWorker is used")
        case "play" where code.isCall(index) && receiver != nil && self.makesSound && code.moment(index) == .load:
            log.add(.scriptAudioAtLoad, self.place(index), "\(receiver ?? "").play() runs without a tap")
        case "requestFullscreen", "webkitRequestFullscreen", "webkitRequestFullScreen":
            if code.isCall(index), code.moment(index) == .load {
                log.add(.scriptFullscreenAtLoad, self.place(index), "\(word) runs without a tap")
            }
        default: break
        }
    }

    // MARK: Bad practices

    private mutating func badPractices(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        let word = code.word(index)
        let receiver = code.receiver(index)
        let isGlobal = receiver == "window" || (receiver == nil && code.isFree(index))
        switch word {
        case "write", "writeln":
            if receiver == "document", code.isCall(index) {
                log.add(.scriptDocumentWrite, self.place(index), self.excerpt(index))
                self.writtenMarkup(index, &log)
            }
        case "sendBeacon", "fetch":
            if word == "fetch" ? isGlobal : receiver == "navigator", code.isCall(index),
                let address = code.string(index + 2)
            {
                self.checkRequest(to: address, index, &log)
            }
        case "alert", "confirm", "prompt":
            if isGlobal, self.isGlobalCall(index) { log.add(.scriptDialog, self.place(index), self.excerpt(index)) }
        case "eval":
            if isGlobal, self.isGlobalCall(index) { log.add(.scriptEval, self.place(index), self.excerpt(index)) }
        case "Function":
            if code.word(index - 1) == "new", code.isCall(index) {
                log.add(.scriptEval, self.place(index), "new \(self.excerpt(index))")
            }
        case "setTimeout", "setInterval": if isGlobal { self.timer(index, &log) }
        case "while", "for": self.loop(index, &log)
        case "open": self.openedRequest(index, &log)
        case "debugger":
            if receiver == nil, code.word(index + 1) != ":" {
                log.add(.scriptDebugger, self.place(index))
            }
        case "log", "debug", "info", "warn", "dir", "table":
            if receiver == "console", code.isCall(index), !self.hasConsole {
                self.hasConsole = true
                log.add(.scriptConsole, self.place(index), "console.\(word) is called")
            }
        default: break
        }
    }

    /// Whether a global function is called, and the name is not declared in the scripts.
    private func isGlobalCall(_ index: Int) -> Bool {
        guard self.code.isCall(index), let end = self.code.matchingBrackets[index + 1] else { return false }
        return self.code.word(end + 1) != "{" && !self.code.declared.contains(self.code.word(index))
    }

    private func timer(_ index: Int, _ log: inout LintLog) {
        let arguments = self.code.arguments(index)
        guard let first = arguments.first else { return }
        if self.code.string(first) != nil { log.add(.scriptTimerText, self.place(index), self.excerpt(index)) }
        guard self.code.word(index) == "setInterval", arguments.count > 1,
            let delay = Double(self.code.word(arguments[1])),
            [",", ")"].contains(self.code.word(arguments[1] + 1)), delay < 16
        else { return }
        log.add(.scriptTimerFast, self.place(index), "setInterval runs every \(Int(delay)) ms")
    }

    /// Reports a loop whose condition is always true and whose body has no statement that ends it.
    private func loop(_ index: Int, _ log: inout LintLog) {
        let code = self.code
        guard code.isCall(index), code.word(index - 1) != ".", let end = code.matchingBrackets[index + 1] else {
            return
        }
        self.busyLoop(index, end, &log)
        guard end - index < 10 else { return }
        let condition = ((index + 2)..<end).map { code.word($0) }
        let isEndless =
            code.word(index) == "while"
            ? condition == ["true"] || condition == ["1"] || condition == ["!", "0"] : condition == [";", ";"]
        guard isEndless else { return }
        // In `do {…} while (true)` the body precedes.
        var body = end + 1
        if code.word(index - 1) == "}", let open = code.matchingBrackets[index - 1], code.word(open - 1) == "do" {
            body = open
        }
        let last = code.word(body) == "{" ? code.matchingBrackets[body] ?? body : min(body + 50, code.tokens.count - 1)
        guard body < last || code.word(body) == "{" || code.word(body) == ";" else { return }
        guard self.loopExits[max(body, last)] == self.loopExits[body] else { return }
        log.add(.scriptEndlessLoop, self.place(index), "\(code.word(index)) (\(condition.joined())) never ends")
    }

    /// Reports a loop with an empty body that waits for the clock or counts to a million.
    private func busyLoop(_ index: Int, _ end: Int, _ log: inout LintLog) {
        let code = self.code
        let isEmpty =
            code.word(end + 1) == ";" || (code.word(end + 1) == "{" && code.matchingBrackets[end + 1] == end + 2)
        // The body of `do {…} while (…)` precedes.
        guard isEmpty, end - index < 60, code.word(index - 1) != "}" || code.word(index) == "for" else { return }
        let head = (index + 2)..<max(index + 2, end)
        let waits = head.contains { at in
            (["Date", "performance"].contains(code.word(at)) && code.word(at + 1) == "." && code.word(at + 2) == "now")
                || (code.word(at) == "new" && code.word(at + 1) == "Date")
        }
        let counts = head.contains { at in
            code.tokens[at].kind == .number && (Double(code.tokens[at].text) ?? 0) >= 1_000_000
                && ["<", "<=", ">", ">="].contains(code.word(at - 1))
        }
        guard waits || counts else { return }
        log.add(
            .scriptBusyLoop,
            self.place(index),
            "\(code.word(index)) (…) does nothing but \(waits ? "wait" : "count")"
        )
    }

    private static let loopExitWords: Set<String> = ["break", "return", "throw", "await", "yield"]

    /// Checks the markup that `document.write` writes.
    ///
    /// It is the joined strings of the argument, because ads split tags, as in `"<scr" + "ipt src=…"`.
    private func writtenMarkup(_ index: Int, _ log: inout LintLog) {
        guard let end = self.code.matchingBrackets[index + 1] else { return }
        var markup = ""
        for at in (index + 2)..<max(index + 2, min(end, index + 200)) {
            guard let text = self.code.string(at) else { continue }
            markup += text.replacing("\\/", by: "/").replacing("\\\"", by: "\"").replacing("\\'", by: "'")
        }
        guard markup.firstRange(of: "http://") != nil else { return }
        for tag in HTMLTags.read(markup) {
            guard let address = tag["src"], address.utf8.startsIgnoringCase("http://") else { continue }
            let rule: LintRule = ["script", "iframe"].contains(tag.name) ? .htmlScriptInsecure : .htmlResourceInsecure
            log.add(rule, self.place(index), "document.write: \(tag.name.excerpt(20)) \(address.quotedURL)")
        }
    }

    private func checkRequest(to address: String, _ index: Int, _ log: inout LintLog) {
        guard URLCheck.scheme(of: address) == "http" else { return }
        log.add(
            .scriptRequestInsecure,
            self.place(index),
            "\(self.code.word(index)) is called with \(address.quotedURL)"
        )
    }

    /// Checks `open(method, url, isAsynchronous)` of an XMLHttpRequest.
    private func openedRequest(_ index: Int, _ log: inout LintLog) {
        let arguments = self.code.arguments(index)
        if self.code.receiver(index) != nil, arguments.count >= 2,
            ["GET", "POST", "PUT", "HEAD"].contains(self.code.string(arguments[0]) ?? ""),
            let address = self.code.string(arguments[1])
        {
            self.checkRequest(to: address, index, &log)
        }
        guard self.code.receiver(index) != nil, arguments.count >= 3,
            ["GET", "POST", "PUT", "HEAD"].contains((self.code.string(arguments[0]) ?? "")),
            ["false", "0"].contains(self.code.word(arguments[2]))
                || (self.code.word(arguments[2]) == "!" && self.code.word(arguments[2] + 1) == "1")
        else { return }
        log.add(.scriptSynchronousRequest, self.place(index), self.excerpt(index))
    }
}

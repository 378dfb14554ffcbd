import AdCore
import AdHTML
import AdMarkup

/// A function in a script, and what makes it run.
struct ScriptFunction {
    enum Trigger {
        /// Loading the page, or an event that follows it.
        case load
        /// A tap, or a key.
        case tap
        /// A call of this name.
        case named(String)
        /// The code around it: the function runs immediately.
        case atOnce
        case unknown
    }

    /// The index of its first token.
    let start: Int
    /// The indices of the tokens of its body.
    let body: Range<Int>
    let trigger: Trigger

    /// All functions, outer ones before inner ones.
    static func all(in code: ScriptCode) -> [ScriptFunction] {
        var found: [ScriptFunction] = []
        for index in code.tokens.indices where code.tokens[index].kind == .punctuator {
            if code.tokens[index].text == "{", let end = code.matchingBrackets[index],
                let head = self.head(ofBody: index, in: code)
            {
                let trigger = head.name.map { Trigger.named($0) } ?? self.trigger(at: head.start, end: end, in: code)
                found.append(ScriptFunction(start: head.start, body: index..<(end + 1), trigger: trigger))
            } else if code.tokens[index].text == "=>", code.word(index + 1) != "{",
                let start = self.start(ofArrow: index, in: code)
            {
                let end = self.end(ofExpression: index + 1, in: code)
                found.append(
                    ScriptFunction(
                        start: start,
                        body: index..<end,
                        trigger: self.trigger(at: start, end: end - 1, in: code)
                    )
                )
            }
        }
        return found
    }

    // MARK: Extent

    private static let statements: Set<String> = ["if", "for", "while", "switch", "catch", "with"]

    /// The first token and the name of the function whose body begins at a bracket; nil if the bracket begins no body.
    private static func head(ofBody open: Int, in code: ScriptCode) -> (start: Int, name: String?)? {
        if code.word(open - 1) == "=>" {
            return self.start(ofArrow: open - 1, in: code).map { ($0, nil) }
        }
        guard code.word(open - 1) == ")", let bracket = code.matchingBrackets[open - 1], bracket > 0 else { return nil }
        let before = bracket - 1
        if code.word(before) == "function" { return (before, nil) }
        guard code.tokens[before].kind == .word, !self.statements.contains(code.word(before)) else { return nil }
        let isNamed = code.word(before - 1) == "function"
        // `(function name() {…})()` runs immediately; a declaration runs when it is called.
        if isNamed, before > 1, ["(", "!", "+", "void"].contains(code.word(before - 2)) { return (before - 1, nil) }
        return (isNamed ? before - 1 : before, code.word(before))
    }

    private static func start(ofArrow arrow: Int, in code: ScriptCode) -> Int? {
        guard arrow > 0 else { return nil }
        let start = code.word(arrow - 1) == ")" ? code.matchingBrackets[arrow - 1] ?? arrow - 1 : arrow - 1
        return code.word(start - 1) == "async" ? start - 1 : start
    }

    /// The end of the expression that an arrow function returns.
    private static func end(ofExpression start: Int, in code: ScriptCode) -> Int {
        var index = start
        while index < min(code.tokens.count, start + 200) {
            switch code.word(index) {
            case "(", "[", "{":
                guard let end = code.matchingBrackets[index] else { return index }
                index = end
            case ")", "]", "}", ",", ";", "\u{0}": return index
            default: break
            }
            index += 1
        }
        return index
    }

    // MARK: Triggers

    private static func trigger(at start: Int, end: Int, in code: ScriptCode) -> Trigger {
        let before = code.word(start - 1)
        switch before {
        case "=", ":", "||":
            let place = start - 2
            let name = code.string(place) ?? code.word(place)
            return self.trigger(ofProperty: name)
        case "!", "+", "-", "~", "void", "new", "await": return code.word(end + 1) == "(" ? .atOnce : .unknown
        case "(", ",":
            guard let bracket = code.enclosingBrackets[start] else { return .unknown }
            let callee = code.word(bracket - 1)
            let isGroup =
                bracket == start - 1
                && (bracket == 0 || code.tokens[bracket - 1].kind != .word && ![")", "]"].contains(callee)
                    || ["return", "typeof"].contains(callee))
            if isGroup {
                // `(function () {…})()` and `(function () {…}())` run immediately.
                let close = code.word(end + 1)
                let isCalled = close == "(" || (close == ")" && ["(", "."].contains(code.word(end + 2)))
                return isCalled ? .atOnce : .unknown
            }
            return self.trigger(ofCallAt: bracket, in: code)
        default: return .unknown
        }
    }

    private static func trigger(ofProperty name: String) -> Trigger {
        if name.hasPrefix("on") {
            if self.isTap(name.dropFirst(2)) { return .tap }
            if self.isLoad(name.dropFirst(2)) { return .load }
        }
        return .named(name)
    }

    private static let immediate: Set<String> = [
        "setTimeout", "setInterval", "requestAnimationFrame", "queueMicrotask", "forEach", "map", "filter", "some",
        "every", "each", "Promise",
        "requestIdleCallback", "setImmediate", "call", "apply",
    ]

    /// The trigger of a function that is an argument of a call.
    static func trigger(ofCallAt bracket: Int, in code: ScriptCode) -> Trigger {
        let callee = code.word(bracket - 1)
        if self.immediate.contains(callee) { return .atOnce }
        if callee == "$" || callee == "jQuery" || callee == "ready" { return .load }
        if ["click", "tap", "touchstart", "touchend", "mousedown"].contains(callee) { return .tap }
        guard
            ["addEventListener", "attachEvent", "on", "one", "once", "bind", "addListener", "listen"].contains(callee),
            let event = code.string(bracket + 1)
        else { return .unknown }
        if self.isTap(event[...]) { return .tap }
        return self.isLoad(event[...]) ? .load : .unknown
    }

    /// Whether an event is a gesture or a key of the user.
    static func isTap(_ event: Substring) -> Bool {
        let event = event.asciiLowercased
        return [
            "click", "touch", "mouse", "pointer", "key", "tap", "dblclick", "submit", "change", "input", "drag",
            "swipe", "pan", "press", "contextmenu", "wheel",
        ]
        .contains { event.hasPrefix($0) }
    }

    private static func isLoad(_ event: Substring) -> Bool {
        [
            "load", "domcontentloaded", "readystatechange", "ready", "pageshow", "viewablechange", "exposurechange",
            "statechange", "canplay", "deviceready",
        ]
        .contains(event.asciiLowercased)
    }
}

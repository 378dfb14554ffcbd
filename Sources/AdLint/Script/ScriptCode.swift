import AdCore
import AdHTML
import AdMarkup

/// All scripts of a creative as one list of tokens, and when each token runs.
struct ScriptCode {
    /// When code runs.
    enum Moment {
        /// While the creative loads, or soon after, without a tap.
        case load
        /// On a tap.
        case tap
        /// Unknown.
        case unknown
    }

    private(set) var tokens: [ScriptToken] = []
    /// The syntax errors, at most one of each script.
    private(set) var syntaxErrors: [ScriptSyntaxError] = []
    /// For each bracket the other one of its pair; nil for other tokens.
    private(set) var matchingBrackets: [Int?] = []
    /// For each token the innermost bracket around it.
    private(set) var enclosingBrackets: [Int?] = []
    /// For each token the moment when its script runs.
    private var scriptMoments: [Moment] = []
    /// The index of each script's last token.
    private var scriptEnds: [Int] = []
    private(set) var functions: [ScriptFunction] = []
    /// For each token the innermost function around it.
    private var enclosingFunctions: [Int?] = []
    /// The names of the functions.
    private(set) var declared: Set<String> = []
    /// The names of functions that are called while the creative loads.
    private var calledAtLoad: Set<String> = []

    /// The variables that hold the MRAID object.
    private var mraidNames: Set<String> = ["mraid"]
    /// Whether a script mentions `mraid`.
    private(set) var mentionsMRAID = false

    private static let maxTokens = 300_000
    /// The names of methods that objects of the browser have as well.
    private static let browserMethods: Set<String> = [
        "open", "close", "play", "pause", "click", "focus", "write", "replace", "assign", "go", "back", "send", "load",
        "start", "stop", "add",
        "remove", "get", "set", "on", "once", "emit", "push", "call", "apply", "bind", "then", "log", "expand",
        "resize", "unload", "init",
    ]
    /// The number of enclosing functions that are searched outwards.
    private static let maxDepth = 100

    init(_ tags: [HTMLTag]) {
        for tag in tags where !tag.isInert {
            if tag.name == "script", let content = tag.content, tag["src"] == nil, ScriptType.isCode(tag["type"]) {
                self.append(content.bytes, from: content.place, .load, isHandler: false)
            }
            for attribute in tag.attributes where attribute.name.hasPrefix("on") && !attribute.value.isEmpty {
                let isLoad = ScriptCode.loadHandlers.contains(attribute.name)
                let isTap = ScriptFunction.isTap(attribute.name.dropFirst(2))
                let moment: Moment = isLoad ? .load : isTap ? .tap : .unknown
                self.append(Array(attribute.value.utf8)[...], from: attribute.place, moment, isHandler: true)
            }
            if tag.name == "a", let link = tag["href"], let code = JavaScriptURL.code(of: link) {
                let place = tag.place(of: "href")
                let inner = SourcePlace(line: place.line, column: place.column.map { $0 + 11 })
                // If the code was percent-encoded, only the place of the URL is known, and not of its parts.
                let isAsWritten = link.trimmed.utf8.dropFirst(11).elementsEqual(code.utf8)
                self.append(Array(code.utf8)[...], from: inner, .tap, isHandler: false, isAsWritten: isAsWritten)
            }
        }
        self.matchBrackets()
        self.findMRAIDNames()
        self.functions = ScriptFunction.all(in: self)
        self.enclosingFunctions = Array(repeating: nil, count: self.tokens.count)
        self.findEnclosingFunctions()
        self.findCalledAtLoad()
    }

    /// Finds the innermost function of each token, in one pass over tokens and functions.
    private mutating func findEnclosingFunctions() {
        var next = 0
        var open: [Int] = []
        for place in self.tokens.indices {
            while let last = open.last, self.functions[last].body.upperBound <= place { open.removeLast() }
            while next < self.functions.count, self.functions[next].body.lowerBound == place {
                open.append(next)
                next += 1
            }
            self.enclosingFunctions[place] = open.last
        }
    }

    private static let loadHandlers: Set<String> = [
        "onload", "onerror", "onreadystatechange", "onpageshow", "oncanplay",
    ]

    private mutating func append(
        _ bytes: ArraySlice<UInt8>,
        from place: SourcePlace,
        _ moment: Moment,
        isHandler: Bool,
        isAsWritten: Bool = true
    ) {
        var moment = moment
        if let error = ScriptParser.syntaxError(in: bytes, from: place, isHandler: isHandler) {
            self.syntaxErrors.append(isAsWritten ? error : ScriptSyntaxError(place: place, message: error.message))
            // A browser does not run it, and it is unknown where its functions end.
            moment = .unknown
        }
        let remaining = ScriptCode.maxTokens - self.tokens.count
        guard remaining > 1 else { return }
        var more = ScriptTokens.read(bytes, from: place, atMost: remaining - 1)
        if !isAsWritten { more = more.map { ScriptToken(kind: $0.kind, text: $0.text, place: place) } }
        // A NUL, which no script contains, separates the scripts.
        self.tokens += more + [ScriptToken(kind: .punctuator, text: "\u{0}", place: place)]
        self.scriptEnds.append(self.tokens.count - 1)
        self.scriptMoments += Array(repeating: moment, count: more.count + 1)
    }

    private mutating func matchBrackets() {
        self.matchingBrackets = Array(repeating: nil, count: self.tokens.count)
        self.enclosingBrackets = self.matchingBrackets
        var open: [Int] = []
        for (index, token) in self.tokens.enumerated() {
            self.enclosingBrackets[index] = open.last
            guard token.kind == .punctuator else { continue }
            switch token.text {
            case "(", "[", "{", "${": open.append(index)
            case ")", "]", "}":
                guard let start = open.popLast() else { continue }
                self.matchingBrackets[index] = start
                self.matchingBrackets[start] = index
                self.enclosingBrackets[index] = open.last
            case "\u{0}": open.removeAll()
            default: break
            }
        }
    }

    /// Finds variables such as `host` in `var host = window.mraid`.
    private mutating func findMRAIDNames() {
        for index in self.tokens.indices where self.word(index) == "mraid" {
            self.mentionsMRAID = true
            let start = self.word(index - 1) == "." && self.word(index - 2) == "window" ? index - 2 : index
            guard self.word(start - 1) == "=", ["var", "let", "const", ","].contains(self.word(start - 3)),
                ![".", "?.", "("].contains(self.word(index + 1))
            else { continue }
            self.mraidNames.insert(self.word(start - 2))
        }
    }

    // MARK: Tokens

    /// Whether a word is a member of the MRAID object.
    func isMRAIDMember(_ index: Int) -> Bool { self.receiver(index).map(self.mraidNames.contains) ?? false }

    /// The text of a token; empty for strings and for an index out of range.
    func word(_ index: Int) -> String {
        self.tokens.indices.contains(index) && self.tokens[index].kind != .string ? self.tokens[index].text : ""
    }

    /// The content of a string; nil for other tokens.
    func string(_ index: Int) -> String? {
        self.tokens.indices.contains(index) && self.tokens[index].kind == .string ? self.tokens[index].text : nil
    }

    /// Whether a word is called.
    func isCall(_ index: Int) -> Bool { self.word(index + 1) == "(" }

    /// Whether a word is assigned a value.
    func isAssigned(_ index: Int) -> Bool { self.word(index + 1) == "=" }

    /// The object of a member access, such as `window` for `open` in `window.open`; nil without a dot.
    func receiver(_ index: Int) -> String? {
        let dot = self.word(index - 1)
        return dot == "." || dot == "?." ? self.word(index - 2) : nil
    }

    /// Whether `location` is set at a place: `location = …`, `location.href = …`, `window.location.replace(…)`.
    func setsLocation(_ index: Int) -> Bool {
        let receiver = self.receiver(index)
        guard receiver != nil || self.isFree(index),
            receiver.map({ ["window", "self", "top", "parent", "globalThis", "document"].contains($0) }) ?? true
        else { return false }
        if self.isAssigned(index) { return true }
        guard self.word(index + 1) == "." else { return false }
        return (self.word(index + 2) == "href" && self.isAssigned(index + 2))
            || (["replace", "assign"].contains(self.word(index + 2)) && self.isCall(index + 2))
    }

    /// Whether a word is neither a member nor declared here.
    func isFree(_ index: Int) -> Bool {
        self.receiver(index) == nil && !["function", "var", "let", "const", "class"].contains(self.word(index - 1))
    }

    /// Whether a word is a member of a window around the creative (`top`, `parent`).
    func isOuterWindow(_ index: Int) -> Bool {
        guard let receiver = self.receiver(index), receiver == "top" || receiver == "parent" else { return false }
        let next = self.receiver(index - 2)
        return next == nil || next == "window" || next == "self" || next == "parent"
    }

    /// The number of arguments of a call that are found.
    private static let maxArguments = 8

    /// The index of each argument's first token.
    ///
    /// Brackets within an argument are skipped as a whole, so that the time does not grow with the nesting of calls.
    func arguments(_ index: Int) -> [Int] {
        guard self.isCall(index), let end = self.matchingBrackets[index + 1], end > index + 2 else { return [] }
        var starts = [index + 2]
        var place = index + 2
        while place < end, starts.count < ScriptCode.maxArguments {
            if self.word(place) == "," { starts.append(place + 1) }
            place = (self.matchingBrackets[place].map { max($0, place) } ?? place) + 1
        }
        return starts
    }

    /// Whether two tokens run together: in the same function, or in the same script outside of functions.
    func runsTogether(_ index: Int, _ other: Int) -> Bool {
        let owner = self.deferredFunction(index)
        guard owner == self.deferredFunction(other) else { return false }
        return owner != nil || self.script(index) == self.script(other)
    }

    /// The innermost function around a token that does not run immediately.
    private func deferredFunction(_ index: Int) -> Int? {
        var place = index
        for _ in 0..<ScriptCode.maxDepth {
            guard let owner = self.enclosingFunctions[place] else { return nil }
            let function = self.functions[owner]
            guard case .atOnce = function.trigger, function.start > 0,
                self.enclosingFunctions[function.start - 1] != owner
            else {
                return owner
            }
            place = function.start - 1
        }
        return nil
    }

    /// The number of the script that contains a token.
    private func script(_ index: Int) -> Int {
        var (low, high) = (0, self.scriptEnds.count)
        while low < high {
            let middle = (low + high) / 2
            if self.scriptEnds[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a token is in the block of a `try`.
    func isInTry(_ index: Int) -> Bool {
        var parent = self.enclosingBrackets[index]
        for _ in 0..<ScriptCode.maxDepth {
            guard let bracket = parent else { return false }
            if self.word(bracket) == "{", self.word(bracket - 1) == "try" { return true }
            parent = self.enclosingBrackets[bracket]
        }
        return false
    }

    // MARK: Moments

    /// When a token runs.
    func moment(_ index: Int) -> Moment {
        var place = index
        for _ in 0..<ScriptCode.maxDepth {
            guard let owner = self.enclosingFunctions[place] else { return self.scriptMoments[place] }
            let function = self.functions[owner]
            switch function.trigger {
            case .load: return .load
            case .tap: return .tap
            case .named(let name): return self.calledAtLoad.contains(name) ? .load : .unknown
            case .unknown: return .unknown
            case .atOnce:
                guard function.start > 0, self.enclosingFunctions[function.start - 1] != owner else {
                    return self.scriptMoments[place]
                }
                place = function.start - 1
            }
        }
        return .unknown
    }

    /// Finds the functions that are called while the creative loads, directly or by other such functions.
    private mutating func findCalledAtLoad() {
        self.declared = Set(self.functions.compactMap { if case .named(let name) = $0.trigger { name } else { nil } })
        let names = self.declared
        guard !names.isEmpty else { return }
        for _ in 0..<4 {
            var found = self.calledAtLoad
            for index in self.tokens.indices
            where self.tokens[index].kind == .word && names.contains(self.tokens[index].text) {
                let name = self.tokens[index].text
                guard !found.contains(name), self.word(index - 1) != "function", self.runs(index),
                    self.moment(index) == .load
                else { continue }
                found.insert(name)
            }
            if found == self.calledAtLoad { return }
            self.calledAtLoad = found
        }
    }

    /// Whether the function that a token names runs there: it is called, or passed to a function that calls it.
    private func runs(_ index: Int) -> Bool {
        // `request.open(…)` does not call the creative's own method `open`.
        if let receiver = self.receiver(index), receiver != "this",
            ScriptCode.browserMethods.contains(self.tokens[index].text)
        {
            return false
        }
        if self.isCall(index) {
            // `name(…) {` declares a method and does not call it.
            return self.matchingBrackets[index + 1].map { self.word($0 + 1) != "{" || self.word(index - 1) == ";" }
                ?? false
        }
        if self.word(index - 1) == "=", ["onload", "onreadystatechange"].contains(self.word(index - 2)) { return true }
        guard let bracket = self.enclosingBrackets[index], self.word(bracket) == "(",
            ["(", ","].contains(self.word(index - 1)),
            [")", ","].contains(self.word(index + 1))
        else { return false }
        return switch ScriptFunction.trigger(ofCallAt: bracket, in: self) {
        case .load, .atOnce: true
        case .tap, .named, .unknown: false
        }
    }
}

import AdCore
import AdHTML
import AdMarkup

/// All scripts of a creative as one row of tokens, and when each of them runs.
struct ScriptCode {
    /// What makes code run.
    enum Moment {
        /// It runs while the creative loads, or soon after, without a tap.
        case load
        /// It runs on a tap.
        case tap
        /// Unknown.
        case unknown
    }

    private(set) var tokens: [ScriptToken] = []
    /// What is wrong with the syntax of the scripts, at most one fault of each.
    private(set) var faults: [ScriptFault] = []
    /// Of each bracket the other one of its pair; of what is no bracket, nothing.
    private(set) var partners: [Int?] = []
    /// The bracket that each token is in.
    private(set) var parents: [Int?] = []
    /// What makes the scripts run that the tokens are of.
    private var roots: [Moment] = []
    /// Where each script ends.
    private var ends: [Int] = []
    private(set) var functions: [ScriptFunction] = []
    /// The innermost function that each token is in.
    private var owners: [Int?] = []
    /// The names of the functions.
    private(set) var declared: Set<String> = []
    /// The functions that are called while the creative loads.
    private var loaded: Set<String> = []

    /// The names under which the scripts know MRAID.
    private var bridges: Set<String> = ["mraid"]
    /// Whether a script names MRAID at all.
    private(set) var namesBridge = false

    private static let most = 300_000
    /// The names of methods that things of the browser have as well.
    private static let common: Set<String> = [
        "open", "close", "play", "pause", "click", "focus", "write", "replace", "assign", "go", "back", "send", "load",
        "start", "stop", "add",
        "remove", "get", "set", "on", "once", "emit", "push", "call", "apply", "bind", "then", "log", "expand",
        "resize", "unload", "init",
    ]
    /// How many functions are looked through outwards.
    private static let deepest = 100

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
            if tag.name == "a", let link = tag["href"], let code = JavaScriptAddress.code(of: link) {
                let place = tag.place(of: "href")
                let inner = SourcePlace(line: place.line, column: place.column.map { $0 + 11 })
                // What was decoded stands elsewhere than it did: of its parts only the address's own place is known.
                let isAsWritten = link.trimmed.utf8.dropFirst(11).elementsEqual(code.utf8)
                self.append(Array(code.utf8)[...], from: inner, .tap, isHandler: false, isAsWritten: isAsWritten)
            }
        }
        self.matchBrackets()
        self.findBridges()
        self.functions = ScriptFunction.all(in: self)
        self.owners = Array(repeating: nil, count: self.tokens.count)
        self.findOwners()
        self.findLoaded()
    }

    /// Tells each token its innermost function, in one ignore both.
    private mutating func findOwners() {
        var next = 0
        var open: [Int] = []
        for place in self.tokens.indices {
            while let last = open.last, self.functions[last].body.upperBound <= place { open.removeLast() }
            while next < self.functions.count, self.functions[next].body.lowerBound == place {
                open.append(next)
                next += 1
            }
            self.owners[place] = open.last
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
        if let fault = ScriptParser.fault(in: bytes, from: place, isHandler: isHandler) {
            self.faults.append(isAsWritten ? fault : ScriptFault(place: place, message: fault.message))
            // A browser runs nothing of it, and where its functions end is a guess.
            moment = .unknown
        }
        let room = ScriptCode.most - self.tokens.count
        guard room > 1 else { return }
        var more = ScriptTokens.read(bytes, from: place, atMost: room - 1)
        if !isAsWritten { more = more.map { ScriptToken(kind: $0.kind, text: $0.text, place: place) } }
        // A sign that no script has keeps the scripts apart.
        self.tokens += more + [ScriptToken(kind: .sign, text: "\u{0}", place: place)]
        self.ends.append(self.tokens.count - 1)
        self.roots += Array(repeating: moment, count: more.count + 1)
    }

    private mutating func matchBrackets() {
        self.partners = Array(repeating: nil, count: self.tokens.count)
        self.parents = self.partners
        var open: [Int] = []
        for (index, token) in self.tokens.enumerated() {
            self.parents[index] = open.last
            guard token.kind == .sign else { continue }
            switch token.text {
            case "(", "[", "{", "${": open.append(index)
            case ")", "]", "}":
                guard let start = open.popLast() else { continue }
                self.partners[index] = start
                self.partners[start] = index
                self.parents[index] = open.last
            case "\u{0}": open.removeAll()
            default: break
            }
        }
    }

    /// Finds names as in `var host = window.mraid`.
    private mutating func findBridges() {
        for index in self.tokens.indices where self.word(index) == "mraid" {
            self.namesBridge = true
            let start = self.word(index - 1) == "." && self.word(index - 2) == "window" ? index - 2 : index
            guard self.word(start - 1) == "=", ["var", "let", "const", ","].contains(self.word(start - 3)),
                ![".", "?.", "("].contains(self.word(index + 1))
            else { continue }
            self.bridges.insert(self.word(start - 2))
        }
    }

    // MARK: Looking

    /// Whether a word is a member of MRAID.
    func isOfBridge(_ index: Int) -> Bool { self.owner(index).map(self.bridges.contains) ?? false }

    /// What a token says; an empty text behind the ends, and for the contents of texts.
    func word(_ index: Int) -> String {
        self.tokens.indices.contains(index) && self.tokens[index].kind != .text ? self.tokens[index].text : ""
    }

    /// What a text says; nil for what is none.
    func text(_ index: Int) -> String? {
        self.tokens.indices.contains(index) && self.tokens[index].kind == .text ? self.tokens[index].text : nil
    }

    /// Whether a word is called.
    func isCall(_ index: Int) -> Bool { self.word(index + 1) == "(" }

    /// Whether a word is given a value.
    func isAssigned(_ index: Int) -> Bool { self.word(index + 1) == "=" }

    /// The word before the dot before a word; nil if there is no dot.
    func owner(_ index: Int) -> String? {
        let dot = self.word(index - 1)
        return dot == "." || dot == "?." ? self.word(index - 2) : nil
    }

    /// Whether `location` is set at a place: `location = …`, `location.href = …`, `window.location.replace(…)`.
    func leadsAway(_ index: Int) -> Bool {
        let owner = self.owner(index)
        guard owner != nil || self.isFree(index),
            owner.map({ ["window", "self", "top", "parent", "globalThis", "document"].contains($0) }) ?? true
        else { return false }
        if self.isAssigned(index) { return true }
        guard self.word(index + 1) == "." else { return false }
        return (self.word(index + 2) == "href" && self.isAssigned(index + 2))
            || (["replace", "assign"].contains(self.word(index + 2)) && self.isCall(index + 2))
    }

    /// Whether a word is a name of its own: no member, and nothing that is declared here.
    func isFree(_ index: Int) -> Bool {
        self.owner(index) == nil && !["function", "var", "let", "const", "class"].contains(self.word(index - 1))
    }

    /// Whether the word before the dot before a word is a window around the creative, and no member of something else.
    func isOutside(_ index: Int) -> Bool {
        guard let owner = self.owner(index), owner == "top" || owner == "parent" else { return false }
        let next = self.owner(index - 2)
        return next == nil || next == "window" || next == "self" || next == "parent"
    }

    /// How many arguments of a call are looked at.
    private static let mostArguments = 8

    /// Where the arguments of a call begin, behind its bracket.
    ///
    /// What is in brackets of its own is passed as a whole: calls in calls are not walked through once for each.
    func arguments(_ index: Int) -> [Int] {
        guard self.isCall(index), let end = self.partners[index + 1], end > index + 2 else { return [] }
        var starts = [index + 2]
        var place = index + 2
        while place < end, starts.count < ScriptCode.mostArguments {
            if self.word(place) == "," { starts.append(place + 1) }
            place = (self.partners[place].map { max($0, place) } ?? place) + 1
        }
        return starts
    }

    /// Whether two tokens run together: in the same function, or in the same script outside of all.
    func runsTogether(_ index: Int, _ other: Int) -> Bool {
        let owner = self.waitingOwner(index)
        guard owner == self.waitingOwner(other) else { return false }
        return owner != nil || self.script(index) == self.script(other)
    }

    /// The innermost function around a token that does not run at once.
    private func waitingOwner(_ index: Int) -> Int? {
        var place = index
        for _ in 0..<ScriptCode.deepest {
            guard let owner = self.owners[place] else { return nil }
            let function = self.functions[owner]
            guard case .atOnce = function.trigger, function.start > 0, self.owners[function.start - 1] != owner else {
                return owner
            }
            place = function.start - 1
        }
        return nil
    }

    /// The number of the script that a token is of.
    private func script(_ index: Int) -> Int {
        var (low, high) = (0, self.ends.count)
        while low < high {
            let middle = (low + high) / 2
            if self.ends[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a token is in the block of a `try`.
    func isTried(_ index: Int) -> Bool {
        var parent = self.parents[index]
        for _ in 0..<ScriptCode.deepest {
            guard let bracket = parent else { return false }
            if self.word(bracket) == "{", self.word(bracket - 1) == "try" { return true }
            parent = self.parents[bracket]
        }
        return false
    }

    // MARK: When

    /// When a token runs.
    func moment(_ index: Int) -> Moment {
        var place = index
        for _ in 0..<ScriptCode.deepest {
            guard let owner = self.owners[place] else { return self.roots[place] }
            let function = self.functions[owner]
            switch function.trigger {
            case .load: return .load
            case .tap: return .tap
            case .named(let name): return self.loaded.contains(name) ? .load : .unknown
            case .unknown: return .unknown
            case .atOnce:
                guard function.start > 0, self.owners[function.start - 1] != owner else { return self.roots[place] }
                place = function.start - 1
            }
        }
        return .unknown
    }

    /// Finds the functions that are called while the creative loads, also by others that are.
    private mutating func findLoaded() {
        self.declared = Set(self.functions.compactMap { if case .named(let name) = $0.trigger { name } else { nil } })
        let names = self.declared
        guard !names.isEmpty else { return }
        for _ in 0..<4 {
            var found = self.loaded
            for index in self.tokens.indices
            where self.tokens[index].kind == .word && names.contains(self.tokens[index].text) {
                let name = self.tokens[index].text
                guard !found.contains(name), self.word(index - 1) != "function", self.runs(index),
                    self.moment(index) == .load
                else { continue }
                found.insert(name)
            }
            if found == self.loaded { return }
            self.loaded = found
        }
    }

    /// Whether the function that is named at a place runs then: it is called there, or handed to what calls it by itself.
    private func runs(_ index: Int) -> Bool {
        // `request.open(…)` calls no method of the creative's own that is called open, too.
        if let owner = self.owner(index), owner != "this", ScriptCode.common.contains(self.tokens[index].text) {
            return false
        }
        if self.isCall(index) {
            // `name(…) {` declares a method.
            return self.partners[index + 1].map { self.word($0 + 1) != "{" || self.word(index - 1) == ";" } ?? false
        }
        if self.word(index - 1) == "=", ["onload", "onreadystatechange"].contains(self.word(index - 2)) { return true }
        guard let bracket = self.parents[index], self.word(bracket) == "(", ["(", ","].contains(self.word(index - 1)),
            [")", ","].contains(self.word(index + 1))
        else { return false }
        return switch ScriptFunction.trigger(ofCallAt: bracket, in: self) {
        case .load, .atOnce: true
        case .tap, .named, .unknown: false
        }
    }
}

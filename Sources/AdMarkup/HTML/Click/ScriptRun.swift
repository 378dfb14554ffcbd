import AdCore

/// Follows the scripts of a creative: what they attach to its elements, and what a press makes them do.
///
/// It is no browser. It knows texts, numbers, objects, functions and the few parts of the DOM that ads use to open a
/// link; what it does not know is `unknown`, and a branch on that is followed on both sides, with its actions marked as
/// uncertain. Time is bounded by a count of steps, memory by the count of what steps can make, the stack by a depth.
struct ScriptRun {
    /// What ends a script before its end.
    enum Stop: Error {
        /// It threw, and nothing caught it; the text is the message.
        case thrown(ScriptValue)
        /// It takes longer than is followed here.
        case tooLong
    }

    /// How a statement ended.
    enum Flow {
        case normal, breaking, continuing
        case returning(ScriptValue)
    }

    struct Scope {
        let parent: Int?
        var values: [String: ScriptValue] = [:]
        /// Under how many unknown conditions it was made.
        let doubt: Int
    }

    struct Timer {
        let delay: Double
        let order: Int
        let callee: ScriptValue
        let arguments: [ScriptValue]
    }

    /// Something that was done, and whether it is certain that a press does it.
    struct Deed: Equatable {
        let action: PressAction
        let isCertain: Bool
    }

    var program = ScriptProgram()
    var page: PageModel
    var scopes: [Scope] = [Scope(parent: nil, doubt: 0)]
    var objects: [ScriptObject] = []
    private var hosts: [ScriptHost: ScriptValue] = [:]
    /// For each element that a script has asked for its one object.
    var elementObjects: [Int: ScriptValue] = [:]
    var timers: [Timer] = []
    /// What was done since the press; what scripts do before it is stopped, and does not count.
    var deeds: [Deed] = []
    var isPressed = false
    /// How many conditions that can't be known hold for what runs now.
    var doubt = 0
    /// The first thing that was called and is not known here, as `Enabler.exit`.
    var unknownCall: String?
    /// The message of the last error that ended a handler.
    var fault: String?
    /// A script that was not followed to its end, and why.
    var unread: String?
    /// Whether any handler has run.
    var heard = false
    /// The address of the link that was pressed, where it is code or a place in the page.
    var aside: String?
    /// Whether a press has changed what the page shows.
    var hasChanged = false
    /// Whether a handler has cancelled what the browser would do on the press.
    var isCancelled = false
    /// What the last handler returned.
    var lastResult = ScriptValue.undefined
    var presses = 0
    /// What listens to the events of MRAID.
    var bridgeListeners: [String: [ScriptValue]] = [:]

    /// The bytes of the scripts that were read.
    private var readBytes = 0
    private var steps = 0
    private var limit = 0
    private var total = 0
    private var depth = 0

    /// The steps of one script or handler, and of all.
    private static let mostSteps = 100_000
    private static let mostInAll = 400_000
    private static let deepest = 200
    /// The bytes of all scripts that are read.
    private static let mostBytes = 2 << 20
    /// The longest text that is made by putting others together.
    static let longestText = 1 << 16

    init(_ page: PageModel) {
        self.page = page
        for host in ScriptHost.allCases { self.hosts[host] = self.make(.host(host)) }
    }

    // MARK: Bounds

    mutating func step() throws(Stop) {
        self.steps += 1
        if self.steps > self.limit { throw .tooLong }
    }

    mutating func enter() throws(Stop) {
        try self.step()
        self.depth += 1
        if self.depth > ScriptRun.deepest {
            self.depth -= 1
            throw .thrown(.text("RangeError: the calls of the script nest too deep"))
        }
    }

    mutating func leave() { self.depth -= 1 }

    /// What goes through many things costs as many steps.
    mutating func charge(_ count: Int) throws(Stop) {
        self.steps += count
        if self.steps > self.limit { throw .tooLong }
    }

    /// A text that is made costs steps by its length, so that their count bounds the memory as well.
    mutating func made(_ text: String) throws(Stop) -> ScriptValue {
        self.steps += text.utf8.count / 64
        guard self.steps <= self.limit, text.utf8.count <= ScriptRun.longestText else { throw .tooLong }
        return .text(text)
    }

    /// Runs something with steps of its own; what it throws ends it alone, as in a browser.
    @discardableResult
    mutating func guarded(_ body: (inout ScriptRun) throws(Stop) -> ScriptValue) -> ScriptValue {
        guard self.total < ScriptRun.mostInAll else {
            self.unread = self.unread ?? "the scripts take longer than is followed here"
            return .unknown("a script that was not followed")
        }
        let isOuter = self.limit == 0
        if isOuter {
            self.steps = 0
            self.limit = min(ScriptRun.mostSteps, ScriptRun.mostInAll - self.total)
        }
        let (doubt, depth) = (self.doubt, self.depth)
        defer {
            (self.doubt, self.depth) = (doubt, depth)
            if isOuter {
                self.total += self.steps
                self.limit = 0
            }
        }
        do throws(Stop) {
            return try body(&self)
        } catch {
            switch error {
            case .thrown(let value): self.fault = self.message(value)
            case .tooLong: self.unread = "a script runs longer than is followed here"
            }
            return .undefined
        }
    }

    private func message(_ value: ScriptValue) -> String {
        if case .object(let id) = value, case .text(let message)? = self.objects[id].members["message"] {
            return message
        }
        return self.text(value) ?? "an error"
    }

    // MARK: Objects

    @discardableResult
    mutating func make(_ kind: ScriptObject.Kind, items: [ScriptValue] = []) -> ScriptValue {
        self.objects.append(ScriptObject(kind: kind, items: items, doubt: self.doubt))
        return .object(self.objects.count - 1)
    }

    /// A host's one object.
    func host(_ host: ScriptHost) -> ScriptValue { self.hosts[host] ?? .undefined }

    func kind(_ value: ScriptValue) -> ScriptObject.Kind? {
        if case .object(let id) = value { self.objects[id].kind } else { nil }
    }

    func isFunction(_ value: ScriptValue) -> Bool {
        switch self.kind(value) {
        case .function, .native, .bound: true
        default: false
        }
    }

    // MARK: Names

    mutating func lookUp(_ name: String, in scope: Int) throws(Stop) -> ScriptValue {
        var at: Int? = scope
        while let index = at {
            if let value = self.scopes[index].values[name] { return value }
            at = self.scopes[index].parent
        }
        if let value = self.global(name) { return value }
        if self.page.hasUnreadScripts || self.unread != nil { return .unknown(name) }
        throw .thrown(.text("\(name) is not defined"))
    }

    /// Sets a name where it is declared, else as a member of the window.
    mutating func set(_ name: String, to value: ScriptValue, in scope: Int) {
        var at: Int? = scope
        while let index = at {
            if let old = self.scopes[index].values[name] {
                self.scopes[index].values[name] = self.settled(value, old: old, madeAt: self.scopes[index].doubt)
                return
            }
            at = self.scopes[index].parent
        }
        self.setGlobal(name, to: value)
    }

    mutating func setGlobal(_ name: String, to value: ScriptValue) {
        if name == "location" { return self.open(value) }
        if name.hasPrefix("on"), self.isFunction(value) || value.isMissing {
            self.page.handlers[PageModel.Handler(target: PageModel.window, type: String(name.dropFirst(2)))] = value
        }
        let old = self.scopes[0].values[name] ?? .undefined
        self.scopes[0].values[name] = self.settled(value, old: old, madeAt: 0)
    }

    /// What a place holds after it was set under conditions that may not hold.
    func settled(_ value: ScriptValue, old: ScriptValue, madeAt doubt: Int) -> ScriptValue {
        self.doubt <= doubt || value == old ? value : .unknown("a condition that can't be known here")
    }

    // MARK: Deeds

    /// Something is done that a press may do.
    mutating func perform(_ action: PressAction) {
        if self.isPressed { self.deeds.append(Deed(action: action, isCertain: self.doubt == 0)) }
    }

    /// A handler changes what the page shows.
    mutating func changePage() { if self.isPressed, self.doubt == 0 { self.hasChanged = true } }

    /// An address is opened.
    mutating func open(_ value: ScriptValue) {
        switch value {
        case .unknown(let source): self.perform(.opensUnknown(source))
        default:
            guard let text = self.text(value) else { return self.perform(.opensUnknown("an object")) }
            if text.trimmed.prefix(11).asciiLowercased == "javascript:" {
                self.aside = self.aside ?? text
                return self.run(address: text)
            }
            self.perform(.opens(text))
        }
    }

    /// Runs the code of a `javascript:` address.
    mutating func run(address: String) {
        let code = Array(PercentEncoding.decoded(address.trimmed.dropFirst(11)).utf8)
        self.run(code: code[...])
    }

    /// Runs a script of the creative.
    mutating func run(code: ArraySlice<UInt8>) {
        guard let index = self.read(code, isHandler: false) else { return }
        self.guarded { run throws(Stop) in
            try run.run(script: index)
            return .undefined
        }
    }

    /// Reads code as a function; nil where a browser would not run it, or it can't be followed.
    mutating func read(_ bytes: ArraySlice<UInt8>, isHandler: Bool) -> Int? {
        self.readBytes += bytes.count
        guard self.readBytes <= ScriptRun.mostBytes else {
            self.unread = "the scripts are larger than is read here"
            return nil
        }
        if let fault = ScriptSyntax.fault(in: bytes, from: LintPlace(line: 1, column: 1), isHandler: isHandler) {
            self.fault = "SyntaxError: \(fault.message)"
            return nil
        }
        do throws(ScriptParser.Unread) {
            return try ScriptParser.read(bytes, into: &self.program)
        } catch {
            self.unread = "a script is larger than is read here, or is written in a way that is not followed"
            return nil
        }
    }
}

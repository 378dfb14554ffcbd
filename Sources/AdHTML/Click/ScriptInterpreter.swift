import AdCore
import AdMarkup

/// Follows the scripts of a creative: what they attach to its elements, and what a press makes them do.
///
/// It is no browser. It knows texts, numbers, objects, functions and the few parts of the DOM that ads use to open a
/// link; what it does not know is `unknown`, and a branch on that is followed on both sides, with its actions marked as
/// uncertain. `StepMeter` bounds the time and the memory, a depth the stack.
struct ScriptInterpreter {
    /// What ends a script before its end.
    enum Stop: Error {
        /// It threw, and nothing caught it; the text is the message.
        case thrown(ScriptValue)
        /// It takes longer than is followed here.
        case tooLong
    }

    /// How a statement ended; `break` and `continue` may name the statement that they are for.
    enum Flow: Equatable {
        case normal
        case breaking(String?)
        case continuing(String?)
        case returning(ScriptValue)
    }

    struct Scope {
        let parent: Int?
        var values: [String: ScriptValue] = [:]
        /// Under how many unknown conditions it was made.
        let uncertainty: Int
    }

    struct Timer {
        let delay: Double
        let order: Int
        let callee: ScriptValue
        let arguments: [ScriptValue]
    }

    /// Something that was done, and whether it is certain that a press does it.
    struct PerformedAction: Equatable {
        let action: PressAction
        let isCertain: Bool
    }

    /// The result of one press; nothing of it is left when the next begins.
    struct PressResult {
        /// What was done; what scripts do before the press is stopped, and does not count.
        var actions: [PerformedAction] = []
        /// The first thing that was called and is not known here, as `Enabler.exit`.
        var unknownCall: String?
        /// The message of the last error that ended a handler.
        var fault: String?
        /// Whether any handler has run.
        var wasHandled = false
        /// The address of the link that was pressed, where it is code or a place in the page.
        var inPageAddress: String?
        /// Whether it has changed what the page shows.
        var hasChanged = false
        /// Whether a handler has cancelled what the browser would do on it.
        var isCancelled = false
    }

    var program = ScriptProgram()
    var page: PageModel
    var meter = StepMeter()
    var scopes: [Scope] = [Scope(parent: nil, uncertainty: 0)]
    var objects: [ScriptObject] = []
    /// How many functions were made that keep the scope around them.
    private(set) var closures = 0
    private var hosts: [ScriptHost: ScriptValue] = [:]
    /// For each element that a script has asked for its one object.
    var elementObjects: [Int: ScriptValue] = [:]
    var timers: [Timer] = []
    var pressResult = PressResult()
    var isPressed = false
    /// How many conditions that can't be known hold for what runs now.
    var uncertainty = 0
    /// A script that was not followed to its end, and why: what it would have done is missing.
    var incompleteScript: String?
    /// Why the page may not be as it is known here, and something else be pressed.
    var pageUncertainty: String?
    /// What the last handler returned.
    var lastResult = ScriptValue.undefined
    /// The elements whose `click` runs (HTML §6.4.4): it does nothing on them meanwhile.
    var clicking: Set<Int> = []
    /// What listens to the events of MRAID.
    var mraidListeners: [String: [ScriptValue]] = [:]

    /// The bytes of the scripts that were read.
    private var readBytes = 0
    private var depth = 0

    private static let maxDepth = 200
    /// The bytes of all scripts that are read.
    private static let maxBytes = 2 << 20
    /// The longest text that is made by putting others together.
    static let maxStringLength = 1 << 16

    init(_ page: PageModel) {
        self.page = page
        for host in ScriptHost.allCases {
            self.objects.append(ScriptObject(kind: .host(host), uncertainty: 0))
            self.hosts[host] = .object(self.objects.count - 1)
        }
    }

    /// The user presses now: what happened before does not count.
    mutating func startPress() {
        self.pressResult = PressResult()
        self.isPressed = true
    }

    // MARK: Bounds

    /// Goes one level deeper, or `levels` where more of the stack is taken.
    mutating func enter(_ levels: Int = 1) throws(Stop) {
        try self.meter.charge(levels)
        guard self.depth + levels <= ScriptInterpreter.maxDepth else {
            throw .thrown(.string("RangeError: the calls of the script nest too deep"))
        }
        self.depth += levels
    }

    mutating func leave(_ levels: Int = 1) { self.depth -= levels }

    /// Charges for reading a text.
    mutating func charge(_ text: String) throws(Stop) { try self.meter.charge(text.utf8.count / StepMeter.bytes) }

    /// Puts texts together, once it is known that the result is not too long.
    mutating func concatenated(_ parts: String...) throws(Stop) -> ScriptValue {
        var length = 0
        for part in parts { length += part.utf8.count }
        guard length <= ScriptInterpreter.maxStringLength else { throw .tooLong }
        try self.meter.charge(length / StepMeter.bytes)
        return .string(parts.joined())
    }

    /// Runs something with steps of its own; what it throws ends it alone, as in a browser.
    @discardableResult
    mutating func guarded(_ body: (inout ScriptInterpreter) throws(Stop) -> ScriptValue) -> ScriptValue {
        guard !self.meter.isSpent else {
            self.incompleteScript = self.incompleteScript ?? "the scripts take longer than is followed here"
            return .unknown("a script that was not followed")
        }
        let isOuter = !self.meter.isRunning
        if isOuter { self.meter.begin() }
        let (uncertainty, depth) = (self.uncertainty, self.depth)
        defer {
            (self.uncertainty, self.depth) = (uncertainty, depth)
            if isOuter { self.meter.end() }
        }
        do throws(Stop) {
            return try body(&self)
        } catch {
            switch error {
            case .thrown(let value): self.pressResult.fault = self.message(value)
            case .tooLong: self.incompleteScript = "a script runs longer than is followed here"
            }
            return .undefined
        }
    }

    private func message(_ value: ScriptValue) -> String {
        if case .object(let id) = value, case .string(let message)? = self.objects[id].members["message"] {
            return message
        }
        return self.plainString(value) ?? "an error"
    }

    // MARK: Objects

    @discardableResult
    mutating func make(_ kind: ScriptObject.Kind, items: [ScriptValue] = []) throws(Stop) -> ScriptValue {
        try self.meter.charge(1 + items.count / StepMeter.values)
        self.objects.append(ScriptObject(kind: kind, items: items, uncertainty: self.uncertainty))
        return .object(self.objects.count - 1)
    }

    /// A function of the script, which keeps the scope around it.
    mutating func makeFunction(_ index: Int, in scope: Int) throws(Stop) -> ScriptValue {
        self.closures += 1
        let this = self.program.functions[index].isArrow ? try self.thisValue(in: scope) : nil
        return try self.make(.function(index, scope: scope, this: this))
    }

    /// A function of the browser, as a member of a value.
    mutating func native(_ name: String, of owner: ScriptValue) throws(Stop) -> ScriptValue {
        try self.make(.native(name, of: owner))
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
        if let owner = try self.owner(of: name, from: scope) { return self.scopes[owner].values[name] ?? .undefined }
        if let value = try self.global(name) { return value }
        if self.page.hasUnreadScripts || self.incompleteScript != nil { return .unknown(name) }
        throw .thrown(.string("\(name) is not defined"))
    }

    /// The innermost scope that declares a name.
    private mutating func owner(of name: String, from scope: Int) throws(Stop) -> Int? {
        var at: Int? = scope
        var hops = 0
        while let index = at {
            hops += 1
            if hops.isMultiple(of: 4) { try self.meter.charge() }
            if self.scopes[index].values[name] != nil { return index }
            at = self.scopes[index].parent
        }
        return nil
    }

    mutating func thisValue(in scope: Int) throws(Stop) -> ScriptValue {
        guard let owner = try self.owner(of: "this", from: scope) else { return self.host(.window) }
        return self.scopes[owner].values["this"] ?? .undefined
    }

    /// Sets a name where it is declared, else as a member of the window.
    mutating func set(_ name: String, to value: ScriptValue, in scope: Int) throws(Stop) {
        guard let owner = try self.owner(of: name, from: scope), let old = self.scopes[owner].values[name] else {
            return try self.setGlobal(name, to: value)
        }
        self.scopes[owner].values[name] = self.settled(value, old: old, madeAt: self.scopes[owner].uncertainty)
    }

    mutating func setGlobal(_ name: String, to value: ScriptValue) throws(Stop) {
        if name == "location" { return try self.open(value) }
        if let handler = ScriptInterpreter.handler(name, at: PageModel.window),
            self.isFunction(value) || value.isMissing
        {
            self.page.handlers[handler] = self.settled(value, old: self.page.handlers[handler] ?? .null, madeAt: 0)
        }
        let old = self.scopes[0].values[name] ?? .undefined
        self.scopes[0].values[name] = self.settled(value, old: old, madeAt: 0)
    }

    /// What a place holds after it was set under conditions that may not hold.
    func settled(_ value: ScriptValue, old: ScriptValue, madeAt uncertainty: Int) -> ScriptValue {
        self.uncertainty <= uncertainty || self.isSame(value, old) ? value : .conditional
    }

    /// Whether two values are surely the same; long texts are not compared, because that takes time.
    func isSame(_ value: ScriptValue, _ other: ScriptValue) -> Bool {
        if case .string(let text) = value, text.utf8.count > 2_000 { return false }
        return value == other
    }

    // MARK: Deeds

    /// Something is done that a press may do.
    mutating func perform(_ action: PressAction) {
        if self.isPressed {
            self.pressResult.actions.append(PerformedAction(action: action, isCertain: self.uncertainty == 0))
        }
    }

    /// A handler changes what the page shows.
    mutating func changePage() { if self.isPressed, self.uncertainty == 0 { self.pressResult.hasChanged = true } }

    /// An address is opened.
    mutating func open(_ value: ScriptValue) throws(Stop) {
        if case .unknown(let source) = value { return self.perform(.opensUnknown(source)) }
        guard let text = try self.string(value) else { return self.perform(.opensUnknown("an object")) }
        try self.charge(text)
        self.open(address: text)
    }

    mutating func open(address: String) {
        // Of a `javascript:` address the code is run.
        guard address.trimmed.prefix(11).asciiLowercased == "javascript:" else { return self.perform(.opens(address)) }
        self.pressResult.inPageAddress = self.pressResult.inPageAddress ?? address
        self.run(address: address)
    }

    private mutating func run(address: String) {
        guard let code = JavaScriptAddress.code(of: address) else { return }
        self.run(code: Array(code.utf8)[...])
    }

    /// Runs a script of the creative.
    mutating func run(code: ArraySlice<UInt8>) {
        guard let index = self.read(code, isHandler: false) else { return }
        self.guarded { interpreter throws(Stop) in
            // A script within a script takes much of the stack.
            try interpreter.enter(10)
            try interpreter.run(script: index)
            interpreter.leave(10)
            return .undefined
        }
    }

    /// Reads code as a function; nil if a browser would not run it, or it can't be followed.
    mutating func read(_ bytes: ArraySlice<UInt8>, isHandler: Bool) -> Int? {
        self.readBytes += bytes.count
        guard self.readBytes <= ScriptInterpreter.maxBytes else {
            self.incompleteScript = "the scripts are larger than is read here"
            return nil
        }
        var code = bytes
        // A script may begin with a comment of its own kind (ECMA-262 §12.5).
        if !isHandler, code.starts(with: "#!".utf8) { code = code.drop { $0 != 0x0A && $0 != 0x0D } }
        switch ScriptParser.read(code, isHandler: isHandler, into: &self.program) {
        case .function(let index): return index
        case .fault(let fault):
            self.pressResult.fault = "SyntaxError: \(fault.message)"
            return nil
        case .unsupported:
            self.incompleteScript = "a script is larger than is read here, or is written in a way that is not followed"
            return nil
        }
    }
}

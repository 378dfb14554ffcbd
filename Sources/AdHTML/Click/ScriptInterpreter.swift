import AdCore
import AdMarkup

/// Interprets the scripts of a creative: the handlers that they set, and the effect of a click.
///
/// It supports strings, numbers, objects, functions, and those parts of the DOM that ads use to open a link. Everything
/// else is `unknown`. Of a condition with an unknown value both branches run, and their actions are uncertain.
/// `StepMeter` limits time and memory, and a maximum depth limits the stack.
struct ScriptInterpreter {
    /// The reason why a script stops early.
    enum Stop: Error {
        /// A value was thrown and not caught.
        case thrown(ScriptValue)
        /// A limit is exceeded.
        case tooLong
    }

    /// The completion of a statement (ECMA-262 §6.2.4); `break` and `continue` may have a label.
    enum Flow: Equatable {
        case normal
        case breaking(String?)
        case continuing(String?)
        case returning(ScriptValue)
    }

    struct Scope {
        let parent: Int?
        var values: [String: ScriptValue] = [:]
        /// The number of unknown conditions under which it was created.
        let uncertainty: Int
    }

    struct Timer {
        let delay: Double
        let order: Int
        let callee: ScriptValue
        let arguments: [ScriptValue]
    }

    /// An action, and whether it is certain that the click performs it.
    struct PerformedAction: Equatable {
        let action: PressAction
        let isCertain: Bool
    }

    /// The effects of one click.
    struct PressResult {
        /// The actions; those before the click are not recorded, because a stage blocks them.
        var actions: [PerformedAction] = []
        /// The first call of an unknown function, such as `Enabler.exit`.
        var unknownCall: String?
        /// The message of the last uncaught error.
        var error: String?
        /// Whether a handler has run.
        var wasHandled = false
        /// The `href` of the clicked link if it is code or a fragment of the page.
        var inPageAddress: String?
        /// Whether the page has changed.
        var hasChanged = false
        /// Whether a handler has cancelled the default action.
        var isCancelled = false
    }

    var program = ScriptProgram()
    var page: PageModel
    var meter = StepMeter()
    var scopes: [Scope] = [Scope(parent: nil, uncertainty: 0)]
    var objects: [ScriptObject] = []
    /// The number of functions that were created, each of which keeps the scope around it.
    private(set) var closures = 0
    private var hosts: [ScriptHost: ScriptValue] = [:]
    /// The object of each element that scripts have used.
    var elementObjects: [Int: ScriptValue] = [:]
    var timers: [Timer] = []
    var pressResult = PressResult()
    var isPressed = false
    /// The number of unknown conditions under which the current code runs.
    var uncertainty = 0
    /// Why a script did not run to its end, so its effects may be missing.
    var incompleteScript: String?
    /// Why the page may differ from the model, so another element may be clicked.
    var pageUncertainty: String?
    /// The result of the last handler.
    var lastResult = ScriptValue.undefined
    /// The elements whose `click()` is running, on which another `click()` has no effect (HTML Living Standard,
    /// "Activation behavior of elements").
    var clicking: Set<Int> = []
    /// The listeners for MRAID's events.
    var mraidListeners: [String: [ScriptValue]] = [:]

    /// The number of bytes of scripts that were parsed.
    private var readBytes = 0
    private var depth = 0

    private static let maxDepth = 200
    /// The limit for the bytes of all scripts.
    private static let maxBytes = 2 << 20
    /// The limit for the bytes of a concatenated string.
    static let maxStringLength = 1 << 16

    init(_ page: PageModel) {
        self.page = page
        for host in ScriptHost.allCases {
            self.objects.append(ScriptObject(kind: .host(host), uncertainty: 0))
            self.hosts[host] = .object(self.objects.count - 1)
        }
    }

    /// Starts recording the effects of the user's click.
    mutating func startPress() {
        self.pressResult = PressResult()
        self.isPressed = true
    }

    // MARK: Limits

    /// Enters a level of nesting, or several for work that uses more of the stack.
    mutating func enter(_ levels: Int = 1) throws(Stop) {
        try self.meter.charge(levels)
        guard self.depth + levels <= ScriptInterpreter.maxDepth else {
            throw .thrown(.string("RangeError: the calls of the script nest too deep"))
        }
        self.depth += levels
    }

    mutating func leave(_ levels: Int = 1) { self.depth -= levels }

    /// Charges for reading a string.
    mutating func charge(_ text: String) throws(Stop) { try self.meter.charge(text.utf8.count / StepMeter.bytes) }

    /// Concatenates strings, after checking the length of the result.
    mutating func concatenated(_ parts: String...) throws(Stop) -> ScriptValue {
        var length = 0
        for part in parts { length += part.utf8.count }
        guard length <= ScriptInterpreter.maxStringLength else { throw .tooLong }
        try self.meter.charge(length / StepMeter.bytes)
        return .string(parts.joined())
    }

    /// Runs a script or handler with its own step limit; an uncaught error ends only this one, as in a browser.
    @discardableResult
    mutating func guarded(_ body: (inout ScriptInterpreter) throws(Stop) -> ScriptValue) -> ScriptValue {
        guard !self.meter.isSpent else {
            self.incompleteScript = self.incompleteScript ?? "the scripts exceed the step limit"
            return .unknown("a script that was not run")
        }
        let isOuter = !self.meter.isRunning
        if isOuter { self.meter.start() }
        let (uncertainty, depth) = (self.uncertainty, self.depth)
        defer {
            (self.uncertainty, self.depth) = (uncertainty, depth)
            if isOuter { self.meter.finish() }
        }
        do throws(Stop) {
            return try body(&self)
        } catch {
            switch error {
            case .thrown(let value): self.pressResult.error = self.message(value)
            case .tooLong: self.incompleteScript = "a script exceeds the step limit"
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

    /// Creates a function of the script, which keeps the scope around it.
    mutating func makeFunction(_ index: Int, in scope: Int) throws(Stop) -> ScriptValue {
        self.closures += 1
        let this = self.program.functions[index].isArrow ? try self.thisValue(in: scope) : nil
        return try self.make(.function(index, scope: scope, this: this))
    }

    /// Creates a function of the browser as a member of a value.
    mutating func native(_ name: String, of owner: ScriptValue) throws(Stop) -> ScriptValue {
        try self.make(.native(name, of: owner))
    }

    /// The object of a host.
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

    /// The innermost scope that declares a name; nil if none does.
    private mutating func owner(of name: String, from scope: Int) throws(Stop) -> Int? {
        var at: Int? = scope
        var steps = 0
        while let index = at {
            steps += 1
            if steps.isMultiple(of: 4) { try self.meter.charge() }
            if self.scopes[index].values[name] != nil { return index }
            at = self.scopes[index].parent
        }
        return nil
    }

    mutating func thisValue(in scope: Int) throws(Stop) -> ScriptValue {
        guard let owner = try self.owner(of: "this", from: scope) else { return self.host(.window) }
        return self.scopes[owner].values["this"] ?? .undefined
    }

    /// Sets a variable where it is declared, else as a property of the window.
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

    /// The value of a variable after an assignment.
    ///
    /// It is unknown if the assignment depends on more unknown conditions than the variable.
    func settled(_ value: ScriptValue, old: ScriptValue, madeAt uncertainty: Int) -> ScriptValue {
        self.uncertainty <= uncertainty || self.isSame(value, old) ? value : .conditional
    }

    /// Whether two values are certainly equal; long strings are not compared, to save time.
    func isSame(_ value: ScriptValue, _ other: ScriptValue) -> Bool {
        if case .string(let text) = value, text.utf8.count > 2_000 { return false }
        return value == other
    }

    // MARK: Actions

    /// Records an action.
    mutating func perform(_ action: PressAction) {
        if self.isPressed {
            self.pressResult.actions.append(PerformedAction(action: action, isCertain: self.uncertainty == 0))
        }
    }

    /// Records that a handler changes the page.
    mutating func changePage() { if self.isPressed, self.uncertainty == 0 { self.pressResult.hasChanged = true } }

    /// Opens a URL.
    mutating func open(_ value: ScriptValue) throws(Stop) {
        if case .unknown(let source) = value { return self.perform(.opensUnknown(source)) }
        guard let text = try self.string(value) else { return self.perform(.opensUnknown("an object")) }
        try self.charge(text)
        self.open(address: text)
    }

    mutating func open(address: String) {
        // The code of a `javascript:` URL runs.
        guard address.trimmed.prefix(11).asciiLowercased == "javascript:" else { return self.perform(.opens(address)) }
        self.pressResult.inPageAddress = self.pressResult.inPageAddress ?? address
        self.run(address: address)
    }

    private mutating func run(address: String) {
        guard let code = JavaScriptURL.code(of: address) else { return }
        self.run(code: Array(code.utf8)[...])
    }

    /// Runs a script of the creative.
    mutating func run(code: ArraySlice<UInt8>) {
        guard let index = self.read(code, isHandler: false) else { return }
        self.guarded { interpreter throws(Stop) in
            // A script within a script uses much of the stack.
            try interpreter.enter(10)
            try interpreter.run(script: index)
            interpreter.leave(10)
            return .undefined
        }
    }

    /// Parses code as a function; nil if a browser would not run it, or it is not supported.
    mutating func read(_ bytes: ArraySlice<UInt8>, isHandler: Bool) -> Int? {
        self.readBytes += bytes.count
        guard self.readBytes <= ScriptInterpreter.maxBytes else {
            self.incompleteScript = "the scripts exceed the size limit"
            return nil
        }
        var code = bytes
        // A script may begin with a hashbang comment (ECMA-262 §12.5).
        if !isHandler, code.starts(with: "#!".utf8) { code = code.drop { $0 != 0x0A && $0 != 0x0D } }
        switch ScriptParser.read(code, isHandler: isHandler, into: &self.program) {
        case .function(let index): return index
        case .syntaxError(let error):
            self.pressResult.error = "SyntaxError: \(error.message)"
            return nil
        case .unsupported:
            self.incompleteScript = "a script exceeds a limit, or uses unsupported syntax"
            return nil
        }
    }
}

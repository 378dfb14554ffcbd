import AdCore
import AdMarkup

/// Listeners and the dispatch of events (DOM §2).
extension ScriptInterpreter {
    /// `addEventListener` and `attachEvent` (DOM §2.7).
    mutating func addListener(on target: PageModel.Target, _ arguments: [ScriptValue]) throws(Stop) {
        guard let key = try self.handler(arguments.first, at: target), arguments.count > 1 else { return }
        let options = arguments.dropFirst(2).first ?? .undefined
        let isCapture =
            try self.option("capture", options) ?? (options.booleanValue == true && self.kind(options) == nil)
        let known = self.page.listeners[key] ?? []
        try self.meter.charge(known.count / StepMeter.values)
        let isKnown = known.contains { $0.callee == arguments[1] && $0.isCapture == isCapture }
        guard !isKnown, known.count < 100 else { return }
        self.page.listeners[key, default: []].append(
            PageModel.Listener(
                callee: arguments[1],
                isCapture: isCapture,
                isPassive: try self.option("passive", options) ?? self.page.isPassive(key.type, at: target),
                isOnce: try self.option("once", options) ?? false,
                isUncertain: self.uncertainty > 0
            )
        )
    }

    mutating func removeListener(on target: PageModel.Target, _ arguments: [ScriptValue]) throws(Stop) {
        guard let key = try self.handler(arguments.first, at: target), arguments.count > 1 else { return }
        let options = arguments.dropFirst(2).first ?? .undefined
        let isCapture =
            try self.option("capture", options) ?? (options.booleanValue == true && self.kind(options) == nil)
        let known = self.page.listeners[key] ?? []
        try self.meter.charge(known.count / StepMeter.values)
        guard let index = known.firstIndex(where: { $0.callee == arguments[1] && $0.isCapture == isCapture }) else {
            return
        }
        if self.uncertainty > 0 {
            self.page.listeners[key]?[index].isUncertain = true
        } else {
            self.page.listeners[key]?.remove(at: index)
        }
    }

    private mutating func handler(_ type: ScriptValue?, at target: PageModel.Target) throws(Stop) -> PageModel.Handler?
    {
        guard let type = try type.flatMap({ value throws(Stop) in try self.string(value) }),
            type.utf8.count <= ScriptParser.maxNameLength
        else { return nil }
        return PageModel.Handler(target: target, type: type.hasPrefix("on") ? String(type.dropFirst(2)) : type)
    }

    /// An option of a listener; nil if it is missing.
    private mutating func option(_ name: String, _ options: ScriptValue) throws(Stop) -> Bool? {
        guard case .object = options else { return nil }
        let value = try self.get(options, name)
        return value == .undefined ? nil : value.booleanValue
    }

    /// Handles `dispatchEvent`, which is not supported.
    mutating func dispatchUnknown() -> ScriptValue {
        self.incompleteScript =
            self.incompleteScript ?? "a script dispatches an event of its own, which is not supported"
        if self.isPressed { self.pressResult.unknownCall = self.pressResult.unknownCall ?? "dispatchEvent" }
        return .unknown("dispatchEvent")
    }

    /// Sets a flag of an event: a listener stops it, or prevents its default action.
    mutating func setFlag(event id: Int, _ name: String) {
        let isSure = self.uncertainty <= self.objects[id].uncertainty
        switch name {
        case "preventDefault":
            guard !self.objects[id].flags.contains(.passive) else { return }
            self.objects[id].flags.insert(isSure ? .prevented : .maybePrevented)
        case "stopImmediatePropagation" where isSure: self.objects[id].flags.formUnion([.stopped, .stoppedImmediately])
        default: self.objects[id].flags.insert(isSure ? .stopped : .maybeStopped)
        }
    }

    // MARK: Dispatch

    /// Dispatches an event along a path from the inside out, and returns its flags.
    ///
    /// Capturing listeners run first, from the outside in (DOM §2.9).
    @discardableResult
    mutating func dispatch(_ type: String, along path: [Int]) -> ScriptObject.EventFlags {
        guard path.contains(where: { self.hasListener(type, at: $0) }),
            let event = self.makeEvent(type, at: path.first),
            case .object(let id) = event
        else { return [] }
        let uncertainty = self.uncertainty
        defer { self.uncertainty = uncertainty }
        let stops = path.reversed().map { (place: $0, isCapture: true) } + path.map { (place: $0, isCapture: false) }
        for (place, isCapture) in stops where self.hasListener(type, at: place) {
            let owner = self.owner(place)
            self.objects[id].members["currentTarget"] = owner
            if !isCapture { self.runHandler(event, id, type, at: place, owner) }
            self.notifyListeners(event, id, PageModel.Handler(target: place, type: type), isCapture: isCapture, owner)
            if self.objects[id].flags.contains(.stopped) { break }
            // The following listeners run only under a condition.
            if self.objects[id].flags.contains(.maybeStopped) {
                self.uncertainty = max(self.uncertainty, uncertainty + 1)
            }
        }
        return self.objects[id].flags
    }

    private func hasListener(_ type: String, at place: PageModel.Target) -> Bool {
        let key = PageModel.Handler(target: place, type: type)
        return self.page.handlers[key] != nil || self.page.listeners[key]?.isEmpty == false
            || self.attribute("on" + type, at: place) != nil
    }

    /// The `this` of the listeners at a target.
    private mutating func owner(_ place: PageModel.Target) -> ScriptValue {
        switch place {
        case PageModel.window: self.host(.window)
        case PageModel.document: self.host(.document)
        default: self.guarded { interpreter throws(Stop) in try interpreter.element(place) }
        }
    }

    private mutating func makeEvent(_ type: String, at place: PageModel.Target?) -> ScriptValue? {
        let target = place.map { self.owner(max($0, PageModel.document)) } ?? .null
        let isTrusted = ScriptValue.boolean(self.isPressed)
        let event = self.guarded { interpreter throws(Stop) in
            // The charge covers the memory of the object and its members.
            try interpreter.meter.charge(20)
            return try interpreter.make(.event)
        }
        guard case .object(let id) = event else { return nil }
        self.objects[id].members = [
            "type": .string(type), "target": target, "srcElement": target, "button": .number(0), "isTrusted": isTrusted,
        ]
        return event
    }

    private mutating func notifyListeners(
        _ event: ScriptValue,
        _ id: Int,
        _ key: PageModel.Handler,
        isCapture: Bool,
        _ owner: ScriptValue
    ) {
        for listener in self.page.listeners[key] ?? [] where listener.isCapture == isCapture {
            if listener.isOnce {
                self.page.listeners[key]?.removeAll { $0.callee == listener.callee && $0.isCapture == isCapture }
            }
            self.pressResult.wasHandled = true
            if listener.isPassive { self.objects[id].flags.insert(.passive) }
            if listener.isUncertain { self.uncertainty += 1 }
            self.run(listener.callee, event, this: owner)
            if listener.isUncertain { self.uncertainty -= 1 }
            self.objects[id].flags.remove(.passive)
            if self.objects[id].flags.contains(.stoppedImmediately) { return }
        }
    }

    private mutating func run(_ listener: ScriptValue, _ event: ScriptValue, this owner: ScriptValue) {
        self.scopes[0].values["event"] = event
        self.lastResult = self.guarded { interpreter throws(Stop) in
            if interpreter.kind(listener) == .plain {
                return try interpreter.call(interpreter.get(listener, "handleEvent"), this: listener, [event])
            }
            return listener.isMissing ? .undefined : try interpreter.call(listener, this: owner, [event])
        }
        self.scopes[0].values["event"] = nil
    }

    /// Runs a handler such as `onclick`: the one that a script has set, else that of the attribute (HTML Living
    /// Standard, "Event handlers").
    private mutating func runHandler(
        _ event: ScriptValue,
        _ id: Int,
        _ type: String,
        at place: PageModel.Target,
        _ owner: ScriptValue
    ) {
        let key = PageModel.Handler(target: place, type: type)
        if self.page.handlers[key] == nil, let code = self.attribute("on" + type, at: place) {
            self.pressResult.wasHandled = true
            // Invalid code is parsed only once.
            self.page.handlers[key] = .null
            guard let index = self.read(Array(code.utf8)[...], isHandler: true) else { return }
            self.page.handlers[key] = self.guarded { interpreter throws(Stop) in
                try interpreter.makeFunction(index, in: 0)
            }
        }
        guard let handler = self.page.handlers[key], self.isFunction(handler) || handler.isUnknown else { return }
        self.pressResult.wasHandled = true
        if self.page.isPassive(type, at: place) { self.objects[id].flags.insert(.passive) }
        self.run(handler, event, this: owner)
        if self.lastResult == .boolean(false) { self.setFlag(event: id, "preventDefault") }
        self.objects[id].flags.remove(.passive)
    }

    /// The code of a handler attribute; nil if it is missing or empty.
    private func attribute(_ name: String, at place: PageModel.Target) -> String? {
        guard place >= 0, let code = self.page.elements[place].attributes[name], !code.trimmed.isEmpty else {
            return nil
        }
        return code
    }
}

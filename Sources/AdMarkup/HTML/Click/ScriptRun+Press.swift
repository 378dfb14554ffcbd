import AdCore

/// Loading the creative, and pressing it.
extension ScriptRun {
    /// The events of a tap, in their order (UI Events §3.5, Touch Events §5.8, Pointer Events §10).
    static let tap = ["pointerdown", "touchstart", "pointerup", "touchend", "mousedown", "mouseup", "click"]

    /// How long after the page is loaded a scripted user presses, and how long after a press it counts as the user's doing.
    private static let untilPress = 1_000.0
    private static let memory = 5_000.0

    // MARK: Loading

    /// Runs the creative's scripts in their order, and what they wait for.
    mutating func load() {
        let written = self.page.elements.count
        for index in 0..<written {
            let element = self.page.elements[index]
            self.page.parsed = index
            guard element.name == "script", !element.isInert, ScriptRun.isCode(element.attributes["type"]) else {
                continue
            }
            if let address = element.attributes["src"] {
                if !ScriptRun.isBridge(address) { self.page.note(script: address) }
            } else if let code = element.content {
                self.run(code: code[...])
            }
        }
        self.page.parsed = written
        self.page.isLoaded = true
        self.dispatch("DOMContentLoaded", along: [PageModel.document, PageModel.window])
        for index in 0..<written { self.loaded(index) }
        self.dispatch("load", along: [PageModel.window])
        self.runTimers(upTo: ScriptRun.untilPress)
        self.announceBridge()
        self.runTimers(upTo: ScriptRun.untilPress)
    }

    /// What the loading of an element starts: of an image that may be there or not, both are possible.
    private mutating func loaded(_ index: Int) {
        let element = self.page.elements[index]
        if element.name == "body" { self.dispatch("load", along: [index]) }
        guard ["img", "image", "iframe", "video", "audio", "svg", "link", "object"].contains(element.name) else {
            return
        }
        self.doubt += 1
        for type in ["load", "error"] { self.dispatch(type, along: [index]) }
        self.doubt -= 1
    }

    private static func isCode(_ type: String?) -> Bool {
        guard let type = type?.trimmed.asciiLowercased, !type.isEmpty else { return true }
        return type == "module" || type.contains("javascript") || type.contains("ecmascript")
    }

    private static func isBridge(_ address: String) -> Bool {
        address.prefix { $0 != "?" && $0 != "#" }.hasSuffix("mraid.js")
    }

    private mutating func runTimers(upTo time: Double) {
        for _ in 0..<4 where !self.timers.isEmpty {
            let due = self.timers.filter { $0.delay <= time }.sorted { ($0.delay, $0.order) < ($1.delay, $1.order) }
            self.timers = []
            for timer in due {
                self.guarded { run throws(Stop) in
                    if case .text(let code) = timer.callee {
                        run.run(code: Array(code.utf8)[...])
                        return .undefined
                    }
                    return try run.call(timer.callee, this: .undefined, timer.arguments)
                }
            }
        }
    }

    // MARK: Events

    /// Hands an event to what listens along a path, from the inside out; whether its default was prevented.
    @discardableResult
    mutating func dispatch(_ type: String, along path: [Int]) -> Bool {
        let event = self.make(.event)
        guard case .object(let id) = event else { return false }
        let target = path.first.map { $0 >= 0 ? self.element($0) : self.host(.document) } ?? .null
        self.objects[id].members = ["type": .text(type), "target": target, "srcElement": target, "button": .number(0)]
        self.objects[id].members["isTrusted"] = .boolean(self.isPressed)
        for place in path {
            let owner = place >= 0 ? self.element(place) : self.host(place == PageModel.window ? .window : .document)
            self.objects[id].members["currentTarget"] = owner
            self.handle(event, type, at: place, owner)
            let key = PageModel.Handler(target: place, type: type)
            let isDoubtful = self.page.doubtfulListeners.contains(key)
            for listener in self.page.listeners[key] ?? [] {
                if isDoubtful { self.doubt += 1 }
                self.heard = true
                self.run(listener, event, this: owner)
                if isDoubtful { self.doubt -= 1 }
            }
            if self.objects[id].members["\u{0}stopped"] != nil { break }
        }
        return self.objects[id].members["\u{0}prevented"] != nil
    }

    private mutating func run(_ listener: ScriptValue, _ event: ScriptValue, this owner: ScriptValue) {
        self.scopes[0].values["event"] = event
        let result = self.guarded { run throws(Stop) in
            if run.kind(listener) == .plain, case .object = listener {
                return try run.call(run.get(listener, "handleEvent"), this: listener, [event])
            }
            return listener.isMissing ? .undefined : try run.call(listener, this: owner, [event])
        }
        self.lastResult = result
        self.scopes[0].values["event"] = nil
    }

    /// The handler of `onclick` and the like: as a script has set it, else as the attribute has it.
    private mutating func handle(_ event: ScriptValue, _ type: String, at place: Int, _ owner: ScriptValue) {
        let key = PageModel.Handler(target: place, type: type)
        var handler = self.page.handlers[key]
        if handler == nil, let code = self.attribute("on" + type, at: place) {
            self.heard = true
            guard let index = self.read(Array(code.utf8)[...], isHandler: true) else { return }
            handler = self.make(.function(index, scope: 0, this: nil))
            self.page.handlers[key] = handler
        }
        guard let handler, self.isFunction(handler) || handler.isUnknown else { return }
        self.heard = true
        self.run(handler, event, this: owner)
        if self.lastResult == .boolean(false), case .object(let id) = event {
            self.objects[id].members["\u{0}prevented"] = .boolean(true)
        }
    }

    /// A handler's attribute; those of `body` that are the window's are called on it.
    private func attribute(_ name: String, at place: Int) -> String? {
        guard place >= 0, let code = self.page.elements[place].attributes[name], !code.trimmed.isEmpty else {
            return nil
        }
        return code
    }

    // MARK: Pressing

    /// Presses an element, and does what comes of it.
    mutating func press(_ index: Int, types: [String] = ScriptRun.tap, byScript: Bool = false) {
        self.presses += 1
        // A handler may press again what is pressed.
        guard self.presses <= 20 else { return }
        let path = [index] + self.page.above(index) + [PageModel.document, PageModel.window]
        var isClicked = true
        for type in types {
            let isMouse = type == "mousedown" || type == "mouseup" || type == "click"
            if isMouse, !isClicked { continue }
            let isPrevented = self.dispatch(type, along: path)
            self.isCancelled = self.isCancelled || isPrevented
            // A touch whose default is prevented is followed by no mouse event (Touch Events §8).
            if isPrevented, type == "touchstart" || type == "touchend" { isClicked = false }
            if type == "click", !isPrevented { self.activate([index] + self.page.above(index)) }
        }
        if !byScript { self.runTimers(upTo: ScriptRun.memory) }
    }

    /// What the browser does on a click that nobody has prevented (HTML §6.4.2).
    private mutating func activate(_ path: [Int]) {
        for index in path {
            let element = self.page.elements[index]
            switch element.name {
            case "a", "area", "svg:a":
                if element.attributes["\u{0}href"] != nil { return self.perform(.opensUnknown("the link's address")) }
                guard let address = element.attributes["href"] ?? element.attributes["xlink:href"] else { continue }
                if element.attributes["download"] != nil { return self.perform(.creative("a download")) }
                let plain = address.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" }
                if plain.trimmed.hasPrefix("#") {
                    self.aside = plain
                    return
                }
                return self.open(.text(plain))
            case "button", "input":
                let type = (element.attributes["type"] ?? (element.name == "button" ? "submit" : "text"))
                    .asciiLowercased
                guard type == "submit" || type == "image" else {
                    if element.name == "input", type != "button" { return self.perform(.creative("operates input")) }
                    continue
                }
                let form = path.first { self.page.elements[$0].name == "form" }
                if let form { return self.submit(form, from: index) }
                if type == "submit" { continue }
            case "label", "summary", "select", "textarea": return self.perform(.creative("operates \(element.name)"))
            case "video", "audio":
                if element.attributes["controls"] != nil { return self.perform(.creative("operates \(element.name)")) }
            default: continue
            }
        }
    }

    /// Sends a form (HTML §4.10.21.3).
    mutating func submit(_ form: Int, from button: Int?) {
        let inside = self.page.elements.indices.filter { self.page.above($0).contains(form) }
        let fields = inside.map { self.page.elements[$0] }.filter { ["input", "select", "textarea"].contains($0.name) }
        if button != nil {
            let isOpen = self.page.elements[form].attributes["novalidate"] == nil
            let missing = fields.first { $0.attributes["required"] != nil && ($0.attributes["value"] ?? "").isEmpty }
            if isOpen, let missing {
                self.fault = "the form's field \(missing.attributes["name"] ?? "") is required and empty"
                return
            }
            if self.dispatch("submit", along: [form] + self.page.above(form)) { return }
        }
        let own = button.flatMap { self.page.elements[$0].attributes["formaction"] }
        let action = own ?? self.page.elements[form].attributes["action"] ?? ""
        let method = (self.page.elements[form].attributes["method"] ?? "get").asciiLowercased
        guard method == "get", action.trimmed.prefix(11).asciiLowercased != "javascript:" else {
            return self.open(.text(action))
        }
        // Ticks are only sent where they are set; what else a user would fill in is empty.
        let pairs = fields.compactMap { field -> String? in
            let type = field.attributes["type"]?.asciiLowercased ?? "text"
            guard let name = field.attributes["name"], !name.isEmpty else { return nil }
            if ["submit", "button", "reset", "image", "file"].contains(type) { return nil }
            if ["checkbox", "radio"].contains(type), field.attributes["checked"] == nil { return nil }
            let value = field.attributes["value"] ?? ""
            return [name, value].map { PercentEncoding.component($0).replacing("%20", by: "+") }.joined(separator: "=")
        }
        let plain = action.prefix { $0 != "?" && $0 != "#" }
        self.open(.text(action.isEmpty ? "" : "\(plain)?\(pairs.joined(separator: "&"))"))
    }
}

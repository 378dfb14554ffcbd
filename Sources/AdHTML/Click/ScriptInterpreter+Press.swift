import AdCore
import AdMarkup

/// Loading the creative, and clicking on it.
extension ScriptInterpreter {
    /// The events of a tap, in their order (UI Events §3.5, Touch Events §5.8, Pointer Events §10).
    static let tapEvents = ["pointerdown", "touchstart", "pointerup", "touchend", "mousedown", "mouseup", "click"]

    /// How long after loading the scripted user clicks, and how long after a click its user activation lasts, in
    /// milliseconds.
    private static let timeUntilPress = 1_000.0
    private static let userActivation = 5_000.0

    // MARK: Loading

    /// Runs the creative's scripts in order, then the events and timers that they wait for.
    mutating func load() {
        let markupCount = self.page.elements.count
        for index in 0..<markupCount {
            let element = self.page.elements[index]
            self.page.parsedUpTo = index
            guard element.name == "script", !element.isInert, ScriptType.isCode(element.attributes["type"]) else {
                continue
            }
            self.page.elements[index].hasStarted = true
            if let address = element.attributes["src"] {
                if !MRAIDScript.isNamed(by: address) { self.page.addUnread(script: address) }
            } else if let code = element.content {
                self.run(code: code[...])
            }
        }
        self.page.parsedUpTo = markupCount
        self.page.isLoaded = true
        self.dispatch("DOMContentLoaded", along: [PageModel.document, PageModel.window])
        for index in 0..<markupCount { self.loaded(index) }
        self.dispatch("load", along: [PageModel.window])
        self.runTimers(upTo: ScriptInterpreter.timeUntilPress)
        self.sendMRAIDEvents()
        self.runTimers(upTo: ScriptInterpreter.timeUntilPress)
    }

    /// Dispatches `load` and `error` of an element; whether it loads is unknown, so both are uncertain.
    private mutating func loaded(_ index: Int) {
        let element = self.page.elements[index]
        if element.name == "body" { self.dispatch("load", along: [index]) }
        guard ["img", "image", "iframe", "video", "audio", "svg", "link", "object"].contains(element.name) else {
            return
        }
        self.uncertainty += 1
        for type in ["load", "error"] { self.dispatch(type, along: [index]) }
        self.uncertainty -= 1
    }

    private mutating func runTimers(upTo time: Double) {
        for _ in 0..<4 where !self.timers.isEmpty {
            let due = self.timers.filter { $0.delay <= time }.sorted { ($0.delay, $0.order) < ($1.delay, $1.order) }
            self.timers = []
            for timer in due {
                self.guarded { interpreter throws(Stop) in
                    if case .string(let code) = timer.callee {
                        interpreter.run(code: Array(code.utf8)[...])
                        return .undefined
                    }
                    return try interpreter.call(timer.callee, this: .undefined, timer.arguments)
                }
            }
        }
    }

    // MARK: Clicking

    /// Clicks on an element; a click by a script has no other events of a tap.
    mutating func press(_ index: Int, types: [String] = ScriptInterpreter.tapEvents, byScript: Bool = false) {
        let path = [index] + self.page.ancestors(of: index)
        let uncertainty = self.uncertainty
        var isClicked = true
        for type in types {
            let isMouse = type == "mousedown" || type == "mouseup" || type == "click"
            if isMouse, !isClicked { continue }
            let flags = self.dispatch(type, along: path + [PageModel.document, PageModel.window])
            let isPrevented = flags.contains(.prevented)
            if isPrevented, !byScript { self.pressResult.isCancelled = true }
            // The following events come only under a condition.
            if flags.contains(.maybePrevented), type != "pointerdown" { self.uncertainty = uncertainty + 1 }
            // If the default action of a touch is prevented, no mouse events follow (Touch Events §8).
            if isPrevented, type == "touchstart" || type == "touchend" { isClicked = false }
            if type == "click", !isPrevented { self.activate(path) }
        }
        self.uncertainty = uncertainty
        if !byScript { self.runTimers(upTo: ScriptInterpreter.userActivation) }
    }

    /// `click()` of a script; it has no effect while another one on the same element runs (HTML Living Standard,
    /// "Activation behavior of elements").
    mutating func click(_ index: Int) throws(Stop) {
        guard self.clicking.insert(index).inserted else { return }
        defer { self.clicking.remove(index) }
        // A click within a click uses much of the stack, and visits each ancestor several times.
        try self.enter(10)
        for place in [index] + self.page.ancestors(of: index) {
            try self.meter.charge()
            try self.charge(self.page.elements[place].attributes["href"] ?? "")
        }
        self.press(index, types: ["click"], byScript: true)
        self.leave(10)
    }

    /// Performs the default action of a click (HTML Living Standard, "Activation behavior of elements").
    private mutating func activate(_ path: [Int]) {
        for index in path {
            let element = self.page.elements[index]
            switch element.name {
            case "a", "area", "svg:a":
                if element.hasUnknownAddress { return self.perform(.opensUnknown("the link's address")) }
                guard let address = element.attributes["href"] ?? element.attributes["xlink:href"] else { continue }
                if element.attributes["download"] != nil { return self.perform(.creative("a download")) }
                let scalars = address.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" }
                let plain = String(String.UnicodeScalarView(scalars))
                if plain.trimmed.hasPrefix("#") {
                    self.pressResult.inPageAddress = plain
                    return
                }
                return self.open(address: plain)
            case "button", "input":
                let type = (element.attributes["type"] ?? (element.name == "button" ? "submit" : "text"))
                    .asciiLowercased
                guard type == "submit" || type == "image" else {
                    if element.name == "input", type != "button" { return self.perform(.creative("operates input")) }
                    continue
                }
                let form = path.first { self.page.elements[$0].name == "form" }
                if let form { return self.submit(form, from: index, validates: true) }
                if type == "submit" { continue }
            case "label", "summary", "select", "textarea": return self.perform(.creative("operates \(element.name)"))
            case "video", "audio":
                if element.attributes["controls"] != nil { return self.perform(.creative("operates \(element.name)")) }
            default: continue
            }
        }
    }

    /// Submits a form (HTML Living Standard, "Form submission algorithm").
    ///
    /// If it `validates`, required fields must have a value, and a listener may cancel it.
    mutating func submit(_ form: Int, from button: Int?, validates: Bool) {
        self.guarded { interpreter throws(Stop) in
            try interpreter.send(form, from: button, validates: validates)
            return .undefined
        }
    }

    private mutating func send(_ form: Int, from button: Int?, validates: Bool) throws(Stop) {
        let inside = self.page.elements(within: form)
        try self.meter.charge(inside.count + 20)
        let fields = inside.map { self.page.elements[$0] }.filter { ["input", "select", "textarea"].contains($0.name) }
        if validates {
            let isOpen = self.page.elements[form].attributes["novalidate"] == nil
            let missing = fields.first { $0.attributes["required"] != nil && ($0.attributes["value"] ?? "").isEmpty }
            if isOpen, let missing {
                self.pressResult.error =
                    "the form's field \((missing.attributes["name"] ?? "").excerpt()) is required and empty"
                return
            }
            let flags = self.dispatch("submit", along: [form] + self.page.ancestors(of: form))
            if flags.contains(.prevented) { return }
            if flags.contains(.maybePrevented) { self.uncertainty += 1 }
        }
        let own = button.flatMap { self.page.elements[$0].attributes["formaction"] }
        let action = own ?? self.page.elements[form].attributes["action"] ?? ""
        let method = (self.page.elements[form].attributes["method"] ?? "get").asciiLowercased
        guard method == "get", action.trimmed.prefix(11).asciiLowercased != "javascript:" else {
            try self.charge(action)
            return self.open(address: action)
        }
        for field in fields { try self.charge(field.attributes["value"] ?? "") }
        // Only checked boxes are sent; fields for the user's input are empty.
        let pairs = fields.compactMap { field -> String? in
            let type = field.attributes["type"]?.asciiLowercased ?? "text"
            guard let name = field.attributes["name"], !name.isEmpty else { return nil }
            if ["submit", "button", "reset", "image", "file"].contains(type) { return nil }
            if ["checkbox", "radio"].contains(type), field.attributes["checked"] == nil { return nil }
            let value = field.attributes["value"] ?? ""
            return [name, value].map { PercentEncoding.component($0).replacing("%20", by: "+") }.joined(separator: "=")
        }
        let plain = action.prefix { $0 != "?" && $0 != "#" }
        let query = pairs.joined(separator: "&")
        try self.charge(query)
        self.open(address: action.isEmpty ? "" : "\(plain)?\(query)")
    }
}

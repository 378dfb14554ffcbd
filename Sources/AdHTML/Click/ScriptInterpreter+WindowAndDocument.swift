import AdCore
import AdMarkup

/// The functions of the window and the document.
extension ScriptInterpreter {
    mutating func callWindow(_ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let first = arguments.first ?? .undefined
        switch name {
        case "open":
            // An empty window has no effect until its location is set.
            let address = try self.string(first)
            if first.isMissing || address?.isEmpty == true || address == "about:blank" {
                self.perform(.opens(""))
            } else {
                try self.open(first)
            }
            return self.host(.opened)
        case "setTimeout", "setInterval", "requestAnimationFrame", "webkitRequestAnimationFrame", "requestIdleCallback",
            "queueMicrotask":
            let delay = name.hasPrefix("set") ? arguments.dropFirst().first.flatMap { self.number($0) } ?? 0 : 0
            let timer = Timer(
                delay: delay.isNaN ? 0 : max(0, delay),
                order: self.timers.count,
                callee: first,
                arguments: Array(arguments.dropFirst(2))
            )
            if self.timers.count < 500, self.uncertainty == 0 { self.timers.append(timer) }
            return .number(Double(self.timers.count))
        case "addEventListener", "attachEvent": try self.addListener(on: PageModel.window, arguments)
        case "removeEventListener", "detachEvent": try self.removeListener(on: PageModel.window, arguments)
        case "dispatchEvent": return self.dispatchUnknown()
        case "decodeURIComponent", "decodeURI", "unescape":
            guard let text = try self.string(first) else { return first }
            try self.meter.charge(text.utf8.count / 16)
            return try self.concatenated(PercentEncoding.decoded(text))
        case "encodeURIComponent", "escape":
            guard let text = try self.string(first) else { return first }
            try self.meter.charge(text.utf8.count / 16)
            return try self.concatenated(PercentEncoding.component(text))
        case "encodeURI": return first
        case "parseInt", "parseFloat":
            guard let text = try self.string(first) else { return first }
            // More digits make no difference.
            let digits = String(text.prefix(400)).trimmed.prefix {
                $0.isASCII && ($0.isNumber || $0 == "-" || (name == "parseFloat" && $0 == "."))
            }
            return .number(Double(digits) ?? .nan)
        case "isNaN": return self.number(first).map { .boolean($0.isNaN) } ?? first
        case "Boolean": return first.booleanValue.map { .boolean($0) } ?? first
        case "alert", "confirm", "prompt", "focus", "blur", "scrollTo", "scroll", "scrollBy", "stop", "print",
            "postMessage", "clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback", "close",
            "moveTo", "moveBy", "resizeTo", "resizeBy":
            break
        default: return .unknown(name)
        }
        return .undefined
    }

    mutating func call(document name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let first = arguments.first ?? .undefined
        switch name {
        case "getElementById":
            guard let id = try self.string(first) else { return .unknown(name) }
            return try self.element(self.page.element(withID: id, &self.meter))
        case "querySelector", "querySelectorAll", "getElementsByTagName", "getElementsByClassName",
            "getElementsByName":
            return try self.select(name, first, within: nil)
        case "createElement": return try self.createElement(try self.string(first)?.prefix(100).asciiLowercased)
        case "createElementNS":
            let name = try arguments.dropFirst().first.flatMap { value throws(Stop) in try self.string(value) }
            return try self.createElement(name?.prefix(100).asciiLowercased)
        case "createTextNode":
            let node = try self.createElement(PageElement.textNode)
            if case .element(let index)? = self.kind(node) {
                self.page.elements[index].add(text: try self.string(first) ?? "?")
            }
            return node
        case "createComment": return try self.createElement("#comment")
        case "createDocumentFragment": return try self.createElement(PageElement.fragment)
        case "write", "writeln":
            for argument in arguments { try self.write(argument) }
        case "addEventListener", "attachEvent": try self.addListener(on: PageModel.document, arguments)
        case "removeEventListener", "detachEvent": try self.removeListener(on: PageModel.document, arguments)
        case "dispatchEvent": return self.dispatchUnknown()
        case "open", "close", "execCommand": break
        default:
            if !BrowserNames.documentMethods.contains(name) {
                self.markPageUncertain("a script calls document.\(name.excerpt()), which is not supported")
            }
            return .unknown("document.\(name.excerpt())")
        }
        return .undefined
    }

    /// Creates an element that is not in the page yet.
    mutating func createElement(_ name: String?) throws(Stop) -> ScriptValue {
        guard let name, let index = self.page.createElement(name) else {
            self.markPageUncertain("a script creates more elements than the limit")
            return .unknown("createElement")
        }
        return try self.element(index)
    }

    /// `document.write`: while the page loads, the markup is inserted after the script that writes it.
    private mutating func write(_ markup: ScriptValue) throws(Stop) {
        guard try self.string(markup) != nil, self.uncertainty == 0 else {
            self.incompleteScript = self.incompleteScript ?? "a script writes markup that is unknown without a browser"
            return
        }
        let script = self.page.parsedUpTo
        guard !self.page.isLoaded, self.page.elements.indices.contains(script),
            let parent = self.page.elements[script].parent
        else { return try self.write(markup, into: self.page.body, before: nil, runs: true) }
        let siblings = self.page.elements[parent].children
        try self.meter.charge(siblings.count / 16)
        let next = siblings.first { $0 > script && $0 < self.page.markupCount }
        try self.write(markup, into: parent, before: next, runs: true)
    }

    // MARK: Selecting

    mutating func select(_ name: String, _ value: ScriptValue, within: Int?) throws(Stop) -> ScriptValue {
        guard let text = try self.string(value) else { return .unknown("a selector") }
        let written =
            switch name {
            case "getElementsByClassName": "." + text.split(separator: " ").joined(separator: ".")
            case "getElementsByName": "[name=\(text)]"
            default: text
            }
        guard let selector = try self.selector(written) else { return .unknown("a selector") }
        let isOne = name == "querySelector"
        let found = try self.page.all(selector, within: within, limit: isOne ? 1 : 500, &self.meter)
        return isOne ? try self.element(found.first) : try self.elements(found)
    }

    mutating func match(_ index: Int, with value: ScriptValue, isClosest: Bool) throws(Stop) -> ScriptValue {
        guard let text = try self.string(value), let selector = try self.selector(text) else {
            return .unknown("a selector")
        }
        var at: Int? = index
        while let place = at {
            let isSelected = try selector.selects(place, in: self.page.elements, &self.meter)
            if !isClosest { return .boolean(isSelected) }
            if isSelected { return try self.element(place) }
            at = self.page.elements[place].parent
        }
        return .null
    }

    private mutating func selector(_ text: String) throws(Stop) -> PageSelector? {
        try self.meter.charge(1 + text.utf8.count / 4)
        return PageSelector(text)
    }
}

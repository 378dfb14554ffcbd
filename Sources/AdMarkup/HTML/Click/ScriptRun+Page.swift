import AdCore

/// The functions of the window, the document and its elements.
extension ScriptRun {
    mutating func callWindow(_ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let first = arguments.first ?? .undefined
        switch name {
        case "open":
            // Without an address an empty window would open, which a stage does not give.
            if first.isMissing || first == .text("") || first == .text("about:blank") {
                self.perform(.opens(""))
            } else {
                self.open(first)
            }
            return .null
        case "setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback", "queueMicrotask",
            "setImmediate":
            let hasDelay = name.hasPrefix("set") && name != "setImmediate"
            let delay = hasDelay ? arguments.dropFirst().first.flatMap { self.number($0) } ?? 0 : 0
            let timer = Timer(
                delay: delay.isNaN ? 0 : max(0, delay),
                order: self.timers.count,
                callee: first,
                arguments: Array(arguments.dropFirst(2))
            )
            if self.timers.count < 500, self.doubt == 0 { self.timers.append(timer) }
            return .number(Double(self.timers.count))
        case "addEventListener", "attachEvent":
            self.listen(on: PageModel.window, arguments)
            return .undefined
        case "decodeURIComponent", "decodeURI", "unescape":
            return self.text(first).map { .text(PercentEncoding.decoded($0)) } ?? first
        case "encodeURIComponent", "escape":
            return try self.text(first).map { text throws(Stop) in try self.made(PercentEncoding.component(text)) }
                ?? first
        case "encodeURI": return first
        case "parseInt", "parseFloat":
            guard let text = self.text(first)?.trimmed else { return first }
            let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-" || (name == "parseFloat" && $0 == ".")) }
            return .number(Double(digits) ?? .nan)
        case "isNaN": return self.number(first).map { .boolean($0.isNaN) } ?? first
        case "Boolean": return first.truth.map { .boolean($0) } ?? first
        case "alert", "confirm", "prompt", "focus", "blur", "scrollTo", "scroll", "stop", "print", "postMessage",
            "clearTimeout", "clearInterval", "cancelAnimationFrame", "removeEventListener", "close":
            return .undefined
        default: return .unknown(name)
        }
    }

    mutating func call(document name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let text = arguments.first.flatMap { self.text($0) } ?? ""
        switch name {
        case "getElementById": return self.element(self.page.element(withID: text))
        case "querySelector", "querySelectorAll", "getElementsByTagName", "getElementsByClassName",
            "getElementsByName":
            return try self.select(name, text, within: nil)
        case "createElement": return self.element(self.page.make(text.asciiLowercased))
        case "createElementNS":
            let name = arguments.dropFirst().first.flatMap { self.text($0) } ?? ""
            return self.element(self.page.make(name.asciiLowercased))
        case "createTextNode", "createDocumentFragment": return self.element(self.page.make("#text"))
        case "write", "writeln":
            for argument in arguments { try self.write(argument, into: self.page.body, replaces: false) }
            return .undefined
        case "addEventListener", "attachEvent":
            self.listen(on: PageModel.document, arguments)
            return .undefined
        case "open", "close", "removeEventListener", "execCommand", "dispatchEvent": return .undefined
        default: return .unknown("document.\(name)")
        }
    }

    private mutating func select(_ name: String, _ text: String, within: Int?) throws(Stop) -> ScriptValue {
        try self.charge(self.page.elements.count / 2)
        let written =
            switch name {
            case "getElementsByClassName": "." + text
            case "getElementsByName": "[name=\(text)]"
            default: text
            }
        guard let selector = PageSelector(written) else { return .unknown("a selector") }
        let isOne = name == "querySelector"
        var found = self.page.all(selector, most: isOne && within == nil ? 1 : 200)
        if let within { found = found.filter { self.page.above($0).contains(within) } }
        if isOne { return self.element(found.first) }
        return self.make(.array, items: found.map { self.element($0) })
    }

    /// Puts markup into an element, as `innerHTML` and `document.write` do.
    mutating func write(_ value: ScriptValue, into parent: Int, replaces: Bool) throws(Stop) {
        guard let text = self.text(value), self.doubt == 0 else {
            self.unread = self.unread ?? "a script writes markup that can't be known here"
            return
        }
        try self.charge(text.utf8.count / 16)
        self.changePage()
        if replaces { self.page.removeChildren(of: parent) }
        var markup = text
        let outcome = markup.withUTF8 { HTMLReader.outline(of: $0, .standard) }
        guard case .success(let outline) = outcome else { return }
        let added = self.page.insert(outline, into: parent)
        for index in added where self.page.elements[index].name == "script" {
            if let address = self.page.elements[index].attributes["src"] {
                self.page.note(script: address)
            } else if !replaces, let code = self.page.elements[index].content {
                self.run(code: code[...])
            }
        }
    }

    // MARK: Elements

    mutating func call(element index: Int, _ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let first = arguments.first ?? .undefined
        let text = self.text(first) ?? ""
        switch name {
        case "addEventListener", "attachEvent":
            self.listen(on: index, arguments)
            return .undefined
        case "appendChild", "append", "prepend", "insertBefore", "insertAdjacentElement":
            let child = name == "insertAdjacentElement" ? arguments.dropFirst().first ?? .undefined : first
            if case .element(let child)? = self.kind(child), self.doubt == 0 { self.append(child, to: index) }
            return child
        case "after", "before", "replaceWith":
            if case .element(let child)? = self.kind(first), let parent = self.page.elements[index].parent {
                self.append(child, to: parent)
            }
            return .undefined
        case "removeChild":
            self.changePage()
            if case .element(let child)? = self.kind(first) { self.page.remove(child) }
            return first
        case "remove":
            self.changePage()
            self.page.remove(index)
            return .undefined
        case "replaceChildren":
            self.changePage()
            self.page.removeChildren(of: index)
            return .undefined
        case "getAttribute": return self.page.elements[index].attributes[text].map { .text($0) } ?? .null
        case "hasAttribute": return .boolean(self.page.elements[index].attributes[text] != nil)
        case "setAttribute":
            self.setAttribute(index, text.asciiLowercased, arguments.dropFirst().first ?? .text(""))
            return .undefined
        case "removeAttribute":
            self.changePage()
            self.page.elements[index].attributes[text] = nil
            self.page.forgetLooks()
            return .undefined
        case "querySelector", "querySelectorAll", "getElementsByTagName", "getElementsByClassName":
            return try self.select(name, text, within: index)
        case "closest":
            guard let selector = PageSelector(text) else { return .unknown(name) }
            let around = [index] + self.page.above(index)
            return self.element(
                around.first { at in
                    selector.selects(self.page.elements[at], above: self.page.above(at).map { self.page.elements[$0] })
                }
            )
        case "click":
            self.press(index, types: ["click"], byScript: true)
            return .undefined
        case "submit":
            self.submit(index, from: nil)
            return .undefined
        case "insertAdjacentHTML":
            try self.write(arguments.dropFirst().first ?? .undefined, into: index, replaces: false)
            return .undefined
        case "play", "pause":
            self.perform(.creative("\(name) of \(self.page.elements[index].name)"))
            return .undefined
        case "load", "focus", "blur", "removeEventListener", "dispatchEvent", "animate",
            "setAttributeNS":
            return .undefined
        default: return .unknown(name)
        }
    }

    private mutating func append(_ child: Int, to parent: Int) {
        self.page.append(child, to: parent)
        self.page.forgetLooks()
        self.changePage()
        guard self.page.elements[child].name == "script" else { return }
        if self.page.elements[child].attributes["src"] == nil, let code = self.page.elements[child].content {
            self.run(code: code[...])
        }
    }

    mutating func callClasses(_ name: String, _ index: Int, _ arguments: [ScriptValue]) {
        guard self.doubt == 0, let name = ["add", "remove", "toggle"].first(where: { $0 == name }) else { return }
        var classes = (self.page.elements[index].attributes["class"] ?? "").split(separator: " ").map(String.init)
        for wanted in arguments.prefix(8).compactMap({ self.text($0) }) {
            let isThere = classes.contains(wanted)
            if isThere, name != "add" { classes.removeAll { $0 == wanted } }
            if !isThere, name != "remove" { classes.append(wanted) }
        }
        self.changePage()
        self.page.elements[index].attributes["class"] = classes.joined(separator: " ")
        self.page.forgetLooks()
    }

    mutating func call(event id: Int, _ name: String) -> ScriptValue {
        let mark = name == "preventDefault" ? "\u{0}prevented" : "\u{0}stopped"
        self.objects[id].members[mark] = .boolean(true)
        return .undefined
    }

    /// `addEventListener` and its older kin.
    private mutating func listen(on target: Int, _ arguments: [ScriptValue]) {
        guard let type = arguments.first.flatMap({ self.text($0) }), arguments.count > 1 else { return }
        let handler = PageModel.Handler(target: target, type: type.hasPrefix("on") ? String(type.dropFirst(2)) : type)
        guard self.page.listeners[handler, default: []].count < 100 else { return }
        self.page.listeners[handler, default: []].append(arguments[1])
        if self.doubt > 0 { self.page.doubtfulListeners.insert(handler) }
    }
}

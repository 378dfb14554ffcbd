import AdCore

/// Reading and setting members of objects, and of the page.
extension ScriptRun {
    mutating func get(_ object: ScriptValue, _ name: String) throws(Stop) -> ScriptValue {
        switch object {
        case .undefined, .null: return .undefined
        case .unknown(let source): return .unknown("\(source).\(name.excerpt(40))")
        case .boolean, .number: return self.make(.native(name, of: object))
        case .text(let text):
            if name == "length" { return .number(Double(text.utf16.count)) }
            if let index = Int(name) { return Self.character(of: text, at: index).map { .text($0) } ?? .undefined }
            return self.make(.native(name, of: object))
        case .object(let id): return try self.get(id, name, of: object)
        }
    }

    private mutating func get(_ id: Int, _ name: String, of value: ScriptValue) throws(Stop) -> ScriptValue {
        if let own = self.objects[id].members[name] { return own }
        switch self.objects[id].kind {
        case .array:
            if name == "length" { return .number(Double(self.objects[id].items.count)) }
            if let index = Int(name) {
                return self.objects[id].items.indices.contains(index) ? self.objects[id].items[index] : .undefined
            }
            return self.make(.native(name, of: value))
        case .plain:
            if self.objects[id].members["\u{0}pattern"] != nil { return self.make(.native(name, of: value)) }
            return ["hasOwnProperty", "toString", "getTime", "get", "then", "catch"].contains(name)
                ? self.make(.native(name, of: value)) : .undefined
        case .event:
            return ["preventDefault", "stopPropagation", "stopImmediatePropagation"].contains(name)
                ? self.make(.native(name, of: value)) : .unknown("event.\(name.excerpt(40))")
        case .function, .bound, .native:
            if name == "prototype" {
                let prototype = self.make(.plain)
                self.objects[id].members[name] = prototype
                return prototype
            }
            return ["call", "apply", "bind"].contains(name) ? self.make(.native(name, of: value)) : .undefined
        case .element(let element): return self.get(element: element, name, of: value)
        case .part(let part, let element):
            if part == "classList" { return self.make(.native(name, of: value)) }
            return part == "dataset"
                ? self.page.elements[element].attributes["data-" + Self.dashed(name)].map { .text($0) } ?? .undefined
                : self.get(style: name, of: element)
        case .host(let host): return try self.get(host: host, name, of: value)
        }
    }

    private func get(style name: String, of element: Int) -> ScriptValue {
        let style = self.page.elements[element].attributes["style"] ?? ""
        for declaration in style.split(separator: ";") {
            let sides = declaration.split(separator: ":", maxSplits: 1)
            if sides.count == 2, String(sides[0]).trimmed == Self.dashed(name) {
                return .text(String(sides[1]).trimmed)
            }
        }
        return .text("")
    }

    /// `backgroundColor` as a style sheet spells it.
    static func dashed(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    static func character(of text: String, at index: Int) -> String? {
        guard index >= 0, index < text.utf16.count else { return nil }
        let at = text.utf16.index(text.utf16.startIndex, offsetBy: index)
        return String(text.unicodeScalars[at])
    }

    // MARK: Setting

    /// Sets a member without looking at what it means.
    mutating func setMember(_ object: ScriptValue, _ name: String, to value: ScriptValue) {
        guard case .object(let id) = object else { return }
        let old = self.objects[id].members[name]
        if old == nil { self.objects[id].names.append(name) }
        self.objects[id].members[name] = self.settled(value, old: old ?? .undefined, madeAt: self.objects[id].doubt)
    }

    mutating func put(_ object: ScriptValue, _ name: String, _ value: ScriptValue) throws(Stop) {
        guard case .object(let id) = object else { return }
        switch self.objects[id].kind {
        case .array:
            guard let index = Int(name) else { return self.setMember(object, name, to: value) }
            try self.step()
            if self.objects[id].items.indices.contains(index) {
                self.objects[id].items[index] = value
            } else if index == self.objects[id].items.count {
                self.objects[id].items.append(value)
            }
        case .element(let element): try self.put(element: element, name, value, in: object)
        case .part(let part, let element):
            guard let text = self.text(value) else { return }
            if part == "dataset" {
                self.page.elements[element].attributes["data-" + Self.dashed(name)] = text
            } else if part == "style" {
                try self.style(element, Self.dashed(name), text)
            }
        case .host(let host): try self.put(host: host, name, value)
        default: self.setMember(object, name, to: value)
        }
    }

    private mutating func style(_ element: Int, _ name: String, _ value: String) throws(Stop) {
        guard self.doubt == 0 else { return }
        self.changePage()
        let old = (self.page.elements[element].attributes["style"] ?? "").split(separator: ";").filter {
            String($0.prefix { $0 != ":" }).trimmed != name
        }
        if case .text(let style) = try self.made((old.map(String.init) + ["\(name):\(value)"]).joined(separator: ";")) {
            self.page.elements[element].attributes["style"] = style
        }
        if name == "display" || name == "visibility" { self.page.forgetLooks() }
    }

    private mutating func put(host: ScriptHost, _ name: String, _ value: ScriptValue) throws(Stop) {
        switch (host, name) {
        case (.window, _): self.setGlobal(name, to: value)
        case (.outer, "location"), (.document, "location"), (.location, "href"), (.outerLocation, "href"):
            self.open(value)
        case (.document, _) where name.hasPrefix("on"):
            self.page.handlers[PageModel.Handler(target: PageModel.document, type: String(name.dropFirst(2)))] = value
        case (.location, "hash"): self.perform(.opens("#" + (self.text(value) ?? "")))
        case (.location, _), (.outerLocation, _): self.perform(.opensUnknown("location.\(name.excerpt(40))"))
        default: self.setMember(self.host(host), name, to: value)
        }
    }

    // MARK: Elements

    mutating func element(_ index: Int?) -> ScriptValue {
        guard let index else { return .null }
        if let known = self.elementObjects[index] { return known }
        let value = self.make(.element(index))
        self.elementObjects[index] = value
        return value
    }

    private mutating func get(element index: Int, _ name: String, of value: ScriptValue) -> ScriptValue {
        let element = self.page.elements[index]
        switch name {
        case "style", "dataset", "classList":
            let part = self.make(.part(name, index))
            self.objects[self.objectID(value)].members[name] = part
            return part
        case "id", "src", "target", "type", "name", "value", "title", "alt":
            return .text(element.attributes[name] ?? "")
        case "className": return .text(element.attributes["class"] ?? "")
        case "href": return element.attributes["href"].map { .text($0) } ?? .undefined
        case "tagName", "nodeName": return .text(element.name.uppercased())
        case "parentNode", "parentElement": return self.element(element.parent)
        case "firstChild", "firstElementChild": return self.element(element.children.first)
        case "lastChild", "lastElementChild": return self.element(element.children.last)
        case "nextSibling", "nextElementSibling", "previousSibling", "previousElementSibling":
            let siblings = element.parent.map { self.page.elements[$0].children } ?? []
            guard let at = siblings.firstIndex(of: index) else { return .null }
            let next = at + (name.hasPrefix("next") ? 1 : -1)
            return self.element(siblings.indices.contains(next) ? siblings[next] : nil)
        case "children", "childNodes":
            return self.make(.array, items: element.children.map { self.element($0) })
        case "textContent", "innerText", "innerHTML": return .text(element.text)
        case "ownerDocument": return self.host(.document)
        case "contentWindow", "contentDocument": return .unknown(name)
        case "paused": return .boolean(element.attributes["autoplay"] == nil)
        case "muted": return .boolean(element.attributes["muted"] != nil)
        default:
            if name.hasPrefix("on") {
                let handler = PageModel.Handler(target: index, type: String(name.dropFirst(2)))
                return self.page.handlers[handler] ?? .null
            }
            if ScriptRun.elementMethods.contains(name) { return self.make(.native(name, of: value)) }
            // Sizes and places are the browser's to know.
            return ScriptRun.measures.contains { name.hasPrefix($0) } ? .unknown(name) : .undefined
        }
    }

    private static let measures = ["offset", "client", "scroll", "natural", "current", "duration", "complete"]

    static let elementMethods: Set<String> = [
        "addEventListener", "attachEvent", "removeEventListener", "appendChild", "insertBefore", "removeChild",
        "append", "prepend", "replaceChildren", "remove", "getAttribute", "setAttribute", "removeAttribute",
        "hasAttribute", "querySelector", "querySelectorAll", "getElementsByTagName", "getElementsByClassName",
        "closest",
        "click", "focus", "blur", "play", "pause", "load", "submit", "getContext", "getBoundingClientRect", "animate",
        "insertAdjacentHTML", "insertAdjacentElement", "contains", "cloneNode", "dispatchEvent", "after", "before",
        "requestFullscreen", "toDataURL", "matches", "setAttributeNS", "replaceWith",
    ]

    private func objectID(_ value: ScriptValue) -> Int { if case .object(let id) = value { id } else { 0 } }

    private mutating func put(
        element index: Int,
        _ name: String,
        _ value: ScriptValue,
        in object: ScriptValue
    ) throws(Stop) {
        if name.hasPrefix("on") {
            let handler = PageModel.Handler(target: index, type: String(name.dropFirst(2)))
            self.page.handlers[handler] = self.settled(value, old: self.page.handlers[handler] ?? .null, madeAt: 0)
            return
        }
        switch name {
        case "innerHTML": try self.write(value, into: index, replaces: true)
        case "textContent", "innerText":
            self.changePage()
            self.page.removeChildren(of: index)
        case "id", "src", "target", "type", "name", "value", "title", "alt", "href", "srcdoc", "action", "className",
            "download":
            self.setAttribute(index, name == "className" ? "class" : name, value)
        default: self.setMember(object, name, to: value)
        }
    }

    mutating func setAttribute(_ index: Int, _ name: String, _ value: ScriptValue) {
        if name == "src", self.page.elements[index].name == "script" {
            self.page.note(script: self.text(value) ?? "an address that can't be known here")
        }
        guard let text = self.text(value), self.doubt == 0 else {
            // An address that can't be known is none that a press may be said to open.
            if name == "href" { self.page.elements[index].attributes["\u{0}href"] = "unknown" }
            return
        }
        self.page.elements[index].attributes[name] = text
        self.changePage()
        if name == "id" { self.page.note(id: text, of: index) }
        if name == "style" || name == "class" || name == "hidden" { self.page.forgetLooks() }
    }
}

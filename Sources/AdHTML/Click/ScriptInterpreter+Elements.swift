import AdCore
import AdMarkup

/// The properties of elements (DOM §4.9; HTML Living Standard, "Elements").
extension ScriptInterpreter {
    /// The object of an element; null if there is no element.
    mutating func element(_ index: Int?) throws(Stop) -> ScriptValue {
        guard let index else { return .null }
        if let known = self.elementObjects[index] { return known }
        let value = try self.make(.element(index))
        self.elementObjects[index] = value
        return value
    }

    /// A collection of elements.
    mutating func elements(_ indices: some Collection<Int>) throws(Stop) -> ScriptValue {
        try self.meter.charge(indices.count / StepMeter.values)
        var items: [ScriptValue] = []
        for index in indices { items.append(try self.element(index)) }
        return try self.make(.array, items: items)
    }

    mutating func get(element index: Int, _ name: String, of value: ScriptValue) throws(Stop) -> ScriptValue {
        let element = self.page.elements[index]
        switch name {
        case "style", "dataset", "classList":
            let part = try self.make(.part(name, index))
            if case .object(let id) = value { self.objects[id].members[name] = part }
            return part
        case "id", "src", "target", "type", "name", "value", "title", "alt":
            return .string(element.attributes[name] ?? "")
        case "className": return .string(element.attributes["class"] ?? "")
        case "href":
            if element.hasUnknownAddress { return .unknown("the link's address") }
            return element.attributes["href"].map { .string($0) } ?? .undefined
        case "tagName", "nodeName":
            return .string(element.name.hasPrefix("#") ? element.name : element.name.uppercased())
        case "parentNode", "parentElement": return try self.element(element.parent)
        case "firstChild", "firstElementChild": return try self.element(element.children.first)
        case "lastChild", "lastElementChild": return try self.element(element.children.last)
        case "nextSibling", "nextElementSibling", "previousSibling", "previousElementSibling":
            return try self.element(self.sibling(of: index, by: name.hasPrefix("next") ? 1 : -1))
        case "children", "childNodes": return try self.elements(element.children)
        case _ where ScriptInterpreter.isText(name, of: element):
            if let content = element.content {
                try self.meter.charge(content.count / StepMeter.bytes)
                return .string(String(decoding: content, as: UTF8.self))
            }
            return element.wholeText.map { .string($0) } ?? .unknown(name)
        case "ownerDocument": return self.host(.document)
        case "paused": return .boolean(element.attributes["autoplay"] == nil)
        case "muted": return .boolean(element.attributes["muted"] != nil)
        default:
            if let handler = ScriptInterpreter.handler(name, at: index) { return self.page.handlers[handler] ?? .null }
            if BrowserNames.supportedMethods.contains(name) || BrowserNames.readOnlyMethods.contains(name) {
                return try self.native(name, of: value)
            }
            // Only a browser has sizes and positions.
            return BrowserNames.properties.contains(name) ? .unknown(name) : .undefined
        }
    }

    /// Whether a property is the text of an element.
    private static func isText(_ name: String, of element: PageElement) -> Bool {
        switch name {
        case "textContent", "innerText", "innerHTML": true
        case "text": ["a", "option", "script", "title"].contains(element.name)
        case "data", "nodeValue": element.name == PageElement.textNode
        default: false
        }
    }

    private mutating func sibling(of index: Int, by step: Int) throws(Stop) -> Int? {
        let siblings = self.page.elements[index].parent.map { self.page.elements[$0].children } ?? []
        try self.meter.charge(siblings.count / 16)
        guard let at = siblings.firstIndex(of: index), siblings.indices.contains(at + step) else { return nil }
        return siblings[at + step]
    }

    /// The next sibling of an element.
    mutating func next(after index: Int) throws(Stop) -> Int? { try self.sibling(of: index, by: 1) }

    mutating func store(
        element index: Int,
        _ name: String,
        _ value: ScriptValue,
        in object: ScriptValue
    ) throws(Stop) {
        if let handler = ScriptInterpreter.handler(name, at: index) {
            self.page.handlers[handler] = self.settled(value, old: self.page.handlers[handler] ?? .null, madeAt: 0)
            return
        }
        switch name {
        case "innerHTML" where self.page.elements[index].name != "script": try self.replaceContent(of: index, by: value)
        case "outerHTML":
            guard let parent = self.page.elements[index].parent else { return }
            try self.write(value, into: parent, before: index)
            try self.removeElement(index)
        case _ where ScriptInterpreter.isText(name, of: self.page.elements[index]):
            try self.setText(of: index, to: value)
        case "style": try self.setAttribute(index, "style", value)
        case "classList", "className": try self.setAttribute(index, "class", value)
        case "hidden":
            guard let isHidden = value.booleanValue else { return try self.markPageUncertain(at: index) }
            if isHidden {
                try self.setAttribute(index, name, .string(""))
            } else {
                try self.removeAttribute(index, name)
            }
        case "dataset": break
        case "id", "src", "target", "type", "name", "value", "title", "alt", "href", "srcdoc", "action", "download",
            "formAction", "noValidate", "method":
            try self.setAttribute(index, name.asciiLowercased, value)
        default: try self.setMember(object, name, to: value)
        }
    }

    /// Sets the text of an element, or the code of a script.
    private mutating func setText(of index: Int, to value: ScriptValue) throws(Stop) {
        let text = try self.string(value)
        let isScript = self.page.elements[index].name == "script"
        guard self.uncertainty == 0 else {
            for child in self.page.elements[index].children { try self.markPageUncertain(at: child) }
            return isScript ? self.markPageUncertain("a script runs code that is unknown without a browser") : ()
        }
        self.changePage()
        try self.page.removeChildren(of: index, &self.meter)
        if isScript {
            guard let text else {
                return self.markPageUncertain("a script runs code that is unknown without a browser")
            }
            try self.meter.charge(text.utf8.count / StepMeter.bytes)
            self.page.elements[index].content = Array(text.utf8)
        } else {
            // An unknown value is some text.
            self.page.elements[index].add(text: text ?? "?")
        }
    }

    // MARK: Attributes

    mutating func setAttribute(_ index: Int, _ name: String, _ value: ScriptValue) throws(Stop) {
        let text = try self.string(value)
        try self.charge(name)
        try self.charge(text ?? "")
        if name == "src", self.page.elements[index].name == "script" {
            self.page.addUnread(script: text ?? "an unknown URL")
        }
        guard let text, self.uncertainty == 0 else {
            if name == "href" || name == "xlink:href" { self.page.elements[index].hasUnknownAddress = true }
            if name == "style" || name == "hidden" { try self.markPageUncertain(at: index) }
            if let handler = ScriptInterpreter.handler(name, at: index) { self.page.handlers[handler] = .conditional }
            return
        }
        if name == "href" || name == "xlink:href" { self.page.elements[index].hasUnknownAddress = false }
        self.page.elements[index].attributes[name] = text
        self.changePage()
        if name == "id" { self.page.register(id: text, of: index) }
        // The attribute replaces the handler (HTML Living Standard, "Event handlers").
        if let handler = ScriptInterpreter.handler(name, at: index) { self.page.handlers[handler] = nil }
    }

    mutating func removeAttribute(_ index: Int, _ name: String) throws(Stop) {
        try self.charge(name)
        guard self.uncertainty == 0 else { return try self.markPageUncertain(at: index) }
        self.changePage()
        self.page.elements[index].attributes[name] = nil
        if name == "href" { self.page.elements[index].hasUnknownAddress = false }
        if let handler = ScriptInterpreter.handler(name, at: index) { self.page.handlers[handler] = nil }
    }

    /// The handler with the name of a property or attribute, such as `onclick`; nil for other names.
    static func handler(_ name: String, at target: PageModel.Target) -> PageModel.Handler? {
        guard name.hasPrefix("on"), name.utf8.count <= ScriptParser.maxNameLength else { return nil }
        return PageModel.Handler(target: target, type: String(name.dropFirst(2)))
    }

    // MARK: Uncertainty

    /// Records that the page may differ from the model.
    mutating func markPageUncertain(_ reason: String) { self.pageUncertainty = self.pageUncertainty ?? reason }

    /// Records that an element may or may not exist or be visible, if it, an ancestor or a descendant may be clicked.
    mutating func markPageUncertain(at index: Int) throws(Stop) {
        let inside = [index] + self.page.elements(within: index)
        try self.meter.charge(inside.count)
        let targets = Set(self.page.listeners.keys.lazy.map(\.target)).union(self.page.handlers.keys.lazy.map(\.target))
        try self.meter.charge(targets.count)
        guard
            (inside + self.page.ancestors(of: index)).contains(where: {
                self.page.elements[$0].mayBePressed || ($0 != self.page.body && targets.contains($0))
            })
        else { return }
        self.markPageUncertain("a script changes the page under a condition that only a browser can evaluate")
    }
}

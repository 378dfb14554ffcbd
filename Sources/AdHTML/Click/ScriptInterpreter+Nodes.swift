import AdCore
import AdMarkup

/// The methods of elements, and the insertion of nodes (DOM §4.2, §4.4, §4.9).
extension ScriptInterpreter {
    mutating func call(element index: Int, _ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        let first = arguments.first ?? .undefined
        switch name {
        case "addEventListener", "attachEvent": try self.addListener(on: index, arguments)
        case "removeEventListener", "detachEvent": try self.removeListener(on: index, arguments)
        case "dispatchEvent": return self.dispatchUnknown()
        case "appendChild", "append":
            try self.insert(name == "append" ? arguments : [first], into: index, before: nil)
            return first
        case "prepend": try self.insert(arguments, into: index, before: self.page.elements[index].children.first)
        case "insertBefore":
            let next = arguments.dropFirst().first ?? .null
            try self.insert([first], into: index, before: self.child(next, of: index))
            return first
        case "replaceChild":
            guard let old = try self.child(arguments.dropFirst().first ?? .undefined, of: index) else {
                return .undefined
            }
            try self.replace(old, by: [first])
            return arguments.dropFirst().first ?? .undefined
        case "removeChild":
            if let child = try self.child(first, of: index) { try self.removeElement(child) }
            return first
        case "remove": try self.removeElement(index)
        case "before", "after":
            guard let parent = self.page.elements[index].parent else { return .undefined }
            try self.insert(arguments, into: parent, before: name == "before" ? index : self.next(after: index))
        case "replaceWith": try self.replace(index, by: arguments)
        case "replaceChildren":
            try self.replaceContent(of: index, by: .string(""))
            try self.insert(arguments, into: index, before: nil)
        case "insertAdjacentElement", "insertAdjacentText", "insertAdjacentHTML":
            try self.insert(adjacent: name, index, arguments)
        case "contains":
            guard case .element(let other)? = self.kind(first) else { return .unknown(name) }
            let around = [other] + self.page.ancestors(of: other)
            try self.meter.charge(around.count)
            return .boolean(around.contains(index))
        case "hasChildNodes": return self.page.elements[index].children.isEmpty ? .unknown(name) : .boolean(true)
        case "hasAttributes": return .boolean(!self.page.elements[index].attributes.isEmpty)
        case "getAttribute", "setAttribute", "setAttributeNS", "hasAttribute", "removeAttribute", "toggleAttribute":
            return try self.callAttribute(name, of: index, arguments)
        case "querySelector", "querySelectorAll", "getElementsByTagName", "getElementsByClassName":
            return try self.select(name, first, within: index)
        case "closest", "matches", "webkitMatchesSelector":
            return try self.match(index, with: first, isClosest: name == "closest")
        case "click": try self.click(index)
        case "submit", "requestSubmit": self.submit(index, from: nil, validates: name == "requestSubmit")
        case "play", "pause": self.perform(.creative("\(name) of \(self.page.elements[index].name)"))
        case "focus", "blur", "load": break
        default:
            if !BrowserNames.readOnlyMethods.contains(name) {
                self.markPageUncertain("a script calls \(name.excerpt()), which is not supported")
            }
            return .unknown(name)
        }
        return .undefined
    }

    private mutating func callAttribute(
        _ name: String,
        of index: Int,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        // `setAttributeNS` has the namespace as its first argument.
        let arguments = name == "setAttributeNS" ? arguments.dropFirst() : arguments[...]
        guard let attribute = try self.string(arguments.first ?? .undefined)?.asciiLowercased else {
            if !name.hasPrefix("get"), !name.hasPrefix("has") { try self.markPageUncertain(at: index) }
            return .unknown(name)
        }
        try self.charge(attribute)
        let old = self.page.elements[index].attributes[attribute]
        if attribute == "href", self.page.elements[index].hasUnknownAddress, name == "getAttribute" {
            return .unknown("the link's address")
        }
        switch name {
        case "getAttribute": return old.map { .string($0) } ?? .null
        case "hasAttribute": return .boolean(old != nil)
        case "removeAttribute": try self.removeAttribute(index, attribute)
        case "toggleAttribute":
            guard
                let force = arguments.dropFirst().first.map({ $0 == .undefined ? old == nil : $0.booleanValue })
                    ?? (old == nil)
            else {
                try self.markPageUncertain(at: index)
                return .unknown(name)
            }
            if !force { try self.removeAttribute(index, attribute) }
            if force, old == nil { try self.setAttribute(index, attribute, .string("")) }
            return .boolean(force)
        default: try self.setAttribute(index, attribute, arguments.dropFirst().first ?? .string(""))
        }
        return .undefined
    }

    // MARK: Insertion

    /// The node of a value, which must be a child of an element; nil if there is no value.
    private mutating func child(_ value: ScriptValue, of parent: Int) throws(Stop) -> Int? {
        switch value {
        case .null, .undefined: return nil
        case .unknown:
            try self.markPageUncertain(at: parent)
            return nil
        default:
            guard case .element(let child)? = self.kind(value), self.page.elements[child].parent == parent else {
                throw .thrown(.string("NotFoundError: the node is not a child of this node"))
            }
            return child
        }
    }

    /// Inserts nodes and texts into an element, before a child or at the end.
    mutating func insert(_ nodes: [ScriptValue], into parent: Int, before next: Int?) throws(Stop) {
        for node in nodes {
            guard case .element(let child)? = self.kind(node) else {
                if node.isUnknown {
                    // A node of an uncertain branch that is appended at the end is usually a pixel.
                    let reason = "a script puts something into the page that is unknown without a browser"
                    if self.uncertainty > 0, next == nil {
                        self.incompleteScript = self.incompleteScript ?? reason
                    } else {
                        self.markPageUncertain(reason)
                    }
                } else if self.uncertainty == 0, let text = try self.string(node) {
                    self.changePage()
                    self.page.elements[parent].add(text: text)
                }
                continue
            }
            let isFragment = self.page.elements[child].name == PageElement.fragment
            for each in isFragment ? self.page.elements[child].children : [child] {
                guard self.uncertainty == 0 else {
                    try self.markPageUncertain(at: each)
                    continue
                }
                self.changePage()
                guard try self.page.insert(each, into: parent, before: next, &self.meter) else {
                    throw .thrown(.string("HierarchyRequestError: the new child contains the parent"))
                }
                try self.runScripts(in: each)
            }
        }
    }

    /// Runs the scripts in an inserted element (HTML Living Standard, "the script element").
    private mutating func runScripts(in root: Int) throws(Stop) {
        let parent = self.page.elements[root].parent
        if let parent, self.page.elements[parent].name == "script",
            self.page.elements[root].name == PageElement.textNode
        {
            let code = Array(self.page.elements[root].text.utf8)
            if self.page.elements[root].wholeText == nil {
                self.markPageUncertain("a script runs code that is unknown without a browser")
            }
            self.page.elements[parent].content = (self.page.elements[parent].content ?? []) + code
        }
        let inside = [root] + self.page.elements(within: root)
        try self.meter.charge(inside.count)
        for index in inside where self.page.elements[index].name == "script" {
            guard !self.page.elements[index].hasStarted, self.page.elements[index].attributes["src"] == nil,
                let code = self.page.elements[index].content
            else { continue }
            self.page.elements[index].hasStarted = true
            self.run(code: code[...])
        }
    }

    /// Removes an element from the page.
    mutating func removeElement(_ index: Int) throws(Stop) {
        guard self.uncertainty == 0 else { return try self.markPageUncertain(at: index) }
        self.changePage()
        try self.page.remove(index, &self.meter)
    }

    private mutating func replace(_ old: Int, by nodes: [ScriptValue]) throws(Stop) {
        guard let parent = self.page.elements[old].parent else { return }
        try self.insert(nodes, into: parent, before: old)
        // An element may replace itself.
        let isKept = nodes.contains { self.kind($0) == .element(old) }
        if !isKept, self.page.elements[old].parent == parent { try self.removeElement(old) }
    }

    private mutating func insert(adjacent name: String, _ index: Int, _ arguments: [ScriptValue]) throws(Stop) {
        let node = arguments.dropFirst().first ?? .undefined
        let parent: Int?
        let next: Int?
        switch try self.string(arguments.first ?? .undefined)?.asciiLowercased {
        case "beforebegin": (parent, next) = (self.page.elements[index].parent, index)
        case "afterbegin": (parent, next) = (index, self.page.elements[index].children.first)
        case "beforeend": (parent, next) = (index, nil)
        case "afterend": (parent, next) = (self.page.elements[index].parent, try self.next(after: index))
        case nil:
            return self.markPageUncertain("a script puts something into the page that is unknown without a browser")
        default: throw .thrown(.string("SyntaxError: the position of \(name) is invalid"))
        }
        guard let parent else { return }
        if name == "insertAdjacentHTML" { return try self.write(node, into: parent, before: next) }
        try self.insert([node], into: parent, before: next)
    }

    // MARK: Markup

    /// Replaces the content of an element by markup, as `innerHTML` does.
    mutating func replaceContent(of index: Int, by markup: ScriptValue) throws(Stop) {
        guard self.uncertainty == 0, try self.string(markup) != nil else {
            return self.markPageUncertain("a script writes markup that is unknown without a browser")
        }
        try self.page.removeChildren(of: index, &self.meter)
        try self.write(markup, into: index, before: nil)
    }

    /// Inserts markup into an element, before a child or at the end; `runs` its scripts, as `document.write` does.
    mutating func write(_ value: ScriptValue, into parent: Int, before next: Int?, runs: Bool = false) throws(Stop) {
        guard let text = try self.string(value), self.uncertainty == 0 else {
            return self.markPageUncertain("a script writes markup that is unknown without a browser")
        }
        try self.meter.charge(text.utf8.count / 16)
        self.changePage()
        guard let outline = PageOutline.read(text) else {
            return self.markPageUncertain("a script writes markup that can't be parsed")
        }
        self.page.elements[parent].add(text: outline.text)
        guard let added = try self.page.insert(outline, into: parent, before: next, &self.meter) else {
            return self.markPageUncertain("a script creates more elements than the limit")
        }
        for index in added where self.page.elements[index].name == "script" {
            // Scripts in `innerHTML` never run.
            self.page.elements[index].hasStarted = true
            guard runs, !self.page.elements[index].isInert else { continue }
            if let address = self.page.elements[index].attributes["src"] {
                self.page.addUnread(script: address)
            } else if let code = self.page.elements[index].content {
                self.run(code: code[...])
            }
        }
    }
}

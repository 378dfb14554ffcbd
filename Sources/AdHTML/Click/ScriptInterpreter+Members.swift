import AdCore
import AdMarkup

/// Reading and setting the members of objects.
extension ScriptInterpreter {
    mutating func get(_ object: ScriptValue, _ name: String) throws(Stop) -> ScriptValue {
        // A lookup takes time in proportion to the length of the name.
        try self.charge(name)
        switch object {
        case .undefined, .null: return .undefined
        case .unknown(let source): return .member(name, of: source)
        // A date is represented by its milliseconds.
        case .boolean, .number:
            let isOfDate = ["get", "set", "to"].contains { name.hasPrefix($0) }
            return isOfDate || BrowserNames.object.contains(name) ? try self.native(name, of: object) : .undefined
        case .string(let text):
            if name == "length" { return .number(Double(text.utf16.count)) }
            if let index = Int(name) { return Self.character(of: text, at: index).map { .string($0) } ?? .undefined }
            return BrowserNames.string.contains(name) ? try self.native(name, of: object) : .undefined
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
            return BrowserNames.array.contains(name) ? try self.native(name, of: value) : .undefined
        case .plain:
            return BrowserNames.object.contains(name) || name == "then" || name == "catch"
                ? try self.native(name, of: value) : .undefined
        case .regularExpression, .query: return try self.native(name, of: value)
        case .event:
            switch name {
            case "preventDefault", "stopPropagation", "stopImmediatePropagation":
                return try self.native(name, of: value)
            case "defaultPrevented" where !self.objects[id].flags.contains(.maybePrevented):
                return .boolean(self.objects[id].flags.contains(.prevented))
            default: return .member(name, of: "event")
            }
        case .function, .bound:
            if name == "prototype" {
                let prototype = try self.make(.plain)
                self.objects[id].members[name] = prototype
                return prototype
            }
            if ["call", "apply", "bind"].contains(name) { return try self.native(name, of: value) }
            return BrowserNames.object.contains(name) || name == "name" || name == "length"
                ? .unknown(name) : .undefined
        case .native(let native, _):
            return ["call", "apply", "bind"].contains(name)
                ? try self.native(name, of: value) : .member(name, of: native.excerpt())
        case .element(let element): return try self.get(element: element, name, of: value)
        case .part(let part, let element): return try self.get(part: part, of: element, name, of: value)
        case .host(let host): return try self.get(host: host, name, of: value)
        }
    }

    static func character(of text: String, at index: Int) -> String? {
        guard index >= 0, index < text.utf16.count else { return nil }
        let at = text.utf16.index(text.utf16.startIndex, offsetBy: index)
        return String(text.unicodeScalars[at])
    }

    // MARK: Setting

    /// Sets a member without side effects.
    mutating func setMember(_ object: ScriptValue, _ name: String, to value: ScriptValue) throws(Stop) {
        guard case .object(let id) = object else { return }
        try self.charge(name)
        let old = self.objects[id].members[name]
        if old == nil { self.objects[id].names.append(name) }
        self.objects[id].members[name] = self.settled(
            value,
            old: old ?? .undefined,
            madeAt: self.objects[id].uncertainty
        )
    }

    mutating func store(_ object: ScriptValue, _ name: String, _ value: ScriptValue) throws(Stop) {
        guard case .object(let id) = object else { return }
        try self.charge(name)
        switch self.objects[id].kind {
        case .array:
            guard let index = Int(name) else { return try self.setMember(object, name, to: value) }
            let uncertainty = self.objects[id].uncertainty
            if self.objects[id].items.indices.contains(index) {
                let old = self.objects[id].items[index]
                self.objects[id].items[index] = self.settled(value, old: old, madeAt: uncertainty)
            } else if index == self.objects[id].items.count {
                self.objects[id].items.append(self.settled(value, old: .undefined, madeAt: uncertainty))
            }
        case .event where name == "returnValue" && value == .boolean(false): self.setFlag(event: id, "preventDefault")
        case .event where name == "cancelBubble" && value.booleanValue == true:
            self.setFlag(event: id, "stopPropagation")
        case .element(let element): try self.store(element: element, name, value, in: object)
        case .part(let part, let element): try self.store(part: part, of: element, name, value)
        case .host(let host): try self.store(host: host, name, value)
        default: try self.setMember(object, name, to: value)
        }
    }

    private mutating func store(host: ScriptHost, _ name: String, _ value: ScriptValue) throws(Stop) {
        switch (host, name) {
        case (.window, _): try self.setGlobal(name, to: value)
        case (.outer, "location"), (.document, "location"), (.location, "href"), (.outerLocation, "href"),
            (.opened, "location"), (.openedLocation, "href"):
            try self.open(value)
        case (.document, _) where ScriptInterpreter.handler(name, at: PageModel.document) != nil:
            guard let handler = ScriptInterpreter.handler(name, at: PageModel.document) else { return }
            self.page.handlers[handler] = self.settled(value, old: self.page.handlers[handler] ?? .null, madeAt: 0)
        case (.location, "hash"): self.perform(.opens("#" + (try self.string(value) ?? "").prefix(2_000)))
        case (.location, _), (.outerLocation, _): self.perform(.opensUnknown("location.\(name.excerpt(40))"))
        default: try self.setMember(self.host(host), name, to: value)
        }
    }

    // MARK: style, dataset and classList

    private mutating func get(
        part: String,
        of element: Int,
        _ name: String,
        of value: ScriptValue
    ) throws(Stop) -> ScriptValue {
        guard name.utf8.count <= ScriptParser.maxNameLength else { return .undefined }
        switch part {
        case "classList":
            return BrowserNames.classList.contains(name)
                ? try self.native(name, of: value) : .member(name, of: "classList")
        case "dataset":
            return self.page.elements[element].attributes["data-" + Self.dashed(name)].map { .string($0) } ?? .undefined
        default:
            return BrowserNames.style.contains(name)
                ? try self.native(name, of: value) : try self.get(style: Self.dashed(name), of: element)
        }
    }

    private mutating func store(
        part: String,
        of element: Int,
        _ name: String,
        _ value: ScriptValue
    ) throws(Stop) {
        guard name.utf8.count <= ScriptParser.maxNameLength, let text = try self.string(value) else { return }
        if part == "dataset" {
            try self.setAttribute(element, "data-" + Self.dashed(name), .string(text))
        } else if part == "style", name == "cssText" {
            try self.setAttribute(element, "style", .string(text))
        } else if part == "style" {
            try self.style(element, Self.dashed(name), text)
        }
    }

    mutating func call(part: String, of index: Int, _ name: String, _ arguments: [ScriptValue]) throws(Stop)
        -> ScriptValue
    {
        if part == "classList" { return try self.callClasses(name, index, arguments) }
        guard let property = try self.string(arguments.first ?? .undefined)?.asciiLowercased else {
            return .unknown(name)
        }
        switch name {
        case "getPropertyValue": return try self.get(style: property, of: index)
        case "setProperty", "removeProperty":
            let value = name == "setProperty" ? arguments.dropFirst().first ?? .string("") : .string("")
            if let text = try self.string(value) { try self.style(index, property, text) }
            return .undefined
        default: return .unknown(name)
        }
    }

    private mutating func get(style name: String, of element: Int) throws(Stop) -> ScriptValue {
        let style = self.page.elements[element].attributes["style"] ?? ""
        try self.meter.charge(style.utf8.count / 8)
        if name == "css-text" { return .string(style) }
        let declaration = style.split(separator: ";").last { String($0.prefix { $0 != ":" }).trimmed == name }
        return .string(declaration.map { String($0.drop { $0 != ":" }.dropFirst()).trimmed } ?? "")
    }

    private mutating func style(_ element: Int, _ name: String, _ value: String) throws(Stop) {
        let style = self.page.elements[element].attributes["style"] ?? ""
        try self.meter.charge(style.utf8.count / 8)
        guard self.uncertainty == 0 else {
            let isHidden = PageStyle.hides("\(name):\(value)")
            if let isHidden, isHidden != (PageStyle.hides(style) ?? false) { try self.markPageUncertain(at: element) }
            return
        }
        self.changePage()
        var declarations = style.split(separator: ";").filter { String($0.prefix { $0 != ":" }).trimmed != name }
        let new = value.isEmpty ? "" : "\(name):\(value)"
        declarations.append(new[...])
        if case .string(let style) = try self.concatenated(declarations.joined(separator: ";")) {
            self.page.elements[element].attributes["style"] = style
        }
    }

    /// Converts a name such as `backgroundColor` to `background-color`.
    static func dashed(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }

    private mutating func callClasses(
        _ name: String,
        _ index: Int,
        _ arguments: [ScriptValue]
    ) throws(Stop) -> ScriptValue {
        let text = self.page.elements[index].attributes["class"] ?? ""
        try self.meter.charge(text.utf8.count / 8)
        var classes = text.split { $0 == " " || $0.isNewline || $0 == "\t" }.map(String.init)
        guard let first = try arguments.first.map({ value throws(Stop) in try self.string(value) }) ?? nil else {
            return .unknown(name)
        }
        let isThere = classes.contains(first)
        switch name {
        case "contains": return .boolean(isThere)
        case "add", "remove", "toggle":
            let force = name == "toggle" ? arguments.dropFirst().first : .boolean(name == "add")
            guard let adds = force.map({ $0 == .undefined ? !isThere : $0.booleanValue }) ?? !isThere,
                self.uncertainty == 0
            else {
                return .unknown(name)
            }
            for argument in name == "toggle" ? arguments.prefix(1) : arguments.prefix(8) {
                guard let wanted = try self.string(argument) else { continue }
                if !adds { classes.removeAll { $0 == wanted } }
                if adds, !classes.contains(wanted) { classes.append(wanted) }
            }
            self.changePage()
            if case .string(let text) = try self.concatenated(classes.joined(separator: " ")) {
                self.page.elements[index].attributes["class"] = text
            }
            return name == "toggle" ? .boolean(adds) : .undefined
        default: return .unknown("classList.\(name)")
        }
    }
}

import AdCore
import AdMarkup

/// The global objects of the browser: the window, the document, MRAID (MRAID 3.0 §5, §6), and others.
extension ScriptInterpreter {
    /// A property of the window that no script has declared; nil if there is none.
    mutating func global(_ name: String) throws(Stop) -> ScriptValue? {
        switch name {
        case "window", "self", "globalThis", "frames": return self.host(.window)
        case "top", "parent", "opener": return self.host(.outer)
        case "mraid": return self.page.hasMRAID ? self.host(.mraid) : nil
        case "undefined": return .undefined
        case "NaN": return .number(.nan)
        case "Infinity": return .number(.infinity)
        case "closed": return .boolean(false)
        default: break
        }
        if let host = ScriptHost(rawValue: name), ScriptHost.named.contains(host) { return self.host(host) }
        if BrowserNames.functions.contains(name) { return try self.native(name, of: self.host(.window)) }
        if let element = try self.page.element(withID: name, &self.meter) { return try self.element(element) }
        return BrowserNames.window.contains(name) || BrowserNames.isType(name) ? .unknown(name) : nil
    }

    mutating func get(host: ScriptHost, _ name: String, of value: ScriptValue) throws(Stop) -> ScriptValue {
        switch host {
        case .window:
            if let own = self.scopes[0].values[name] { return own }
            if let own = try self.global(name) { return own }
            if let handler = ScriptInterpreter.handler(name, at: PageModel.window) {
                return self.page.handlers[handler] ?? .null
            }
            return self.page.hasUnreadScripts ? .unknown(name) : .undefined
        case .outer:
            switch name {
            case "location": return self.host(.outerLocation)
            case "top", "parent", "self", "window": return value
            case "postMessage", "open": return try self.native(name, of: name == "open" ? self.host(.window) : value)
            // The page around the creative has another origin.
            default: throw .thrown(.string("SecurityError: the page around the creative can't be read"))
            }
        case .location, .outerLocation: return try self.get(location: name, of: value)
        case .document: return try self.get(document: name, of: value)
        case .mraid:
            return MRAIDScript.methods.contains(name) ? try self.native(name, of: value) : .undefined
        case .navigator, .history: return .unknown("\(host.rawValue).\(name.excerpt(40))")
        case .math where name == "PI": return .number(.pi)
        case .console, .math, .json, .object, .array, .string, .number, .date:
            if name == "prototype" { return try self.make(host == .array ? .array : .plain) }
            return try self.native(name, of: value)
        case .opened, .openedLocation, .openedDocument: return try self.get(opened: host, name, of: value)
        }
    }

    /// A property of the window that `open` returns; many ads open an empty window and set its location later.
    private mutating func get(opened host: ScriptHost, _ name: String, of value: ScriptValue) throws(Stop)
        -> ScriptValue
    {
        switch (host, name) {
        case (.opened, "location"): return self.host(.openedLocation)
        case (.opened, "document"): return self.host(.openedDocument)
        case (.opened, "closed"): return .boolean(false)
        case (.opened, "opener"): return .null
        case (.opened, "name"): return .string("")
        case (.openedLocation, "href"): return .string("about:blank")
        case (.opened, "focus"), (.opened, "blur"), (.opened, "close"), (.opened, "postMessage"),
            (.openedLocation, "assign"), (.openedLocation, "replace"), (.openedLocation, "toString"),
            (.openedDocument, "write"), (.openedDocument, "writeln"), (.openedDocument, "open"),
            (.openedDocument, "close"):
            return try self.native(name, of: value)
        default: return .unknown("the opened window's \(name.excerpt())")
        }
    }

    private mutating func get(location name: String, of value: ScriptValue) throws(Stop) -> ScriptValue {
        switch name {
        case "href": return .string(PageModel.url)
        case "search", "hash": return .string("")
        case "protocol": return .string("https:")
        case "host", "hostname": return .string(String(PageModel.url.dropFirst(8).dropLast()))
        case "origin": return .string(String(PageModel.url.dropLast()))
        case "pathname": return .string("/")
        case "port": return .string("")
        case "assign", "replace", "reload", "toString": return try self.native(name, of: value)
        case "ancestorOrigins": return .unknown(name)
        default: return .undefined
        }
    }

    private mutating func get(document name: String, of value: ScriptValue) throws(Stop) -> ScriptValue {
        switch name {
        case "body": return try self.element(self.page.isParsed(self.page.body) ? self.page.body : nil)
        case "head": return try self.element(self.page.head ?? self.page.body)
        case "documentElement": return try self.element(self.page.html ?? self.page.body)
        case "location": return self.host(.location)
        case "defaultView", "parentWindow": return self.host(.window)
        case "readyState": return .string(self.page.isLoaded ? "complete" : "loading")
        case "referrer", "cookie", "title": return .string("")
        case "URL", "documentURI", "baseURI": return .string(PageModel.url)
        case "hidden": return .boolean(false)
        case "visibilityState": return .string("visible")
        case "currentScript":
            return try self.element(self.page.parsedUpTo < self.page.elements.count ? self.page.parsedUpTo : nil)
        default:
            if let handler = ScriptInterpreter.handler(name, at: PageModel.document) {
                return self.page.handlers[handler] ?? .null
            }
            if BrowserNames.documentMethods.contains(name) { return try self.native(name, of: value) }
            return BrowserNames.document.contains(name) ? .unknown("document.\(name)") : .undefined
        }
    }

    // MARK: MRAID

    mutating func callMRAID(_ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        switch name {
        case "open":
            try self.open(arguments.first ?? .string(""))
            return .undefined
        case "addEventListener":
            guard let type = try arguments.first.flatMap({ value throws(Stop) in try self.string(value) }),
                arguments.count > 1
            else { return .undefined }
            self.mraidListeners[type, default: []].append(arguments[1])
            return .undefined
        case "getState": return .string(self.page.isMRAIDReady ? "default" : "loading")
        case "isViewable": return .boolean(self.page.isMRAIDReady)
        case "getVersion": return .string("3.0")
        case "supports": return .unknown("mraid.supports")
        case "getPlacementType": return .unknown("mraid.getPlacementType")
        case "expand", "resize", "close", "unload", "playVideo", "storePicture", "createCalendarEvent":
            self.perform(.creative("mraid.\(name)"))
            return .undefined
        case _ where name.hasPrefix("get"): return .unknown("mraid.\(name)")
        default: return .undefined
        }
    }

    /// Sends the MRAID events that an app sends when the creative is shown (MRAID 3.0 §7).
    mutating func sendMRAIDEvents() {
        guard self.page.hasMRAID else { return }
        self.page.isMRAIDReady = true
        for (type, value) in [
            ("ready", ScriptValue.undefined), ("stateChange", .string("default")), ("viewableChange", .boolean(true)),
            ("exposureChange", .number(100)),
        ] {
            for listener in self.mraidListeners[type] ?? [] {
                self.guarded { interpreter throws(Stop) in
                    try interpreter.call(listener, this: interpreter.host(.mraid), [value])
                }
            }
        }
    }
}

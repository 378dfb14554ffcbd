import AdCore

/// What the browser gives scripts: the window, the document, MRAID (MRAID 3.0 §4), and the rest in few words.
extension ScriptRun {
    /// A name of the window's that no script has declared; nil where there is none.
    mutating func global(_ name: String) -> ScriptValue? {
        switch name {
        case "window", "self", "globalThis", "frames": return self.host(.window)
        case "top", "parent", "opener": return self.host(.outer)
        case "mraid": return self.page.hasBridge ? self.host(.mraid) : nil
        case "undefined": return .undefined
        case "NaN": return .number(.nan)
        case "Infinity": return .number(.infinity)
        case "devicePixelRatio", "innerWidth", "innerHeight", "outerWidth", "outerHeight", "screen", "localStorage",
            "sessionStorage", "performance", "pageXOffset", "pageYOffset", "scrollX", "scrollY", "orientation",
            "crypto", "visualViewport", "indexedDB", "name", "speechSynthesis":
            return .unknown(name)
        default: break
        }
        if let host = ScriptHost(rawValue: name), ![.window, .outer, .outerLocation, .mraid].contains(host) {
            return self.host(host)
        }
        if ScriptRun.functions.contains(name) { return self.make(.native(name, of: self.host(.window))) }
        return self.page.element(withID: name).map { self.element($0) }
    }

    private static let functions: Set<String> = [
        "open", "setTimeout", "setInterval", "clearTimeout", "clearInterval", "requestAnimationFrame",
        "cancelAnimationFrame", "requestIdleCallback", "queueMicrotask", "setImmediate", "addEventListener",
        "removeEventListener", "attachEvent", "decodeURIComponent", "decodeURI", "unescape", "encodeURIComponent",
        "encodeURI", "escape", "parseInt", "parseFloat", "isNaN", "isFinite", "Boolean", "RegExp", "Error", "TypeError",
        "Image", "Audio", "Event", "CustomEvent", "MouseEvent", "PointerEvent", "TouchEvent", "Promise", "URL",
        "URLSearchParams", "XMLHttpRequest", "fetch", "alert", "confirm", "prompt", "eval", "Function", "close",
        "postMessage", "getComputedStyle", "matchMedia", "dispatchEvent", "focus", "blur", "scrollTo", "scroll", "stop",
        "print", "Map", "Set", "WeakMap", "WeakSet", "Symbol", "MutationObserver", "IntersectionObserver",
        "ResizeObserver", "Worker", "WebSocket", "Blob", "FileReader", "atob", "btoa", "DOMParser", "FormData",
        "AbortController", "Proxy", "Reflect", "Int8Array", "Uint8Array", "Float32Array", "HTMLElement", "Element",
        "Node", "Window", "Document", "RangeError", "SyntaxError", "ReferenceError", "Intl", "BigInt",
        "structuredClone",
        "Notification", "AudioContext", "webkitAudioContext", "customElements", "CSS",
    ]

    mutating func get(host: ScriptHost, _ name: String, of value: ScriptValue) throws(Stop) -> ScriptValue {
        switch host {
        case .window:
            if let own = self.scopes[0].values[name] ?? self.global(name) { return own }
            if name.hasPrefix("on") {
                return self.page.handlers[PageModel.Handler(target: PageModel.window, type: String(name.dropFirst(2)))]
                    ?? .null
            }
            return self.page.hasUnreadScripts ? .unknown(name) : .undefined
        case .outer:
            switch name {
            case "location": return self.host(.outerLocation)
            case "top", "parent", "self", "window": return value
            case "postMessage", "open": return self.make(.native(name, of: name == "open" ? self.host(.window) : value))
            // The page around the creative is of another origin.
            default: throw .thrown(.text("SecurityError: the page around the creative can't be read"))
            }
        case .location, .outerLocation: return self.get(location: name, of: value)
        case .document: return self.get(document: name, of: value)
        case .mraid:
            return ScriptRun.bridge.contains(name) ? self.make(.native(name, of: value)) : .undefined
        case .navigator, .history: return .unknown("\(host.rawValue).\(name.excerpt(40))")
        case .math where name == "PI": return .number(.pi)
        case .console, .math, .json, .object, .array, .text, .number, .date:
            if name == "prototype" { return self.make(host == .array ? .array : .plain) }
            return self.make(.native(name, of: value))
        }
    }

    private static let bridge: Set<String> = [
        "addEventListener", "removeEventListener", "getVersion", "getState", "getPlacementType", "supports", "open",
        "close", "unload", "expand", "resize", "playVideo", "storePicture", "createCalendarEvent",
        "getExpandProperties",
        "setExpandProperties", "getOrientationProperties", "setOrientationProperties", "getResizeProperties",
        "setResizeProperties", "getScreenSize", "getMaxSize", "getDefaultPosition", "getCurrentPosition",
        "getCurrentAppOrientation", "getLocation", "isViewable", "useCustomClose",
    ]

    private mutating func get(location name: String, of value: ScriptValue) -> ScriptValue {
        switch name {
        case "href": return .text(PageModel.address)
        case "search", "hash": return .text("")
        case "protocol": return .text("https:")
        case "host", "hostname": return .text(String(PageModel.address.dropFirst(8).dropLast()))
        case "origin": return .text(String(PageModel.address.dropLast()))
        case "pathname": return .text("/")
        case "port": return .text("")
        case "assign", "replace", "reload", "toString": return self.make(.native(name, of: value))
        case "ancestorOrigins": return .unknown(name)
        default: return .undefined
        }
    }

    private mutating func get(document name: String, of value: ScriptValue) -> ScriptValue {
        switch name {
        case "body": return self.element(self.page.isThere(self.page.body) ? self.page.body : nil)
        case "head": return self.element(self.page.elements.firstIndex { $0.name == "head" } ?? self.page.body)
        case "documentElement":
            return self.element(self.page.elements.firstIndex { $0.name == "html" } ?? self.page.body)
        case "location": return self.host(.location)
        case "defaultView", "parentWindow": return self.host(.window)
        case "readyState": return .text(self.page.isLoaded ? "complete" : "loading")
        case "referrer", "cookie", "title": return .text("")
        case "URL", "documentURI", "baseURI": return .text(PageModel.address)
        case "hidden": return .boolean(false)
        case "visibilityState": return .text("visible")
        case "links", "forms", "images", "scripts": return .unknown("document.\(name)")
        case "currentScript": return self.element(self.page.parsed < self.page.elements.count ? self.page.parsed : nil)
        default:
            if ScriptRun.documentMethods.contains(name) { return self.make(.native(name, of: value)) }
            return .undefined
        }
    }

    private static let documentMethods: Set<String> = [
        "getElementById", "querySelector", "querySelectorAll", "getElementsByTagName", "getElementsByClassName",
        "getElementsByName", "createElement", "createElementNS", "createTextNode", "createDocumentFragment", "write",
        "writeln", "open", "close", "addEventListener", "removeEventListener", "attachEvent", "createEvent",
        "dispatchEvent", "execCommand", "hasFocus", "elementFromPoint",
    ]

    // MARK: MRAID

    mutating func callBridge(_ name: String, _ arguments: [ScriptValue]) throws(Stop) -> ScriptValue {
        switch name {
        case "open":
            self.open(arguments.first ?? .text(""))
            return .undefined
        case "addEventListener":
            guard let type = arguments.first.flatMap({ self.text($0) }), arguments.count > 1 else { return .undefined }
            self.bridgeListeners[type, default: []].append(arguments[1])
            return .undefined
        case "getState": return .text(self.page.isBridgeReady ? "default" : "loading")
        case "isViewable": return .boolean(self.page.isBridgeReady)
        case "getVersion": return .text("3.0")
        case "supports": return .unknown("mraid.supports")
        case "getPlacementType": return .unknown("mraid.getPlacementType")
        case "expand", "resize", "close", "unload", "playVideo", "storePicture", "createCalendarEvent":
            self.perform(.creative("mraid.\(name)"))
            return .undefined
        case _ where name.hasPrefix("get"): return .unknown("mraid.\(name)")
        default: return .undefined
        }
    }

    /// Tells the creative what a host tells it once it is shown (MRAID 3.0 §4.2).
    mutating func announceBridge() {
        guard self.page.hasBridge else { return }
        self.page.isBridgeReady = true
        for (type, value) in [
            ("ready", ScriptValue.undefined), ("stateChange", .text("default")), ("viewableChange", .boolean(true)),
            ("exposureChange", .number(100)),
        ] {
            for listener in self.bridgeListeners[type] ?? [] {
                self.guarded { run throws(Stop) in try run.call(listener, this: run.host(.mraid), [value]) }
            }
        }
    }
}

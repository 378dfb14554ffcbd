package import AdCore
import AdMarkup

/// The result of a click on a creative, computed from its markup and scripts without a browser.
///
/// The terminal stage, `yabbi-play inspect` and reports all use this value, so that they can't disagree.
package enum HTMLClick: Hashable, Sendable {
    /// A URL is opened; the value is the URL as the creative passes it.
    ///
    /// `ClickThroughResolution` decides whether it is a click-through URL.
    case opens(String)
    /// The creative handles the click itself; the value names the method it calls, such as `mraid.expand`.
    case creative(String)
    /// Nothing is opened; the value is the reason.
    case nothing(String)
    /// The result can't be known without a browser, for example because of an external script; the value is the reason.
    case unknown(String)
}

extension HTMLDocument {
    /// The result of a click on the first clickable element.
    ///
    /// It is the element that the scripted user presses in a browser: the first rendered link, button or element with
    /// `onclick`, else the first element with a listener for clicks. The scripts are interpreted within a limit of
    /// steps; what needs a browser is `unknown`.
    package func click() -> HTMLClick {
        ClickScan.click(self, hasMRAID: self.callsMRAID || self.loadsMRAID, depth: 0)
    }

    /// The URL that relative click-through URLs are resolved against: only the creative's `<base>` (HTML Living
    /// Standard, "the base element").
    ///
    /// On a stage and in an app a creative has no URL of its own, wherever it was loaded from.
    package var clickBase: HTTPURL? { self.declaredBase.flatMap { HTTPURL($0.text) } }
}

/// Finds the clickable element, and computes the result of a click on it.
struct ClickScan {
    private(set) var interpreter: ScriptInterpreter

    /// The depth of nested frames that are read.
    private static let maxFrameDepth = 3

    static func click(_ document: HTMLDocument, hasMRAID: Bool, depth: Int) -> HTMLClick {
        var scan = ClickScan(document, hasMRAID: hasMRAID)
        return scan?.click(depth) ?? .unknown("the markup can't be read")
    }

    init?(_ document: HTMLDocument, hasMRAID: Bool) {
        guard let outline = PageOutline.read(document.markup) else { return nil }
        self.interpreter = ScriptInterpreter(PageModel(outline, hasMRAID: hasMRAID))
    }

    mutating func click(_ depth: Int) -> HTMLClick {
        self.interpreter.load()
        let click = self.press(depth)
        // If the page may differ from the model, no result is certain.
        guard let reason = self.interpreter.pageUncertainty ?? self.interpreter.page.uncertaintyReason else {
            return click
        }
        if case .unknown = click { return click }
        return .unknown(reason)
    }

    private mutating func press(_ depth: Int) -> HTMLClick {
        self.interpreter.startPress()
        let all = self.interpreter.page.elements(within: nil)
        if let index = self.candidate(all) ?? self.listener(all) ?? self.candidate(all, includesCloseButtons: true)
            ?? self.listener(all, includesCloseButtons: true)
        {
            self.interpreter.press(self.innermost(index))
            return self.result()
        }
        if depth < ClickScan.maxFrameDepth, let frame = self.frame(all) {
            return ClickScan.click(frame, hasMRAID: false, depth: depth + 1)
        }
        self.interpreter.press(self.interpreter.page.body)
        return self.result()
    }

    // MARK: The clicked element

    /// The first element that looks clickable, chosen as the scripted user in a browser chooses it.
    private mutating func candidate(_ all: [Int], includesCloseButtons: Bool = false) -> Int? {
        for index in all where self.isCandidate(index) {
            guard includesCloseButtons || !self.isCloseButton(index) else { continue }
            if self.interpreter.page.isRendered(index), self.mayHaveSize(index) { return index }
        }
        return nil
    }

    private func isCandidate(_ index: Int) -> Bool {
        let element = self.interpreter.page.elements[index]
        switch element.name {
        case "a": if element.attributes["href"] != nil || element.attributes["xlink:href"] != nil { return true }
        case "button": return true
        default: break
        }
        return element.attributes["onclick"] != nil || element.attributes["data-dp"] != nil
            || element.attributes["type"]?.asciiLowercased == "submit"
    }

    /// The first element with a listener for a press, or the first area of an image map, which is not rendered.
    private mutating func listener(_ all: [Int], includesCloseButtons: Bool = false) -> Int? {
        let types = Set(ScriptInterpreter.tapEvents)
        var targets = Set<Int>()
        for (key, listeners) in self.interpreter.page.listeners where types.contains(key.type) && !listeners.isEmpty {
            targets.insert(key.target)
        }
        for (key, handler) in self.interpreter.page.handlers where types.contains(key.type) && !handler.isMissing {
            targets.insert(key.target)
        }
        for index in all where index != self.interpreter.page.body {
            let element = self.interpreter.page.elements[index]
            let isArea = element.name == "area" && element.attributes["href"] != nil
            let listens =
                targets.contains(index) || ScriptInterpreter.tapEvents.contains { element.attributes["on" + $0] != nil }
            guard isArea || listens else { continue }
            if isArea || self.interpreter.page.isRendered(index), includesCloseButtons || !self.isCloseButton(index) {
                return index
            }
        }
        return targets.contains { $0 < 0 || $0 == self.interpreter.page.body } ? self.interpreter.page.body : nil
    }

    /// The innermost element at the center of an element whose only content it is.
    private mutating func innermost(_ index: Int) -> Int {
        var at = index
        for _ in 0..<50 {
            let inside = self.interpreter.page.elements[at].children.filter {
                !self.interpreter.page.elements[$0].name.hasPrefix("#") && self.interpreter.page.isRendered($0)
            }
            guard inside.count == 1, self.interpreter.page.elements[at].text.trimmed.isEmpty else { return at }
            at = inside[0]
        }
        return at
    }

    /// Whether an element may have a size: an empty link has none, unless a style sets it.
    private func mayHaveSize(_ index: Int, _ depth: Int = 0) -> Bool {
        let element = self.interpreter.page.elements[index]
        if !element.text.trimmed.isEmpty { return true }
        switch element.name {
        case "img", "svg", "canvas", "video", "iframe", "input", "button", "object", "embed", "image", "picture",
            "rect", "circle", "ellipse",
            "path", "polygon", "line", "polyline", "use":
            return true
        default: break
        }
        if ["style", "class", "id"].contains(where: { element.attributes[$0] != nil }) { return true }
        return depth < 20 && element.children.contains { self.mayHaveSize($0, depth + 1) }
    }

    /// Whether an element looks like a close button.
    private func isCloseButton(_ index: Int) -> Bool {
        let element = self.interpreter.page.elements[index]
        if element.attributes["aria-label"]?.prefix(5).asciiLowercased == "close" { return true }
        return ["x", "X", "×", "✕"].contains(self.wholeText(index, 0).trimmed)
    }

    private func wholeText(_ index: Int, _ depth: Int) -> String {
        let element = self.interpreter.page.elements[index]
        var text = element.text
        for child in element.children where text.utf8.count < 40 && depth < 20 {
            text += self.wholeText(child, depth + 1)
        }
        return text
    }

    /// The document in the first frame whose markup is part of the creative.
    private mutating func frame(_ all: [Int]) -> HTMLDocument? {
        for index in all where self.interpreter.page.elements[index].name == "iframe" {
            guard self.interpreter.page.isRendered(index) else { continue }
            let attributes = self.interpreter.page.elements[index].attributes
            guard let markup = attributes["srcdoc"] ?? attributes["src"].flatMap(ClickScan.inline) else { continue }
            return try? HTMLDocument(parsing: markup)
        }
        return nil
    }

    /// The markup in a `data:text/html` URL (RFC 2397).
    private static func inline(_ address: String) -> String? {
        let address = address.trimmed
        guard address.prefix(14).asciiLowercased == "data:text/html", let comma = address.firstIndex(of: ",") else {
            return nil
        }
        let head = address[..<comma].asciiLowercased
        let body = PercentEncoding.decoded(address[address.index(after: comma)...])
        guard head.hasSuffix(";base64") else { return body }
        return Base64.bytes(body).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: The result

    private func result() -> HTMLClick {
        let opened = self.interpreter.pressResult.actions.filter {
            if case .creative = $0.action { false } else { $0.action != .opens("") }
        }
        if let performed = opened.first ?? self.interpreter.pressResult.actions.first {
            return self.result(of: performed)
        }
        return self.interpreter.pressResult.wasHandled ? self.handled() : self.unhandled()
    }

    private func result(of performed: ScriptInterpreter.PerformedAction) -> HTMLClick {
        switch performed.action {
        case .opens(let address) where performed.isCertain: return .opens(address)
        case .creative(let what) where performed.isCertain: return .creative(what)
        case .opensUnknown(let source):
            return .unknown("the address comes from \(source.excerpt(80)), which is known only when the script runs")
        case .opens(let address):
            return .unknown("the script opens \"\(Redaction.address(address.excerpt(120)))\" only under a condition")
        case .creative(let what): return .unknown("the script calls \(what) only under a condition")
        }
    }

    private func handled() -> HTMLClick {
        if let call = self.interpreter.pressResult.unknownCall {
            return .unknown(
                "the click handler calls \(call.excerpt(80)), which \(self.decidingHost ?? "the browser") decides"
            )
        }
        if let incomplete = self.interpreter.incompleteScript { return .unknown(incomplete) }
        if let error = self.interpreter.pressResult.error {
            return .nothing("the click handler fails: \(error.excerpt(160))")
        }
        if self.interpreter.pressResult.hasChanged { return .creative("its own handler changed what it shows") }
        if self.interpreter.pressResult.isCancelled { return .creative("its own handler took the tap") }
        if let inPageAddress = self.interpreter.pressResult.inPageAddress { return .opens(inPageAddress) }
        return .nothing("the click handler opens no address")
    }

    private func unhandled() -> HTMLClick {
        if self.interpreter.pressResult.inPageAddress == nil, let decidingHost {
            return .unknown("what can be clicked is decided by \(decidingHost)")
        }
        if let incomplete = self.interpreter.incompleteScript { return .unknown(incomplete) }
        if let error = self.interpreter.pressResult.error { return .nothing("the click fails: \(error.excerpt(160))") }
        if self.interpreter.pressResult.hasChanged { return .creative("its own code changed what it shows") }
        if let inPageAddress = self.interpreter.pressResult.inPageAddress { return .opens(inPageAddress) }
        return .nothing("it has neither a link nor a click handler")
    }

    /// The host of a script or frame that may decide the result.
    private var decidingHost: String? {
        if let host = self.interpreter.page.unreadScripts.first { return "a script from \(host)" }
        let frame = self.interpreter.page.elements.first { $0.name == "iframe" && $0.attributes["src"] != nil }
        guard let address = frame?.attributes["src"] else { return nil }
        return "a frame from \(HTTPURL(address)?.host ?? address.excerpt(60))"
    }
}

package import AdCore
import AdMarkup

/// What a press on a creative does, read from its markup and scripts without a browser.
///
/// The stage of the terminal, `inspect` and the linter ask this one value, so that they can't disagree.
package enum HTMLClick: Hashable, Sendable {
    /// An address is opened; the text is the address as the creative gives it.
    ///
    /// Whether it has a landing page is decided by `ClickThroughVerdict`.
    case opens(String)
    /// The creative handles the press; the text names what it calls, as in `mraid.expand`.
    case creative(String)
    /// Nothing is opened; the text says why.
    case nothing(String)
    /// It is decided by what can't be known from the markup, as a script at another address; the text says by what.
    case unknown(String)
}

extension HTMLDocument {
    /// What a press on the first thing does that can be clicked.
    ///
    /// It is the element that a scripted user presses in a browser, too: the first link, button or element with
    /// `onclick` that is rendered, else the first on which a script listens for a press. Reading it follows the scripts,
    /// bounded in steps; where a browser is needed to know, it says `unknown`.
    package func click() -> HTMLClick {
        ClickScan.click(self, hasMRAID: self.callsMRAID || self.loadsMRAID, depth: 0)
    }

    /// What relative addresses of a click are resolved against: the creative's own `<base>` (HTML §4.2.3), and nothing else,
    /// because on a stage and in an app it has no address of its own, wherever it was fetched from.
    package var clickBase: HTTPURL? { self.declaredBase.flatMap { HTTPURL($0.text) } }
}

/// Finds what a press does.
struct ClickScan {
    private(set) var interpreter: ScriptInterpreter

    /// Frames within frames within frames are not read.
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
        // Where the page may be another one, what is told of it holds for no other.
        guard let reason = self.interpreter.pageUncertainty ?? self.interpreter.page.cut else { return click }
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
            return self.verdict()
        }
        if depth < ClickScan.maxFrameDepth, let frame = self.frame(all) {
            return ClickScan.click(frame, hasMRAID: false, depth: depth + 1)
        }
        self.interpreter.press(self.interpreter.page.body)
        return self.verdict()
    }

    // MARK: What is pressed

    /// The first element that looks as if it led somewhere, as the browser's scripted user finds it.
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

    /// The first element on which something listens for a press, or an area of an image, which has no box of its own.
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

    /// What a press in the middle of an element meets, where one element fills it.
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

    /// Whether an element may take up room: an empty link takes none, unless a style gives it some.
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

    /// Whether it looks like a button that closes the ad.
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

    /// The page in the first frame whose markup is in the creative.
    private mutating func frame(_ all: [Int]) -> HTMLDocument? {
        for index in all where self.interpreter.page.elements[index].name == "iframe" {
            guard self.interpreter.page.isRendered(index) else { continue }
            let attributes = self.interpreter.page.elements[index].attributes
            guard let markup = attributes["srcdoc"] ?? attributes["src"].flatMap(ClickScan.inline) else { continue }
            return try? HTMLDocument(parsing: markup)
        }
        return nil
    }

    /// The markup in a `data:text/html` address (RFC 2397).
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

    // MARK: What comes of it

    private func verdict() -> HTMLClick {
        let opened = self.interpreter.pressResult.actions.filter {
            if case .creative = $0.action { false } else { $0.action != .opens("") }
        }
        if let performed = opened.first ?? self.interpreter.pressResult.actions.first { return self.verdict(performed) }
        return self.interpreter.pressResult.wasHandled ? self.handled() : self.unhandled()
    }

    private func verdict(_ performed: ScriptInterpreter.PerformedAction) -> HTMLClick {
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
        if let fault = self.interpreter.pressResult.fault {
            return .nothing("the click handler fails: \(fault.excerpt(160))")
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
        if let fault = self.interpreter.pressResult.fault { return .nothing("the click fails: \(fault.excerpt(160))") }
        if self.interpreter.pressResult.hasChanged { return .creative("its own code changed what it shows") }
        if let inPageAddress = self.interpreter.pressResult.inPageAddress { return .opens(inPageAddress) }
        return .nothing("it has neither a link nor a click handler")
    }

    /// The scripts or frames of other hosts that may decide it.
    private var decidingHost: String? {
        if let host = self.interpreter.page.unreadScripts.first { return "a script from \(host)" }
        let frame = self.interpreter.page.elements.first { $0.name == "iframe" && $0.attributes["src"] != nil }
        guard let address = frame?.attributes["src"] else { return nil }
        return "a frame from \(HTTPURL(address)?.host ?? address.excerpt(60))"
    }
}

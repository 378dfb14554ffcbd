import AdCore
import AdMarkup

/// The page of a creative while its scripts run: its elements, and their handlers and listeners.
struct PageModel {
    /// The target of an event: the index of an element, or `document` or `window`.
    typealias Target = Int
    static let document = -1
    static let window = -2

    struct Handler: Hashable {
        let target: Target
        let type: String
    }

    /// A listener, as `addEventListener` adds it (DOM §2.7).
    struct Listener {
        let callee: ScriptValue
        let isCapture: Bool
        let isPassive: Bool
        let isOnce: Bool
        /// Whether it was added or removed under an unknown condition.
        var isUncertain: Bool
    }

    /// The URL from which a stage loads a creative, and which scripts read as `location`.
    static let url = "https://ad.\(ClickThroughResolution.placeholderDomain)/"

    var elements: [PageElement]
    /// The index of `body`.
    private(set) var body: Int
    /// The index of `head` and of `html`; nil if the markup does not have them.
    let head: Int?
    let html: Int?
    /// The handlers that scripts have set, such as `onclick`.
    var handlers: [Handler: ScriptValue] = [:]
    var listeners: [Handler: [Listener]] = [:]
    /// The index of the element that is being parsed: later elements of the markup do not exist yet.
    var parsedUpTo = 0
    /// The number of elements of the markup; scripts have created the later ones.
    private(set) var markupCount: Int
    /// The hosts of external scripts, which are not loaded.
    private(set) var unreadScripts: [String] = []
    var isLoaded = false
    /// Whether the app has sent MRAID's `ready` event.
    var isMRAIDReady = false
    /// Whether the creative uses MRAID, so the app provides it.
    let hasMRAID: Bool
    /// The elements without a parent.
    private let roots: [Int]
    private var ids: [String: [Int]] = [:]
    private var style = PageStyle()
    /// The known results of `isRendered(_:)`.
    private var rendered: [Int: Bool] = [:]
    /// Limits the time for matching elements with style sheets.
    private var styleMeter = StepMeter(limit: 1_000_000)
    /// Why the page may differ from the model; nil if it does not.
    private(set) var uncertaintyReason: String?

    /// The number of elements that scripts may create.
    private static let maxCreated = 2_000
    /// The number of elements that are registered for one id; scripts get the first.
    private static let maxPerID = 4

    var hasUnreadScripts: Bool { !self.unreadScripts.isEmpty }

    init(_ outline: PageOutline, hasMRAID: Bool) {
        var elements = outline.elements
        self.hasMRAID = hasMRAID
        self.uncertaintyReason = outline.isCut ? "the creative has too many elements" : nil
        self.markupCount = elements.count
        self.head = elements.firstIndex { $0.name == "head" }
        self.html = elements.firstIndex { $0.name == "html" }
        var roots = elements.indices.filter { elements[$0].parent == nil }
        if let body = elements.firstIndex(where: { $0.name == "body" }) {
            self.body = body
        } else {
            // A stage puts a fragment into the body of its page, before any script runs.
            let body = elements.count
            let children = roots.filter { !["html", "head"].contains(elements[$0].name) }
            for child in children { elements[child].parent = body }
            elements.append(
                PageElement(name: "body", attributes: [:], children: children, isHidden: false, isInert: false)
            )
            roots = roots.filter { elements[$0].parent == nil } + [body]
            self.body = body
        }
        self.elements = elements
        self.roots = roots
        for element in self.elements where element.name == "style" && !element.isInert {
            self.style.read(element.content ?? [])
        }
        for index in self.elements.indices {
            if let id = self.elements[index].attributes["id"] { self.register(id: id, of: index) }
        }
    }

    /// Whether an element exists while the markup is parsed up to `parsedUpTo`.
    func isParsed(_ index: Int) -> Bool { index <= self.parsedUpTo || index >= self.markupCount }

    mutating func addUnread(script address: String) {
        guard self.unreadScripts.count < 20 else { return }
        let whole = HTTPURL(address.hasPrefix("//") ? "https:" + address : address)
        self.unreadScripts.append(whole?.host ?? address.excerpt(60))
    }

    /// Whether listeners for an event are passive by default, so they can't cancel it (DOM §2.7, "default passive
    /// value").
    func isPassive(_ type: String, at target: Target) -> Bool {
        guard ["touchstart", "touchmove", "wheel", "mousewheel"].contains(type) else { return false }
        return target == PageModel.window || target == PageModel.document || target == self.body || target == self.html
    }

    // MARK: Elements

    mutating func createElement(_ name: String) -> Int? {
        guard self.elements.count - self.markupCount < PageModel.maxCreated else { return nil }
        self.elements.append(PageElement(name: name, attributes: [:], isHidden: false, isInert: false))
        return self.elements.count - 1
    }

    /// Inserts an element into another, before a child or at the end; false if it would contain itself.
    mutating func insert(
        _ child: Int,
        into parent: Int,
        before next: Int?,
        _ meter: inout StepMeter
    ) throws(ScriptInterpreter.Stop) -> Bool {
        if child == next { return true }
        var at: Int? = parent
        while let index = at {
            // A cycle would make every search endless.
            if index == child { return false }
            try meter.charge()
            at = self.elements[index].parent
        }
        try self.remove(child, &meter)
        let siblings = self.elements[parent].children
        try meter.charge(siblings.count / 16)
        self.elements[child].parent = parent
        self.elements[parent].children.insert(
            child,
            at: next.flatMap { siblings.firstIndex(of: $0) } ?? siblings.count
        )
        return true
    }

    mutating func removeChildren(of index: Int, _ meter: inout StepMeter) throws(ScriptInterpreter.Stop) {
        try meter.charge(self.elements[index].children.count / 16)
        for child in self.elements[index].children { self.elements[child].parent = nil }
        self.elements[index].children = []
        self.elements[index].text = ""
    }

    mutating func remove(_ index: Int, _ meter: inout StepMeter) throws(ScriptInterpreter.Stop) {
        guard let parent = self.elements[index].parent else { return }
        try meter.charge(self.elements[parent].children.count / 16)
        self.elements[parent].children.removeAll { $0 == index }
        self.elements[index].parent = nil
    }

    /// Inserts the elements of further markup into an element; nil if that exceeds the limit.
    mutating func insert(
        _ outline: PageOutline,
        into parent: Int,
        before next: Int?,
        _ meter: inout StepMeter
    ) throws(ScriptInterpreter.Stop) -> Range<Int>? {
        let start = self.elements.count
        guard start + outline.elements.count - self.markupCount <= PageModel.maxCreated else { return nil }
        try meter.charge(outline.elements.count + self.elements[parent].children.count / 16)
        var roots: [Int] = []
        for var element in outline.elements {
            if element.parent == nil { roots.append(self.elements.count) }
            element.children = element.children.map { $0 + start }
            element.parent = element.parent.map { $0 + start } ?? parent
            self.elements.append(element)
        }
        let place = next.flatMap { self.elements[parent].children.firstIndex(of: $0) }
        self.elements[parent].children.insert(contentsOf: roots, at: place ?? self.elements[parent].children.count)
        for index in start..<self.elements.count {
            if let id = self.elements[index].attributes["id"] { self.register(id: id, of: index) }
        }
        return start..<self.elements.count
    }

    /// The ancestors of an element, the innermost first.
    func ancestors(of index: Int) -> [Int] {
        var ancestors: [Int] = []
        var at = self.elements[index].parent
        while let parent = at, ancestors.count < 300 {
            ancestors.append(parent)
            at = self.elements[parent].parent
        }
        return ancestors
    }

    /// The descendants of an element, or all elements of the page, in the order of the document.
    func elements(within root: Int?) -> [Int] {
        var all: [Int] = []
        var stack: [Int] = root.map { self.elements[$0].children.reversed() } ?? self.roots.reversed()
        while let index = stack.popLast() {
            all.append(index)
            stack += self.elements[index].children.reversed()
        }
        return all
    }

    func all(
        _ selector: PageSelector,
        within root: Int?,
        limit: Int,
        _ meter: inout StepMeter
    ) throws(ScriptInterpreter.Stop) -> [Int] {
        var found: [Int] = []
        var stack: [Int] = root.map { self.elements[$0].children.reversed() } ?? self.roots.reversed()
        while let index = stack.popLast() {
            guard self.isParsed(index) else { continue }
            if try selector.selects(index, in: self.elements, &meter) {
                found.append(index)
                if found.count == limit { break }
            }
            stack += self.elements[index].children.reversed()
        }
        return found
    }

    func element(withID id: String, _ meter: inout StepMeter) throws(ScriptInterpreter.Stop) -> Int? {
        try meter.charge(id.utf8.count / StepMeter.bytes)
        for index in self.ids[id] ?? [] where self.elements[index].attributes["id"] == id && self.isParsed(index) {
            var root = index
            var steps = 0
            while let parent = self.elements[root].parent {
                root = parent
                steps += 1
            }
            try meter.charge(steps / 4)
            // Created elements that were not inserted are not part of the page.
            if self.roots.contains(root) { return index }
        }
        return nil
    }

    /// Records that an element has an id.
    mutating func register(id: String, of index: Int) {
        var known = self.ids[id] ?? []
        known.removeAll { $0 == index || self.elements[$0].attributes["id"] != id }
        if known.count < PageModel.maxPerID { known.append(index) }
        self.ids[id] = known
    }

    // MARK: Rendering

    /// Whether an element is rendered; to be called after the scripts that run while the page loads.
    mutating func isRendered(_ index: Int) -> Bool {
        var path: [Int] = []
        var at: Int? = index
        var isRendered = true
        while let place = at {
            if let known = self.rendered[place] {
                isRendered = known
                break
            }
            path.append(place)
            at = self.elements[place].parent
        }
        for place in path.reversed() {
            isRendered = isRendered && !self.isHidden(place)
            self.rendered[place] = isRendered
        }
        return isRendered
    }

    /// Whether an element is hidden by itself, not by an ancestor.
    private mutating func isHidden(_ index: Int) -> Bool {
        let element = self.elements[index]
        if element.isInert || element.name == "head" || element.name == "template" { return true }
        let style = element.attributes["style"] ?? ""
        do throws(ScriptInterpreter.Stop) {
            try self.styleMeter.charge(style.utf8.count / 8)
            if let own = PageStyle.hides(style) { return own }
            if element.attributes["hidden"] != nil { return true }
            return try self.style.hides(index, in: self.elements, &self.styleMeter)
        } catch {
            self.uncertaintyReason = "the style sheets exceed the step limit"
            return false
        }
    }
}

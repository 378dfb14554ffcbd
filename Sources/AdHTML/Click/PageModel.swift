import AdCore
import AdMarkup

/// The elements of a creative while its scripts are followed, and what listens to presses on them.
struct PageModel {
    /// What may be listened on: the index of an element, or one of these.
    typealias Target = Int
    static let document = -1
    static let window = -2

    struct Handler: Hashable {
        let target: Target
        let type: String
    }

    /// What `addEventListener` was given (DOM §2.7).
    struct Listener {
        let callee: ScriptValue
        let isCapture: Bool
        let isPassive: Bool
        let isOnce: Bool
        /// It was added, or taken away, under a condition that can't be known.
        var isUncertain: Bool
    }

    /// Where a stage loads a creative from; what scripts read of their own address is this.
    static let address = "https://ad.\(ClickThroughVerdict.placeholderDomain)/"

    var elements: [PageElement]
    /// The index of `body`.
    private(set) var body: Int
    /// The indices of `head` and `html`, where the markup has them.
    let head: Int?
    let html: Int?
    /// `onclick` and the like, as scripts have set them.
    var handlers: [Handler: ScriptValue] = [:]
    var listeners: [Handler: [Listener]] = [:]
    /// Elements of the markup from this index on are not there yet, because a script before them runs.
    var parsed = 0
    /// How many elements the markup has; those behind were made by scripts.
    private(set) var written: Int
    /// The hosts of scripts that are not read, because they stand at another address.
    private(set) var unreadScripts: [String] = []
    var isLoaded = false
    /// Whether the host has said that MRAID is ready.
    var isMRAIDReady = false
    /// Whether the host's MRAID object is there.
    let hasMRAID: Bool
    /// The elements that stand in nothing.
    private let roots: [Int]
    private var ids: [String: [Int]] = [:]
    private var style = PageStyle()
    /// For each element of which it was asked whether it is rendered.
    private var rendered: [Int: Bool] = [:]
    /// Bounds the work of holding elements against style sheets.
    private var styleMeter = StepMeter(limit: 1_000_000)
    /// Why the page may have other elements, or hide others, than is known here.
    private(set) var cut: String?

    /// How many elements scripts may make.
    private static let maxCreated = 2_000
    /// How many elements of one id are known; scripts get the first.
    private static let maxPerID = 4

    var hasUnreadScripts: Bool { !self.unreadScripts.isEmpty }

    init(_ outline: PageOutline, hasMRAID: Bool) {
        var elements = outline.elements
        self.hasMRAID = hasMRAID
        self.cut = outline.isCut ? "the creative has more elements than are read here" : nil
        self.written = elements.count
        self.head = elements.firstIndex { $0.name == "head" }
        self.html = elements.firstIndex { $0.name == "html" }
        var roots = elements.indices.filter { elements[$0].parent == nil }
        if let body = elements.firstIndex(where: { $0.name == "body" }) {
            self.body = body
        } else {
            // A fragment is put into the body of a stage's page, before anything of it runs.
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

    /// Whether an element is in the page while the markup is read up to `parsed`.
    func isParsed(_ index: Int) -> Bool { index <= self.parsed || index >= self.written }

    mutating func addUnread(script address: String) {
        guard self.unreadScripts.count < 20 else { return }
        let whole = HTTPURL(address.hasPrefix("//") ? "https:" + address : address)
        self.unreadScripts.append(whole?.host ?? address.excerpt(60))
    }

    /// Whether touches of this type can't be cancelled where they are listened to, unless a listener says so (DOM §2.7,
    /// "default passive value").
    func isPassive(_ type: String, at target: Target) -> Bool {
        guard ["touchstart", "touchmove", "wheel", "mousewheel"].contains(type) else { return false }
        return target == PageModel.window || target == PageModel.document || target == self.body || target == self.html
    }

    // MARK: Elements

    mutating func createElement(_ name: String) -> Int? {
        guard self.elements.count - self.written < PageModel.maxCreated else { return nil }
        self.elements.append(PageElement(name: name, attributes: [:], isHidden: false, isInert: false))
        return self.elements.count - 1
    }

    /// Puts an element into another, before one of its children or at the end; false where it would stand in itself.
    mutating func insert(
        _ child: Int,
        into parent: Int,
        before next: Int?,
        _ meter: inout StepMeter
    ) throws(ScriptInterpreter.Stop) -> Bool {
        if child == next { return true }
        var at: Int? = parent
        while let index = at {
            // An element within itself would make a walk without an end.
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

    /// Puts the elements of more markup into an element; nil if scripts make more than is followed here.
    mutating func insert(
        _ outline: PageOutline,
        into parent: Int,
        before next: Int?,
        _ meter: inout StepMeter
    ) throws(ScriptInterpreter.Stop) -> Range<Int>? {
        let start = self.elements.count
        guard start + outline.elements.count - self.written <= PageModel.maxCreated else { return nil }
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

    /// The elements around one, from the inside out.
    func ancestors(of index: Int) -> [Int] {
        var above: [Int] = []
        var at = self.elements[index].parent
        while let parent = at, above.count < 300 {
            above.append(parent)
            at = self.elements[parent].parent
        }
        return above
    }

    /// The elements within one, or of the whole page, in the order of the document.
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
            var hops = 0
            while let parent = self.elements[root].parent {
                root = parent
                hops += 1
            }
            try meter.charge(hops / 4)
            // What was only made is not in the page.
            if self.roots.contains(root) { return index }
        }
        return nil
    }

    /// An element has got an id.
    mutating func register(id: String, of index: Int) {
        var known = self.ids[id] ?? []
        known.removeAll { $0 == index || self.elements[$0].attributes["id"] != id }
        if known.count < PageModel.maxPerID { known.append(index) }
        self.ids[id] = known
    }

    // MARK: What is rendered

    /// Whether an element is rendered; asked once the scripts that run while the page loads have run.
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

    /// Whether an element itself is hidden, whatever is around it.
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
            self.cut = "the style sheets take longer than is followed here"
            return false
        }
    }
}

import AdCore

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

    /// Where a stage loads a creative from; what scripts read of their own address is this.
    static let address = "https://ad.\(ClickThroughVerdict.placeholderDomain)/"

    var elements: [PageElement]
    /// The index of `body`.
    private(set) var body: Int
    /// `onclick` and the like, as scripts have set them.
    var handlers: [Handler: ScriptValue] = [:]
    var listeners: [Handler: [ScriptValue]] = [:]
    /// Listeners that were added under a condition that can't be known.
    var doubtfulListeners: Set<Handler> = []
    /// Elements of the markup from this index on are not there yet, because a script before them runs.
    var parsed = 0
    /// How many elements the markup has; those behind were made by scripts.
    private(set) var written: Int
    /// The hosts of scripts that are not read, because they stand at another address.
    private(set) var unreadScripts: [String] = []
    var isLoaded = false
    /// Whether the host has said that MRAID is ready.
    var isBridgeReady = false
    /// Whether the host's MRAID object is there.
    let hasBridge: Bool
    private var ids: [String: [Int]] = [:]
    private var style = PageStyle()
    private var hidden: [Int: Bool] = [:]
    private var looks = 0

    /// How many elements scripts may make.
    private static let mostMade = 2_000
    /// How often an element may be held against the style sheets.
    private static let mostLooks = 20_000

    var hasUnreadScripts: Bool { !self.unreadScripts.isEmpty }

    init(_ outline: PageOutline, hasBridge: Bool) {
        self.elements = outline.elements
        self.hasBridge = hasBridge
        self.written = self.elements.count
        if let body = self.elements.firstIndex(where: { $0.name == "body" }) {
            self.body = body
        } else {
            // A fragment is put into the body of a stage's page, before anything of it runs.
            self.body = self.elements.count
            let roots = self.elements.indices.filter {
                self.elements[$0].parent == nil && !["html", "head"].contains(self.elements[$0].name)
            }
            for root in roots { self.elements[root].parent = self.body }
            self.elements.append(
                PageElement(name: "body", attributes: [:], children: roots, isHidden: false, isInert: false)
            )
        }
        for element in self.elements where element.name == "style" && !element.isInert {
            self.style.read(element.content ?? [])
        }
        for index in self.elements.indices {
            // Of ten thousand elements with one id scripts get the first.
            if let id = self.elements[index].attributes["id"], self.ids[id, default: []].count < 4 {
                self.ids[id, default: []].append(index)
            }
        }
    }

    /// Whether an element is in the page while the markup is read up to `parsed`.
    func isThere(_ index: Int) -> Bool { index <= self.parsed || index >= self.written }

    mutating func note(script address: String) {
        guard self.unreadScripts.count < 20 else { return }
        let whole = HTTPURL(address.hasPrefix("//") ? "https:" + address : address)
        self.unreadScripts.append(whole?.host ?? address.excerpt(60))
    }

    // MARK: Elements

    mutating func make(_ name: String) -> Int? {
        guard self.elements.count - self.written < PageModel.mostMade else { return nil }
        self.elements.append(PageElement(name: name, attributes: [:], isHidden: false, isInert: false))
        return self.elements.count - 1
    }

    mutating func append(_ child: Int, to parent: Int) {
        // An element within itself would make a walk without an end.
        guard child != parent, !self.above(parent).contains(child) else { return }
        if let old = self.elements[child].parent { self.elements[old].children.removeAll { $0 == child } }
        self.elements[child].parent = parent
        self.elements[parent].children.append(child)
    }

    mutating func removeChildren(of index: Int) {
        for child in self.elements[index].children { self.elements[child].parent = nil }
        self.elements[index].children = []
    }

    mutating func remove(_ index: Int) {
        guard let parent = self.elements[index].parent else { return }
        self.elements[parent].children.removeAll { $0 == index }
        self.elements[index].parent = nil
    }

    /// Puts the elements of more markup into an element.
    mutating func insert(_ outline: PageOutline, into parent: Int) -> Range<Int> {
        let start = self.elements.count
        guard start + outline.elements.count - self.written <= PageModel.mostMade else { return start..<start }
        for var element in outline.elements {
            element.children = element.children.map { $0 + start }
            element.parent = element.parent.map { $0 + start } ?? parent
            self.elements.append(element)
        }
        for index in start..<self.elements.count {
            if self.elements[index].parent == parent { self.elements[parent].children.append(index) }
            if let id = self.elements[index].attributes["id"] { self.note(id: id, of: index) }
        }
        return start..<self.elements.count
    }

    /// The elements around one, from the inside out.
    func above(_ index: Int) -> [Int] {
        var above: [Int] = []
        var at = self.elements[index].parent
        while let parent = at, above.count < 300 {
            above.append(parent)
            at = self.elements[parent].parent
        }
        return above
    }

    func first(_ selector: PageSelector) -> Int? { self.all(selector, most: 1).first }

    func all(_ selector: PageSelector, most: Int = 500) -> [Int] {
        var found: [Int] = []
        for index in self.elements.indices where self.isThere(index) && self.isAttached(index) {
            guard selector.selects(self.elements[index], above: self.above(index).map { self.elements[$0] }) else {
                continue
            }
            found.append(index)
            if found.count == most { break }
        }
        return found
    }

    func element(withID id: String) -> Int? {
        self.ids[id]?.first { self.elements[$0].attributes["id"] == id && self.isThere($0) && self.isAttached($0) }
    }

    /// An element has got an id.
    mutating func note(id: String, of index: Int) {
        if self.ids[id]?.contains(index) != true { self.ids[id, default: []].append(index) }
    }

    /// Whether an element is in the page, and not only made.
    private func isAttached(_ index: Int) -> Bool {
        if index < self.written, self.elements[index].parent == nil { return true }
        let root = self.above(index).last ?? index
        return root < self.written || self.elements[root].name == "body"
    }

    // MARK: What is rendered

    /// Whether an element itself is rendered, whatever is around it.
    private mutating func isHiddenAlone(_ index: Int) -> Bool {
        if let known = self.hidden[index] { return known }
        let element = self.elements[index]
        var isHidden = element.isInert
        if let own = element.attributes["style"].flatMap({ PageStyle.hides($0) }) {
            isHidden = isHidden || own
        } else if element.attributes["hidden"] != nil || element.name == "head" || element.name == "template" {
            isHidden = true
        } else if !self.style.isEmpty, self.looks < PageModel.mostLooks {
            self.looks += 1
            let above = self.above(index).map { self.elements[$0] }
            isHidden = isHidden || self.style.hides(element, above: above) == true
        }
        self.hidden[index] = isHidden
        return isHidden
    }

    mutating func isRendered(_ index: Int) -> Bool {
        if self.isHiddenAlone(index) { return false }
        for parent in self.above(index) where self.isHiddenAlone(parent) { return false }
        return true
    }

    /// A script has changed how elements look.
    mutating func forgetLooks() { self.hidden = [:] }
}

import AdCore

/// The pages of a session: those that are offered or shown, and what waits to become one.
struct SmarticoPageRegistry: Sendable {
    /// What a page is.
    enum Kind: Hashable, Sendable {
        /// A popup, and what its page is told.
        case popup(message: String)
        /// The gamification widget.
        case widget
        /// A mini-game.
        case game
    }

    /// A page that was offered.
    struct Page: Hashable, Sendable {
        let kind: Kind
        /// Whether it has said that it is loaded, and that it can be seen.
        var isLoaded = false
        var isReady = false
        var isShown = false
    }

    /// Something that becomes a page as soon as its address is known.
    enum Wish: Hashable, Sendable {
        case popup(SmarticoEngagement)
        case game(template: String, uuid: String?)
        case widget(deepLink: String?)

        /// By what it is known again; nil where it has no name.
        var name: String? {
            switch self {
            case .popup(let engagement): engagement.uid.map { "popup/\($0)" }
            case .game(_, let uuid): uuid.map { "game/\($0)" }
            case .widget: nil
            }
        }
    }

    /// How many may be offered and not shown yet, or wait for an address.
    static let mostUnshown = 8

    /// Where pages are; nil as long as the server has not said it.
    var addresses: SmarticoPages?
    private(set) var open: [PageID: Page] = [:]
    private var wishes: [Wish] = []
    private var last = 0
    /// What became a page, by its name.
    private var seen = BoundedMap<String, Void>(most: 1_000)

    /// Whether something of this name neither became a page before nor waits to become one.
    ///
    /// What was dropped may come again.
    func isNew(_ wish: Wish, for user: String) -> Bool {
        guard let name = wish.name else { return true }
        return !self.seen.contains("\(user)/\(name)") && !self.wishes.contains { $0.name == name }
    }

    /// Keeps a wish; false where too many wait.
    mutating func wait(for wish: Wish) -> Bool {
        // Of several wishes to open the widget the last one counts.
        if case .widget = wish {
            self.wishes.removeAll { if case .widget = $0 { true } else { false } }
        }
        guard self.wishes.count < SmarticoPageRegistry.mostUnshown else { return false }
        self.wishes.append(wish)
        return true
    }

    /// What waits, in order.
    mutating func takeWishes() -> [Wish] {
        defer { self.wishes = [] }
        return self.wishes
    }

    /// Whether another page may be offered.
    var hasRoom: Bool { self.open.values.count { !$0.isShown } < SmarticoPageRegistry.mostUnshown }

    /// A page of its own for a wish, which is never fulfilled again.
    mutating func add(_ kind: Kind, for wish: Wish, of user: String) -> PageID {
        if let name = wish.name { self.seen.remember("\(user)/\(name)") }
        self.last += 1
        let id = PageID(self.last)
        self.open[id] = Page(kind: kind)
        return id
    }

    /// A page as it is; nil where it is over.
    subscript(id: PageID) -> Page? {
        get { self.open[id] }
        set { self.open[id] = newValue }
    }

    /// The widget that is offered or shown.
    var widget: PageID? { self.open.first { $0.value.kind == .widget }?.key }

    /// Forgets everything that belongs to a user; returns the pages that are still there.
    mutating func forget() -> [PageID] {
        let pages = self.open.keys.sorted { $0.number < $1.number }
        self.open = [:]
        self.wishes = []
        self.addresses = nil
        return pages
    }
}

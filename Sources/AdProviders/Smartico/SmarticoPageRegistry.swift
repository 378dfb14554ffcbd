import AdCore

/// The pages of a session: those that are offered or shown, and the requests that wait to become one.
struct SmarticoPageRegistry: Sendable {
    /// The kind of a page.
    enum Kind: Hashable, Sendable {
        /// A popup with the message for its page.
        case popup(message: String)
        /// The gamification widget.
        case widget
        /// A mini-game.
        case game
    }

    /// A page that was offered to the app.
    struct Page: Hashable, Sendable {
        let kind: Kind
        /// Whether the page reported that it is loaded, and that it is ready to be shown.
        var isLoaded = false
        var isReady = false
        var isShown = false
    }

    /// A request for a page; it is offered once the page's URL is known.
    enum Request: Hashable, Sendable {
        case popup(SmarticoEngagement)
        case game(template: String, uuid: String?)
        case widget(deepLink: String?)

        /// The key that duplicates share; nil if there is none.
        var key: String? {
            switch self {
            case .popup(let engagement): engagement.uid.map { "popup/\($0)" }
            case .game(_, let uuid): uuid.map { "game/\($0)" }
            case .widget: nil
            }
        }
    }

    /// The most pages that are offered and not shown yet, and the most requests that wait.
    static let maximumUnshown = 8

    /// The URLs of the pages; nil until the server has sent them.
    var addresses: SmarticoPages?
    private(set) var open: [PageID: Page] = [:]
    private var requests: [Request] = []
    private var lastID = 0
    /// The keys of requests that became a page.
    private var openedKeys = BoundedMap<String, Void>(limit: 1_000)

    /// Whether no request with this key became a page before or waits to become one.
    ///
    /// A request that was dropped may come again.
    func isNew(_ request: Request, for user: String) -> Bool {
        guard let key = request.key else { return true }
        return !self.openedKeys.contains("\(user)/\(key)") && !self.requests.contains { $0.key == key }
    }

    /// Appends a waiting request; returns false when too many wait.
    mutating func enqueue(_ request: Request) -> Bool {
        // A newer request for the widget replaces an older one.
        if case .widget = request {
            self.requests.removeAll { if case .widget = $0 { true } else { false } }
        }
        guard self.requests.count < SmarticoPageRegistry.maximumUnshown else { return false }
        self.requests.append(request)
        return true
    }

    /// Removes all waiting requests, and returns them in order.
    mutating func drainRequests() -> [Request] {
        defer { self.requests = [] }
        return self.requests
    }

    /// Whether another page can be offered.
    var hasRoom: Bool { self.open.values.count { !$0.isShown } < SmarticoPageRegistry.maximumUnshown }

    /// Adds a page for a request, whose key can't become a page again.
    mutating func add(_ kind: Kind, for request: Request, of user: String) -> PageID {
        if let key = request.key { self.openedKeys.insert("\(user)/\(key)") }
        self.lastID += 1
        let id = PageID(self.lastID)
        self.open[id] = Page(kind: kind)
        return id
    }

    /// A page; nil when it is closed.
    subscript(id: PageID) -> Page? {
        get { self.open[id] }
        set { self.open[id] = newValue }
    }

    /// The widget's page, if it is offered or shown.
    var widget: PageID? { self.open.first { $0.value.kind == .widget }?.key }

    /// Removes everything that belongs to a user; returns the pages that were open.
    mutating func removeAll() -> [PageID] {
        let pages = self.open.keys.sorted { $0.number < $1.number }
        self.open = [:]
        self.requests = []
        self.addresses = nil
        return pages
    }
}

import WebStage

/// The frames of a page, each of which is a target of the stage of its own.
///
/// WKWebView has one process for all of them, and names none of them. The main frame has a fixed name. A frame of the
/// host page gets its name when its document is requested, and is found again by that document's URL. A frame inside of
/// these gets a name with its document, and is another one with the next.
struct PageFrames: Hashable, Sendable {
    struct Frame: Hashable, Sendable {
        let id: String
        let target: EngineTarget
        /// The URL of its document, or of the one that it is about to get, for WKWebView.
        var url: String
        /// The request for its document; nil for one that has none, as `about:` and `blob:`.
        var load: String?
        /// The place of its document; nil before it has one.
        var place: DocumentPlace?
        /// What the stage has added.
        var setup = PageSetup()
        /// Whether the stage knows it.
        var isAttached = false
        /// Whether its document may run.
        var isResumed = false
    }

    static let main = "main"

    let page: EngineTarget
    private(set) var all: [String: Frame]
    private var last = 0

    init(page number: Int) {
        self.page = EngineTarget(name: "page-\(number)")
        self.all = [
            PageFrames.main: Frame(id: PageFrames.main, target: self.page, url: "", isAttached: true, isResumed: true)
        ]
    }

    subscript(id: String) -> Frame? { self.all[id] }

    /// Whether a frame is one of the host page itself.
    func isChild(_ id: String) -> Bool {
        guard let frame = self.all[id], id != PageFrames.main else { return false }
        return frame.place.map { $0.depth == 1 } ?? true
    }

    /// The frames of the host page, in the order of their creation.
    var children: [Frame] {
        self.all.values.filter { self.isChild($0.id) }.sorted { ($0.id.utf8.count, $0.id) < ($1.id.utf8.count, $1.id) }
    }

    func frame(of target: EngineTarget) -> Frame? { self.all.values.first { $0.target == target } }

    /// The frame with the document at a place.
    func frame(at place: DocumentPlace) -> Frame? { self.all.values.first { $0.place == place } }

    /// The frame at the same position in the tree, whatever its document is.
    func frame(atPath path: String) -> Frame? { self.all.values.first { $0.place?.path == path } }

    /// Adds a frame; returns its name.
    mutating func add(url: String, load: String?, at place: DocumentPlace? = nil) -> String {
        self.last += 1
        let id = "f\(self.last)"
        let target = EngineTarget(name: "\(self.page.name)/\(id)")
        self.all[id] = Frame(id: id, target: target, url: url, load: load, place: place)
        return id
    }

    mutating func change(_ id: String, _ change: (inout Frame) -> Void) {
        guard var frame = self.all[id] else { return }
        change(&frame)
        self.all[id] = frame
    }

    /// Removes a frame with those inside of it; returns the targets that the stage knows.
    mutating func remove(_ id: String) -> [EngineTarget] {
        guard id != PageFrames.main, let removed = self.all.removeValue(forKey: id) else { return [] }
        let inner = self.all.values.filter { removed.place?.contains($0.place) == true }.map(\.id).sorted()
        return inner.flatMap { self.remove($0) } + (removed.isAttached ? [removed.target] : [])
    }

    /// Removes all frames but the main one.
    mutating func removeAll() -> [EngineTarget] { self.children.map(\.id).flatMap { self.remove($0) } }
}

/// The place of a document in the page: its frame's position in the tree, and the time at which it began.
///
/// Both worlds of a document read the same from it, before a script of the page runs.
struct DocumentPlace: Hashable, Sendable {
    /// The numbers of the frames in their parents, as in `0.2`; empty for the main frame.
    let path: String
    /// The document's `performance.timeOrigin`.
    let start: String

    var depth: Int { self.path.isEmpty ? 0 : self.path.split(separator: ".").count }

    /// Whether a frame at another place is inside of this one.
    func contains(_ other: DocumentPlace?) -> Bool {
        guard let other else { return false }
        return self.path.isEmpty ? !other.path.isEmpty : other.path.hasPrefix(self.path + ".")
    }
}

/// The channels and scripts that the stage has added to a target, in their order.
struct PageSetup: Hashable, Sendable {
    var channels: [EngineChannel] = []
    var scripts: [Script] = []

    struct Script: Hashable, Sendable {
        let source: String
        let isHost: Bool
    }

    /// The scripts that run in frames inside of an ad's own, too: those of `gesture.js`, `creative.js`, `calls.js`.
    ///
    /// The others are for the ad's own frame, or for one vendor.
    var nested: PageSetup {
        let shared: [EngineChannel] = [.gesture, .creative, .calls]
        let scripts = self.scripts.filter { script in
            let mentioned = EngineChannel.allCases.filter {
                script.source.contains($0.rawValue + "(")
                    || script.source
                        .contains($0.rawValue + ";")
            }
            return mentioned.allSatisfy(shared.contains)
        }
        return PageSetup(channels: self.channels.filter(shared.contains), scripts: scripts)
    }
}

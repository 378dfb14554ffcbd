import WebStage

/// The frames of a page, each of which is a target of the stage of its own.
///
/// WebKitGTK has one process for all of them; the stage treats them as engines with process isolation do.
struct FrameTargets: Hashable, Sendable {
    /// What runs in each new document of a target.
    struct Setup: Hashable, Sendable {
        /// The kinds, worlds and texts of channels and scripts, in the order of their addition.
        var fields: [String] = []
        /// Whether documents need not wait any more.
        var isResumed = false
        /// Whether the stage has refused the frame, so that all its documents are empty.
        var isRefused = false
        /// The document that waits for `resume`; nil for none.
        var waiting: Int?
    }

    /// The frame of a target with its current document.
    struct Frame: Hashable, Sendable {
        let id: Int
        let target: EngineTarget
        /// The number of its current document.
        var document: Int
        /// The request for that document; nil for one that has none, as `about:` and `blob:`.
        var load: String?
        var setup = Setup()
    }

    private(set) var frames: [Int: Frame] = [:]
    let page: Int
    /// The target of the page itself.
    let pageTarget: EngineTarget
    /// The identifier of the main frame; nil until its first document.
    private(set) var main: Int?
    /// The first frame in the main frame: that of the creative.
    private(set) var firstChild: EngineTarget?

    /// What runs first in every document.
    private let first: [String]

    init(page: Int, first: [String] = []) {
        self.page = page
        self.first = first
        self.pageTarget = EngineTarget(name: "page-\(page)")
        // The stage adds to the main frame's before its first document.
        self.mainSetup = Setup(fields: first, isResumed: true)
    }

    private var mainSetup: Setup

    /// The name of the main frame, whose identifier is another one after a crash.
    static let mainName = "main"

    /// The names of frames whose first document was requested before they were known.
    private var names: [Int: String] = [:]

    /// The name of a frame that is not known yet, by the request for its first document.
    static func name(requesting load: String) -> String { "new-\(load)" }

    /// The name of a frame for the stage.
    func name(of frame: Int) -> String {
        frame == self.main ? FrameTargets.mainName : self.names[frame] ?? "\(frame)"
    }

    /// The identifier of a frame with a name; nil for one that is not known yet.
    func identifier(of name: String) -> Int? {
        if name == FrameTargets.mainName { return self.main }
        return Int(name) ?? self.names.first { $0.value == name }?.key
    }

    /// A new frame has the document of this request.
    mutating func add(_ frame: Int, requestedBy load: String) {
        guard self.frames[frame] == nil, self.names.count < FrameTargets.maxNames else { return }
        self.names[frame] = FrameTargets.name(requesting: load)
    }

    private static let maxNames = 10_000

    /// The target of a frame; nil for an unknown one.
    func target(of frame: Int) -> EngineTarget? { self.frames[frame]?.target }

    /// The target in which a new frame is.
    func parent(at place: String) -> EngineTarget {
        place == "child" ? self.pageTarget : self.firstChild ?? self.pageTarget
    }

    /// The frame of a target.
    func frame(of target: EngineTarget) -> Int? {
        target == self.pageTarget ? self.main : self.frames.first { $0.value.target == target }?.key
    }

    /// Whether a frame is a new one of the page itself.
    func isNewChild(_ frame: Int, at place: String) -> Bool { place == "child" && self.frames[frame] == nil }

    /// Whether a message is of the frame's current document.
    func isCurrent(_ document: Int, in frame: Int) -> Bool { self.frames[frame]?.document == document }

    /// Adds a document with the request for it; true if its frame is new.
    mutating func add(document: Int, _ load: String?, in frame: Int, at place: String) -> Bool {
        if self.frames[frame] != nil {
            self.frames[frame]?.document = document
            self.frames[frame]?.load = load
            return false
        }
        let isMain = place == "main"
        let target = isMain ? self.pageTarget : EngineTarget(name: "page-\(self.page)/\(frame)")
        if isMain {
            self.main.map { self.frames[$0] = nil }
            self.main = frame
        }
        if place == "child", self.firstChild == nil { self.firstChild = target }
        self.frames[frame] = Frame(
            id: frame,
            target: target,
            document: document,
            load: load,
            setup: isMain ? self.mainSetup : Setup(fields: self.first)
        )
        return !isMain
    }

    /// Removes a frame; returns its target.
    mutating func remove(_ frame: Int) -> EngineTarget? {
        self.names[frame] = nil
        guard let removed = self.frames.removeValue(forKey: frame) else { return nil }
        if removed.target == self.firstChild { self.firstChild = nil }
        return removed.target
    }

    /// Removes all frames after a crash; returns the targets of those in the main frame.
    mutating func removeAll() -> [EngineTarget] {
        if let main { self.frames[main] = nil }
        self.main = nil
        return self.frames.keys.sorted().compactMap { self.remove($0) }
    }

    /// A frame requests a document; without a main frame it is the main one, that of a new process.
    mutating func requests(_ frame: Int) { self.main = self.main ?? frame }

    /// Changes what runs in the documents of a target.
    mutating func change(_ target: EngineTarget, _ change: (inout Setup) -> Void) {
        if target == self.pageTarget { change(&self.mainSetup) }
        guard let frame = self.frame(of: target), var changed = self.frames[frame] else { return }
        change(&changed.setup)
        self.frames[frame] = changed
    }

    /// Whether a target is the page, or the frame of the creative.
    func isMeasured(_ target: EngineTarget) -> Bool { target == self.firstChild ?? self.pageTarget }

    /// Removes what the stage has added to the page.
    mutating func forgetSetup() { self.change(self.pageTarget) { [first] in $0.fields = first } }
}

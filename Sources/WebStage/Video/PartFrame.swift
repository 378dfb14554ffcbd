import AdCore

/// A part of a video in a cross-site frame: an icon (VAST 4.3 §3.11.1), a companion (3.12) or an overlay, which
/// is a nonlinear ad (3.8).
struct PartFrame: Hashable, Sendable {
    /// The loading phase.
    enum Phase: Hashable, Sendable {
        case loading
        /// The document is loaded; whether its image was loaded is being queried.
        case checking
        case complete
        case shown
    }

    let number: Int
    /// The part's identifier in its spot; nil for an overlay or interactive creative, which are the spot itself.
    let id: VideoPartID?
    let spot: Int
    let part: VideoPart
    let role: PartLayout.Role
    /// The URL of its document.
    let address: String
    /// The engine's identifiers of its frame and of the load of its first document; nil until the document is
    /// requested.
    var frame: String?
    var load: String?
    var target: EngineTarget?
    /// Whether its document is committed.
    var hasDocument = false
    var phase = Phase.loading
    var policy = PagePolicy()

    /// How long a part may take to load.
    static let loadLimit = Duration.seconds(5)

    /// The VAST error codes if it can't be loaded and if it does not fit (VAST 4.3 §2.3.6.3).
    ///
    /// VAST has none for icons: 900 is the undefined error.
    var errorCodes: (notLoaded: Int, noRoom: Int) {
        switch self.id {
        case nil:
            switch self.role {
            case .interactive: (1101, 1102)
            case .program: (901, 901)
            case .icon, .overlay, .endCard, .companion, .verification, .fallback: (502, 501)
            }
        case .companion: (603, 601)
        case .icon, .verification: (900, 900)
        }
    }

    /// Whether it is an image, which is one link as a whole; other parts have links of their own.
    var isPicture: Bool { if case .image = self.part.content { true } else { false } }

    /// Its document; nil for a page with a URL of its own.
    var document: String? {
        switch self.part.content {
        case .html(let html): html.document
        case .page: nil
        case .image(let url):
            """
            <!doctype html><html><head><meta charset="utf-8"><style>
            html, body { height: 100%; margin: 0; overflow: hidden; cursor: pointer; }
            img { display: block; width: 100%; height: 100%; object-fit: contain; }
            </style></head><body><img src="\(HTMLText.escaped(url.text))" alt="\(HTMLText.escaped(self.title))"></body></html>
            """
        }
    }

    /// The frame's accessible name.
    var title: String { self.part.altText ?? self.part.program ?? "Advertisement" }
}

/// An icon that was clicked, and its link.
struct ClickedIcon: Hashable, Sendable {
    let spot: Int
    let id: VideoPartID
    let link: ClickThroughURL
}

/// The frames of a video's parts, and the frames nested in them.
struct PartFrames: Hashable, Sendable {
    private(set) var all: [PartFrame] = []
    private var last = 0
    /// The nested frames, and the part of each.
    private var nested = FrameTable()
    private var inner: [EngineTarget: Int] = [:]
    /// Frames that were attached before their document was requested.
    private var unclaimed: [String: EngineTarget] = [:]

    /// Adds a part.
    ///
    /// Its URL consists of `name` and its number on the creatives' site, or is the page's own.
    mutating func add(_ part: VideoPart, _ id: VideoPartID?, of spot: Int, as role: PartLayout.Role, name: String)
        -> PartFrame
    {
        self.last += 1
        var address = StageDomain.creative.address("\(name)-part-\(self.last)")
        if case .page(let url) = part.content { address = url.text }
        let frame = PartFrame(number: self.last, id: id, spot: spot, part: part, role: role, address: address)
        self.all.append(frame)
        return frame
    }

    subscript(number: Int) -> PartFrame? {
        get { self.all.first { $0.number == number } }
        set {
            guard let place = self.all.firstIndex(where: { $0.number == number }) else { return }
            if let newValue { self.all[place] = newValue } else { self.all.remove(at: place) }
        }
    }

    /// The number of a part's frame.
    func number(of id: VideoPartID, in spot: Int) -> Int? { self.all.first { $0.id == id && $0.spot == spot }?.number }

    /// The number of the frame with a role that only one has.
    func number(as role: PartLayout.Role, in spot: Int) -> Int? {
        self.all.first { $0.role == role && $0.spot == spot }?.number
    }

    /// The part that a target belongs to: the part's own frame, or one nested in it.
    func number(of target: EngineTarget?) -> Int? {
        guard let target else { return nil }
        return self.all.first { $0.target == target }?.number ?? self.inner[target]
    }

    /// The part with this frame.
    func number(ofFrame frame: String) -> Int? { self.all.first { $0.frame == frame }?.number }

    /// Adds the target of a part's frame or of a nested frame; false if there are too many nested frames.
    mutating func attach(_ new: AttachedTarget, in parent: EngineTarget?, page: EngineTarget) -> Bool {
        guard parent == page else {
            let frame = FrameTable.Frame(id: new.id, target: new.target)
            guard self.nested.add(frame, isRoot: false) else { return false }
            if let number = self.number(of: parent) { self.inner[new.target] = number }
            return true
        }
        if let number = self.number(ofFrame: new.id) {
            self[number]?.target = new.target
        } else {
            self.unclaimed[new.id] = new.target
        }
        return true
    }

    /// The report of a refused frame.
    func refusal(of target: EngineTarget) -> [StageOutput] { self.nested.refusal(of: target) }

    mutating func detach(_ target: EngineTarget) {
        self.inner[target] = nil
        self.nested.remove(target)
        self.unclaimed = self.unclaimed.filter { $0.value != target }
        if let number = self.all.first(where: { $0.target == target })?.number { self[number]?.target = nil }
    }

    /// Finds the part whose first document is requested; nil for other requests.
    ///
    /// The request has the frame and its part. An engine may normalize the URL of a page, so an unknown
    /// URL belongs to the first page that still waits for its document.
    mutating func claim(_ request: EngineRequest, page: EngineTarget) -> PartFrame? {
        guard request.kind == .document, request.target == page, self.number(ofFrame: request.frame) == nil else {
            return nil
        }
        let waiting = self.all.indices.filter { self.all[$0].frame == nil }
        let place =
            waiting.first { self.all[$0].address == request.url } ?? waiting.first { self.all[$0].document == nil }
        guard let place else { return nil }
        self.all[place].frame = request.frame
        self.all[place].load = request.load
        self.all[place].target = self.all[place].target ?? self.unclaimed.removeValue(forKey: request.frame)
        return self.all[place]
    }
}

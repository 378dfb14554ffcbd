import AdCore

/// A part of a video (icon, companion, overlay) in a frame of another site.
struct PartFrame: Hashable, Sendable {
    /// How far it is.
    enum Phase: Hashable, Sendable {
        case loading
        /// Its document is there; whether its image was loaded is being queried.
        case checking
        case complete
        case shown
    }

    let number: Int
    /// Which part of its spot it is; nil for an overlay, which is the spot itself.
    let id: VideoPartID?
    let spot: Int
    let part: VideoPart
    let role: PartLayout.Role
    /// Where its document is.
    let address: String
    /// Its frame, and the identifier of the loading of its first document, when they are known.
    var frame: String?
    var load: String?
    var target: EngineTarget?
    /// Whether its document is in its frame.
    var hasDocument = false
    var phase = Phase.loading
    /// Judges what happens in it.
    var policy = PagePolicy()

    /// How long a part may take to load.
    static let loadLimit = Duration.seconds(5)

    /// VAST's code where it can't be had, and where there is no room for it; there is none for an icon but the general.
    var codes: (missing: Int, misfit: Int) {
        switch self.id {
        case nil: (502, 501)
        case .companion: (603, 601)
        case .icon, .verification: (900, 900)
        }
    }

    /// Whether all of it is one link, as a picture is: other parts have links of their own.
    var isPicture: Bool { if case .image = self.part.content { true } else { false } }

    /// Its document, where we have it; a page of its own is somewhere else.
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

    /// Its accessible name.
    var title: String { self.part.altText ?? self.part.program ?? "Advertisement" }
}

/// The frames of a video's parts.
struct PartFrames: Hashable, Sendable {
    private(set) var all: [PartFrame] = []
    private var last = 0
    /// Frames inside of parts, and the part of each.
    private var within = FrameTable()
    private var inner: [EngineTarget: Int] = [:]
    /// Frames that were attached before a document was requested in them.
    private var unknown: [String: EngineTarget] = [:]

    /// One more; its address is `name` and its number on the creatives' site, or the page's own.
    mutating func add(_ part: VideoPart, _ id: VideoPartID?, of spot: Int, as role: PartLayout.Role, name: String)
        -> PartFrame
    {
        self.last += 1
        var address = "https://\(name)-part-\(self.last).yabbi-creative.invalid/"
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

    /// The frame of a part of a spot.
    func number(of id: VideoPartID?, in spot: Int) -> Int? { self.all.first { $0.id == id && $0.spot == spot }?.number }

    /// The part of a target, which is its own frame or one inside of it.
    func number(of target: EngineTarget?) -> Int? {
        guard let target else { return nil }
        return self.all.first { $0.target == target }?.number ?? self.inner[target]
    }

    /// The part whose whole frame this is.
    func number(ofFrame frame: String) -> Int? { self.all.first { $0.frame == frame }?.number }

    /// Adds the target of a frame: a part's own frame, or one inside of it; false where there are too many.
    mutating func attach(_ new: AttachedTarget, in parent: EngineTarget?, page: EngineTarget) -> Bool {
        guard parent == page else {
            let frame = FrameTable.Frame(id: new.id, target: new.target)
            guard self.within.add(frame, isRoot: false) else { return false }
            if let number = self.number(of: parent) { self.inner[new.target] = number }
            return true
        }
        if let number = self.number(ofFrame: new.id) {
            self[number]?.target = new.target
        } else {
            self.unknown[new.id] = new.target
        }
        return true
    }

    /// What is reported of the frame that was refused last.
    var refusal: [StageOutput] { self.within.refusal }

    mutating func detach(_ target: EngineTarget) {
        self.inner[target] = nil
        self.within.remove(target)
        self.unknown = self.unknown.filter { $0.value != target }
        if let number = self.all.first(where: { $0.target == target })?.number { self[number]?.target = nil }
    }

    /// Finds the part whose first document is requested; nil where the request is for another.
    ///
    /// Until then the part's frame is only known as one that is new in our page. An engine may write the address of a page
    /// in another way, so that the page is the next part that waits for its document.
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
        self.all[place].target = self.all[place].target ?? self.unknown.removeValue(forKey: request.frame)
        return self.all[place]
    }
}

import AdCore

/// One thing that is shown with a film, in a frame of another site.
struct PartFrame: Hashable, Sendable {
    /// How far it is.
    enum Phase: Hashable, Sendable {
        case coming
        /// Its document is there, and its picture is asked after.
        case looking
        case there
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
    /// The frame, and the loading of its first document, when they are known.
    var frame: String?
    var load: String?
    var session: DevToolsSession?
    /// Its document is in its frame.
    var isDocumentThere = false
    var phase = Phase.coming
    /// What is heard of it, whatever it is.
    var watch = SessionWatch()

    /// How long a part may take.
    static let patience = Duration.seconds(5)

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

    /// What it is called by those who can't see it.
    var title: String { self.part.altText ?? self.part.program ?? "Advertisement" }
}

/// The frames of what is shown with a film.
struct PartFrames: Hashable, Sendable {
    private(set) var all: [PartFrame] = []
    private var last = 0
    /// Frames inside of frames, and whose they are.
    private var within = FrameBook()
    private var inner: [DevToolsSession: Int] = [:]
    /// Frames that were there before anything was asked for in them.
    private var unknown: [String: DevToolsSession] = [:]

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

    /// Whose frame speaks in a session, itself or one inside of it.
    func number(of session: DevToolsSession?) -> Int? {
        guard let session else { return nil }
        return self.all.first { $0.session == session }?.number ?? self.inner[session]
    }

    /// The part whose whole frame this is.
    func number(ofFrame frame: String) -> Int? { self.all.first { $0.frame == frame }?.number }

    /// A frame has a process of its own now: the whole frame of a part, or one inside of one; false where there are too
    /// many.
    mutating func attach(_ new: Attachment, in parent: DevToolsSession?, page: DevToolsSession) -> Bool {
        guard parent == page else {
            let frame = FrameBook.Frame(id: new.target, session: new.session)
            guard self.within.add(frame, isRoot: false) else { return false }
            if let number = self.number(of: parent) { self.inner[new.session] = number }
            return true
        }
        if let number = self.number(ofFrame: new.target) {
            self[number]?.session = new.session
        } else {
            self.unknown[new.target] = new.session
        }
        return true
    }

    /// What is told of the frame that was refused last.
    var refusal: [StageOutput] { self.within.refusal }

    mutating func detach(_ session: DevToolsSession) {
        self.inner[session] = nil
        self.within.remove(session)
        self.unknown = self.unknown.filter { $0.value != session }
        if let number = self.all.first(where: { $0.session == session })?.number { self[number]?.session = nil }
    }

    /// The first document of a part is asked for; nil where this is none.
    ///
    /// The frame is known by then only as one that is new in our page. A page's own address may be written in another way
    /// than the browser writes it, and is the next that is waited for.
    mutating func claim(_ request: PausedRequest, page: DevToolsSession) -> PartFrame? {
        guard request.kind == "Document", request.session == page, self.number(ofFrame: request.frame) == nil else {
            return nil
        }
        let waiting = self.all.indices.filter { self.all[$0].frame == nil }
        let place =
            waiting.first { self.all[$0].address == request.url } ?? waiting.first { self.all[$0].document == nil }
        guard let place else { return nil }
        self.all[place].frame = request.frame
        self.all[place].load = request.load
        self.all[place].session = self.all[place].session ?? self.unknown.removeValue(forKey: request.frame)
        return self.all[place]
    }
}

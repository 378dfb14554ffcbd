import AdCore
import WebStage

// What WKWebView asks before it loads something: navigations, windows, and everything of the stage's scheme.

extension PageTranslator {
    // MARK: Navigations

    /// Decides on a navigation, or asks the stage.
    mutating func decide(_ facts: NavigationFacts) -> Step {
        let url = StageScheme.stageURL(facts.url)
        guard !facts.isDownload else { return self.refuse(facts, [.downloadRequested(url: url)]) }
        if facts.target == .window {
            return self.refuse(facts, [.windowRequested(url: url, frame: nil, gesture: nil)])
        }
        let scheme = facts.url.prefix { $0 != ":" }.asciiLowercased
        switch scheme {
        case StageScheme.name:
            // The request of the scheme handler follows, and is held.
            self.expected[facts.url] = facts.isFromMain ? facts.target : self.innerTarget(facts)
            return Step(calls: [.decide(facts.number, isAllowed: true)])
        case "http", "https": return self.hold(facts)
        case "about", "data", "blob", "javascript":
            guard facts.target == .main else { return Step(calls: [.decide(facts.number, isAllowed: true)]) }
            return self.refuse(facts, [])
        default:
            let event = EngineEvent.Kind.navigationRequested(url: url, frame: nil, gesture: nil, byPage: true)
            return self.refuse(facts, [event])
        }
    }

    private func refuse(_ facts: NavigationFacts, _ events: [EngineEvent.Kind]) -> Step {
        let source = facts.isFromMain ? self.target : nil
        return Step(
            events: events.map { EngineEvent($0, in: source) },
            calls: [.decide(facts.number, isAllowed: false)]
        )
    }

    /// The target of a navigation that a frame of the ad has caused: never a new frame of the host page.
    private func innerTarget(_ facts: NavigationFacts) -> NavigationFacts.Target {
        if case .frame(let url) = facts.target, self.child(showing: url) == nil { return .window }
        return facts.target
    }

    /// Holds a navigation to a server.
    private mutating func hold(_ facts: NavigationFacts) -> Step {
        let (frame, load) = self.frame(of: facts)
        let target = frame.flatMap { self.frames[$0] }.flatMap { $0.isAttached ? $0.target : nil } ?? self.target
        let request = EngineRequest(
            EngineRequestID(number: "\(facts.number)", target: target),
            url: facts.url,
            method: facts.method,
            kind: .document,
            frame: frame ?? "",
            load: load
        )
        self.held[request.id.number] = Held(request: request, isNavigation: true)
        let sent = NetworkEvent.sent(load, url: facts.url, method: facts.method, kind: .document, redirect: nil)
        return Step(events: [
            EngineEvent(.network(sent), in: target), EngineEvent(.requestHeld(request), in: target),
        ])
    }

    /// The frame that navigates, and the identifier of the load; nil for a frame inside of an ad's own.
    private mutating func frame(of facts: NavigationFacts) -> (String?, String) {
        switch facts.target {
        case .main: return (PageFrames.main, self.number())
        case .window: return (nil, self.number())
        case .frame(let url):
            if let known = self.redirected.removeValue(forKey: facts.url), let load = self.frames[known]?.load {
                return (known, load)
            }
            if let child = self.child(showing: url) { return (child.id, self.number()) }
            guard facts.isFromMain else { return (nil, self.number()) }
            if let pending = self.redirectedByServer, let load = pending.load { return (pending.id, load) }
            let load = self.number()
            return (self.frames.add(url: facts.url, load: load), load)
        }
    }

    /// The frame that a server redirects: that of the host page which has no document yet.
    ///
    /// A page of a provider may have several frames that load at once, so that each of its navigations is a new frame.
    private var redirectedByServer: PageFrames.Frame? {
        guard let main = self.frames[PageFrames.main], StageScheme.isOwn(main.url) else { return nil }
        return self.frames.children.first { $0.place == nil && $0.isResumed }
    }

    /// The frame of the host page with this document; nil for an empty document.
    private func child(showing url: String) -> PageFrames.Frame? {
        guard !url.isEmpty, !url.hasPrefix("about:") else { return nil }
        let url = url.prefix { $0 != "#" }
        return self.frames.children.first { $0.place != nil && $0.url.prefix { $0 != "#" } == url }
    }

    /// The event of the response to a navigation of the main frame; the stage's own responses need none.
    func respond(status: Int, to url: String) -> EngineEvent? {
        guard !StageScheme.isOwn(url) else { return nil }
        let response = NetworkResponse(status: status, type: nil, bytes: 0, url: url, address: nil)
        let event = NetworkEvent.responded(url, response, kind: .document, frame: PageFrames.main)
        return EngineEvent(.network(event), in: self.target)
    }

    // MARK: The stage's scheme

    /// Holds a request of the stage's scheme.
    mutating func start(_ scheme: SchemeRequest) -> Step {
        let place = self.expected.removeValue(forKey: scheme.url)
        let load = self.number()
        let frame: String
        switch place {
        case .main:
            frame = PageFrames.main
        case .frame(let url):
            frame = self.child(showing: url)?.id ?? self.frames.add(url: scheme.url, load: load)
        case .window: frame = ""
        case nil: frame = self.owner(of: scheme.url)
        }
        let known = self.frames[frame].flatMap { $0.isAttached ? $0.target : nil } ?? self.target
        let request = EngineRequest(
            EngineRequestID(number: "\(scheme.number)", target: known),
            url: StageScheme.stageURL(scheme.url),
            method: scheme.method,
            kind: place == nil ? EngineRequest.Kind(scheme) : .document,
            frame: frame,
            headers: scheme.headers,
            load: load
        )
        self.held[request.id.number] = Held(request: request, isNavigation: false)
        return Step(events: [EngineEvent(.requestHeld(request), in: known)])
    }

    /// The frame of a resource, which the request does not name: the first with a document of the same host.
    private func owner(of url: String) -> String {
        func origin(_ url: String) -> Substring { url.dropFirst(StageScheme.name.count + 3).prefix { $0 != "/" } }
        let children = self.frames.children.filter { $0.isAttached && origin($0.url) == origin(url) }
        return children.first?.id ?? PageFrames.main
    }

    /// WKWebView no longer waits for a request.
    mutating func stop(_ number: Int) { self.held["\(number)"] = nil }

    // MARK: Decisions

    /// Lets a held request proceed; the stage lets none of its own scheme.
    mutating func proceed(_ id: EngineRequestID) -> Step {
        guard let held = self.held[id.number], let number = Int(id.number) else { return Step() }
        guard held.isNavigation else { return self.fail(id) }
        self.frames.change(held.request.frame) { ($0.url, $0.load) = (held.request.url, held.request.load) }
        return self.run(held, .decide(number, isAllowed: true))
    }

    mutating func fail(_ id: EngineRequestID) -> Step {
        guard let held = self.held.removeValue(forKey: id.number), let number = Int(id.number) else { return Step() }
        if let frame = self.frames[held.request.frame], frame.place == nil, !frame.isAttached {
            _ = self.frames.remove(frame.id)
        }
        return Step(calls: [held.isNavigation ? .decide(number, isAllowed: false) : .fail(number)])
    }

    mutating func answer(_ id: EngineRequestID, _ response: EngineResponse) -> Step {
        guard let held = self.held[id.number], let number = Int(id.number) else { return Step() }
        // The stage's answer to a navigation to a server says only that there is nothing.
        guard !held.isNavigation else { return self.fail(id) }
        if (300..<400).contains(response.status), held.request.kind == .document {
            return self.redirect(held, number, to: response)
        }
        guard held.request.kind == .document, !held.request.frame.isEmpty else {
            self.held[id.number] = nil
            return Step(calls: [.answer(number, response)])
        }
        if held.request.frame == PageFrames.main {
            let url = StageScheme.engineURL(held.request.url)
            self.frames.change(PageFrames.main) { ($0.url, $0.load) = (url, held.request.load) }
        }
        return self.run(held, .answer(number, response))
    }

    /// Sends a frame of the host page elsewhere: the scheme's answers can't redirect.
    private mutating func redirect(_ held: Held, _ number: Int, to response: EngineResponse) -> Step {
        self.held[held.request.id.number] = nil
        let address = response.headers.first { $0.name.asciiLowercased == "location" }?.value
        guard let address, self.frames.isChild(held.request.frame) else { return Step(calls: [.fail(number)]) }
        self.redirected[StageScheme.engineURL(address)] = held.request.frame
        self.frames.change(held.request.frame) { $0.url = StageScheme.engineURL(address) }
        let text = AdJSON.string(address).text()
        let own = AdJSON.string(StageScheme.engineURL(held.request.url)).text()
        let script =
            "for (const frame of document.querySelectorAll(\"iframe\")) "
            + "if (frame.src === \(own)) frame.src = \(text)"
        return Step(calls: [
            .fail(number), .run(WebScript(evaluating: script, in: PageFrames.main, isHost: true)),
        ])
    }

    /// Executes a call for a frame, which first has to be known to the stage and resumed by it.
    private mutating func run(_ held: Held, _ call: WebCall) -> Step {
        let key = held.request.id.number
        guard let frame = self.frames[held.request.frame], !frame.isResumed else {
            self.held[key] = nil
            return Step(calls: [call])
        }
        self.held[key]?.waiting = call
        guard !frame.isAttached else { return Step() }
        self.frames.change(frame.id) { $0.isAttached = true }
        let attached = AttachedTarget(.frame, frame.target, id: frame.id, url: "")
        return Step(events: [EngineEvent(.attached(attached), in: self.target)])
    }
}

extension EngineRequest.Kind {
    /// Derives the kind of a request of the stage's scheme, which has no `Sec-Fetch-Dest`, from what it accepts.
    init(_ request: SchemeRequest) {
        let accept = request.headers.first { $0.name.asciiLowercased == "accept" }?.value ?? ""
        let path = request.url.prefix { $0 != "?" && $0 != "#" }.asciiLowercased
        if request.headers.contains(where: { $0.name.asciiLowercased == "range" }) {
            self = .media
        } else if accept.hasPrefix("text/css") {
            self = .stylesheet
        } else if accept.hasPrefix("image/") {
            self = .image
        } else {
            self = path.hasSuffix(".js") ? .script : .other
        }
    }
}

import AdCore

/// What an MRAID host decides, carried out with the creative's pages.
extension CreativeMachine {
    /// Lets the host hear something.
    mutating func mraid(_ input: MRAIDInput, at now: Duration = .zero) -> [StageOutput] {
        self.bridge.host.handle(input).flatMap { self.perform($0, at: now) }
    }

    private mutating func perform(_ action: MRAIDAction, at now: Duration) -> [StageOutput] {
        switch action {
        case .tell(let part, let news): return self.bridge.tell(part, news) + self.follow(news)
        case .turn: return self.furnish()
        case .place: return [self.arrange()]
        case .open(let url, let ticket):
            let attempt = Attempt(means: .window, url: url, ticket: ticket)
            return self.consider(attempt, in: self.bridge.session(of: ticket.part), at: now)
        case .requestClose:
            // After the end of the ad nothing of it is reported.
            return self.leave([.report(.closeRequested(by: .creative))], at: now)
        case .report(let words): return [.report(.blocked(BlockedAttempt(.other, words)))]
        case .openSecond(let url):
            let part = self.bridge.expect(url, beside: self.plan.creativeAddress)
            return [
                self.wrapper.run("yabbiSecond(\(JSON.string(part.name).text()))"),
                .setAlarm(.second(part.name), after: SecondPart.patience),
            ]
        case .closeSecond:
            self.bridge.second = nil
            self.bridge.forget(.second)
            return [self.wrapper.run("yabbiSecond(null)")]
        }
    }

    /// What a command came to: the outcome of the user's press, or an error that the creative hears as MRAID's `error` event
    /// (MRAID 3.0 §6.1), reported because most creatives don't listen to it.
    private mutating func follow(_ news: MRAIDNews) -> [StageOutput] {
        var errors: [(name: String, message: String)] = []
        for event in news.events where event.first == "error" && event.count > 2 {
            errors.append((event[2].string ?? "", event[1].string ?? ""))
        }
        if let reply = news.reply {
            let acts: Set = ["expand", "resize", "close", "unload", "playVideo", "storePicture", "createCalendarEvent"]
            let growth: Set = ["expand", "resize"]
            switch reply.outcome {
            case .done where acts.contains(reply.name):
                self.watch.taps.did("mraid.\(reply.name)", byGesture: growth.contains(reply.name))
            case .ignored where acts.contains(reply.name):
                self.watch.taps.refused("mraid.\(reply.name) has no effect in this state or placement")
            // What the creative gave to open is judged as every other link is, and reported there.
            case .refused(let message) where reply.name == "open": self.watch.taps.refused("mraid.open: \(message)")
            case .refused(let message): errors.append((reply.name, message))
            case .done, .ignored: break
            }
        }
        return errors.flatMap { error in
            let text = "mraid.\(error.name): \(error.message)".excerpt(300)
            self.watch.taps.refused(text)
            // The host reports by itself, as blocked, that an ad wanted to grow without a gesture.
            return error.message == MRAIDGrowth.refusal ? [] : self.watch.troubles.note(ScriptError(text))
        }
    }

    /// A place of the screen in the ad's own points; nil where the ad's place is not known yet.
    func place(of press: ScreenPlace) -> TapPlace? {
        guard let place = self.lastPlace else { return nil }
        let scale = self.plan.size.scale > 0 ? self.plan.size.scale : 1
        switch self.bridge.host.layout {
        case .screen: return TapPlace(x: press.x / scale, y: press.y / scale)
        case .slot: return TapPlace(x: (press.x - place.x) / scale, y: (press.y - place.y) / scale)
        case .rect(let rect):
            return TapPlace(x: (press.x - place.x) / scale - rect.x, y: (press.y - place.y) / scale - rect.y)
        }
    }

    /// There is other room for the creative.
    mutating func take(_ room: StageRoom) -> [StageOutput] {
        self.hostRoom = room
        let news = self.mraid(.room(MRAIDRoom(room, self.plan.layout)))
        return self.furnish() + news
    }

    /// Gives the screen the size that it has now, turned where the ad wants that.
    private mutating func furnish() -> [StageOutput] {
        self.plan.room = self.hostRoom.held(self.bridge.host.held, self.plan.layout)
        return [self.wrapper.show(on: self.plan.screen), self.arrange()]
    }

    /// Puts the creative where it belongs now, in the screen's points.
    func arrange() -> StageOutput {
        let size = self.plan.size
        let scale = size.scale > 0 ? size.scale : 1
        let own = MRAIDRect(x: 0, y: 0, width: size.rendered.width, height: size.rendered.height)
        let slot: MRAIDRect
        var mode = "resized"
        switch self.bridge.host.layout {
        case .slot: (slot, mode) = (own, "slot")
        case .screen:
            let screen = self.plan.screen
            (slot, mode) = (MRAIDRect(x: 0, y: 0, width: screen.width, height: screen.height), "expanded")
        case .rect(let rect): slot = rect.scaled(by: scale)
        }
        // Under a second page the creative stays as it was.
        let frame = self.bridge.host.hasSecond ? own : slot
        let layout: JSON = [
            "mode": .string(mode), "place": own.list, "slot": slot.list, "scale": .double(scale),
            "frame": frame.scaled(by: 1 / scale).list, "second": slot.scaled(by: 1 / scale).list,
        ]
        return self.wrapper.run("yabbiLayout(\(layout.text()))")
    }

    // MARK: What our page says

    /// Our page has measured something, or its button was pressed.
    mutating func hearOfPlace(_ message: JSON, at now: Duration) -> [StageOutput] {
        let unit = 1 / (self.plan.size.scale > 0 ? self.plan.size.scale : 1)
        switch message["k"]?.string {
        // What is small already was not seen to become so by the user, who has pressed again: the page is kept from drawing.
        case "collapse":
            return self.isLarge ? self.mraid(.collapsedByUser) : self.closeByUser(at: now)
        case "place":
            guard let rect = MRAIDRect(message["rect"]) else { return [] }
            self.lastPlace = rect
            return self.mraid(.placed(rect.scaled(by: unit)))
        case "visible":
            guard self.phase == .revealed, let ratio = message["ratio"]?.number else { return [] }
            let share = min(max(ratio, 0), 1)
            let visible = MRAIDRect(message["rect"])?.scaled(by: unit)
            let isNews = self.lastRatio != share
            self.lastRatio = share
            return (isNews ? [.report(.visible(ratio: share))] : [])
                + self.mraid(.exposed(MRAIDExposure(percentage: share * 100, visible: visible)))
        default: return []
        }
    }

    // MARK: The second page

    /// A frame of our page that is not the creative's.
    mutating func attachSecond(_ new: Attachment) -> [StageOutput] {
        // One that was taken back meanwhile stays as it is, which is waiting, until it is gone.
        guard let second = self.bridge.second, second.session == nil, second.frame == new.target else { return [] }
        self.bridge.second?.session = new.session
        let mraid = self.bridge.arm(.second, new.session, frame: new.target)
        return new.begin(SessionArming.frame(new.session, hasDocument: new.hasDocument) + mraid)
    }

    /// Judges a request for a document of the second page; nil where it is another's.
    mutating func judgeSecond(_ request: PausedRequest, at now: Duration) -> [StageOutput]? {
        guard request.kind == "Document" else { return nil }
        let page = self.page
        switch self.bridge.second?.judge(request, page: page) {
        case .lead(let url): return [.say(request.answer(302, [("Location", url)], nil))]
        case .load: return self.pass(request)
        case .stop: return self.stop(request, in: self.bridge.second?.session, at: now)
        case nil:
            // No other frame of our page loads anything, but for the creative's.
            let isOurs = request.session == page && self.frames.root != nil && request.frame != self.frames.root?.id
            return isOurs ? [.say(request.refusal("Aborted"))] : nil
        }
    }

    /// The second page has had its time.
    mutating func missSecond(_ name: String) -> [StageOutput] {
        guard let second = self.bridge.second, second.name == name, !second.isThere else { return [] }
        return self.mraid(.secondFailed("the page was not there within \(SecondPart.patience)"))
    }

    /// Hears how the second page gets on.
    mutating func followSecond(_ event: DevToolsEvent) -> [StageOutput] {
        if self.bridge.second?.progressed(event) == true { return self.mraid(.loaded(.second)) }
        guard let reason = self.bridge.second?.failure(event) else { return [] }
        return self.mraid(.secondFailed("the page could not be loaded: \(reason)"))
    }
}

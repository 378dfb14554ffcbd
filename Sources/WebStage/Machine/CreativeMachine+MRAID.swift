import AdCore

/// Executes the actions of the MRAID host.
extension CreativeMachine {
    /// Hands the MRAID host an input and executes its actions.
    mutating func handle(_ input: MRAIDInput, at now: Duration = .zero) -> [StageOutput] {
        self.mraid.host.handle(input).flatMap { self.execute($0, at: now) }
    }

    private mutating func execute(_ action: MRAIDAction, at now: Duration) -> [StageOutput] {
        switch action {
        case .send(let document, let update):
            return self.mraid.send(document, update) + self.recordOutcome(of: update)
                + (self.mraid.isOpen ? update.messages : [])
        case .setOrientation: return self.updateScreen()
        case .setLayout: return self.arrange()
        case .open(let url, let commandID):
            let attempt = NavigationAttempt(trigger: .window, url: url, commandID: commandID)
            return self.decide(attempt, in: self.mraid.target(of: commandID.document), at: now)
        case .requestClose:
            // Pending results are reported first, because nothing is reported after the ad has closed.
            return self.finish(with: [.report(.closeRequested(by: .creative))], at: now)
        case .report(let text): return [.report(.blocked(BlockedAttempt(.other, text)))]
        case .openExpandedPage(let url):
            let page = self.mraid.expect(url, beside: self.plan.creativeAddress)
            return self.run("yabbiShowExpandedPage(\(AdJSON.string(page.name).text()))") + [
                .setAlarm(.expandedPage(page.name), after: ExpandedPage.loadLimit)
            ]
        case .closeExpandedPage:
            self.mraid.expandedPage = nil
            self.mraid.forget(.expandedPage)
            return self.run("yabbiShowExpandedPage(null)")
        }
    }

    /// Records the outcome of a command for the user's press, and reports errors: most creatives don't listen to the
    /// `error` event (MRAID 3.0 chapter 7, `error`).
    private mutating func recordOutcome(of update: MRAIDUpdate) -> [StageOutput] {
        var errors: [(name: String, message: String)] = []
        for event in update.events where event.first == "error" && event.count > 2 {
            errors.append((event[2].string ?? "", event[1].string ?? ""))
        }
        if let reply = update.reply {
            let acts: Set = ["expand", "resize", "close", "unload", "playVideo", "storePicture", "createCalendarEvent"]
            let expansions: Set = ["expand", "resize"]
            switch reply.outcome {
            case .done where acts.contains(reply.name):
                self.policy.taps.recordEffect("mraid.\(reply.name)", byGesture: expansions.contains(reply.name))
            case .ignored where acts.contains(reply.name):
                self.policy.taps.recordRefusal("mraid.\(reply.name) has no effect in this state or placement")
            // `NavigationPolicy` has reported the refusal already.
            case .refused(let message) where reply.name == "open":
                self.policy.taps.recordRefusal("mraid.open: \(message)")
            case .refused(let message): errors.append((reply.name, message))
            case .done, .ignored: break
            }
        }
        return errors.flatMap { error in
            let text = "mraid.\(error.name): \(error.message)".excerpt(300)
            self.policy.taps.recordRefusal(text)
            // The MRAID host has reported this refusal as a blocked attempt.
            return error.message == MRAIDExpansionPolicy.refusal ? [] : self.policy.failures.add(ScriptError(text))
        }
    }

    /// A screen position in the ad's own points; nil until the ad's position is measured.
    func place(of press: ScreenPoint) -> TapPoint? {
        guard let place = self.lastPlace else { return nil }
        let scale = self.plan.size.scale > 0 ? self.plan.size.scale : 1
        switch self.mraid.host.layout {
        case .screen: return TapPoint(x: press.x / scale, y: press.y / scale)
        case .defaultPosition: return TapPoint(x: (press.x - place.x) / scale, y: (press.y - place.y) / scale)
        case .rect(let rect):
            return TapPoint(x: (press.x - place.x) / scale - rect.x, y: (press.y - place.y) / scale - rect.y)
        }
    }

    /// Handles a new screen or size.
    mutating func setGeometry(_ geometry: StageGeometry, at now: Duration) -> [StageOutput] {
        self.appGeometry = geometry
        let updates = self.handle(.geometryChanged(MRAIDGeometries(geometry, self.plan.layout)))
        return self.updateScreen() + updates
    }

    /// Sets the screen's size, in the orientation that the ad forces.
    private mutating func updateScreen() -> [StageOutput] {
        self.plan.geometry = self.appGeometry.oriented(self.mraid.host.forcedOrientation, self.plan.layout)
        return [self.hostPage?.show(on: self.plan.screen)].compactMap { $0 } + self.arrange()
    }

    /// Lays out the creative at its current position, in the screen's points.
    func arrange() -> [StageOutput] {
        let size = self.plan.size
        let scale = size.scale > 0 ? size.scale : 1
        let own = MRAIDRect(x: 0, y: 0, width: size.rendered.width, height: size.rendered.height)
        let slot: MRAIDRect
        var mode = "resized"
        switch self.mraid.host.layout {
        case .defaultPosition: (slot, mode) = (own, "slot")
        case .screen:
            let screen = self.plan.screen
            (slot, mode) = (MRAIDRect(x: 0, y: 0, width: screen.width, height: screen.height), "expanded")
        case .rect(let rect): slot = rect.scaled(by: scale)
        }
        // Under an expanded page the creative keeps its size.
        let frame = self.mraid.host.hasExpandedPage ? own : slot
        let layout: AdJSON = [
            "mode": .string(mode), "place": own.list, "slot": slot.list, "scale": .double(scale),
            "frame": frame.scaled(by: 1 / scale).list, "second": slot.scaled(by: 1 / scale).list,
        ]
        return self.run("yabbiLayout(\(layout.text()))")
    }

    /// Where the creative is on the screen; nil before it is measured.
    private var placeOnScreen: (CreativePlace.Mode, MRAIDRect)? {
        guard let place = self.lastPlace else { return nil }
        let scale = self.plan.size.scale > 0 ? self.plan.size.scale : 1
        switch self.mraid.host.layout {
        case .defaultPosition: return (.normal, place)
        case .screen:
            return (.expanded, MRAIDRect(x: 0, y: 0, width: self.plan.screen.width, height: self.plan.screen.height))
        case .rect(let rect): return (.resized, rect.scaled(by: scale).offset(by: place))
        }
    }

    /// Reports the creative's place on the screen, if it has changed.
    private mutating func reportLayout() -> [StageOutput] {
        guard self.lifecycle.phase == .revealed, let (mode, rect) = self.placeOnScreen else { return [] }
        let layout = CreativePlace(mode, x: rect.x, y: rect.y, width: rect.width, height: rect.height)
        guard layout != self.lastCreativePlace else { return [] }
        self.lastCreativePlace = layout
        return [.observe(.layout(layout))]
    }

    /// Tells the ad which part of it can be seen: none in the background, and none under something of the app.
    mutating func exposureChanged() -> [StageOutput] {
        guard let ratio = self.lastRatio else { return [] }
        let share = ratio * self.geometry.clearShare(of: self.placeOnScreen?.1, on: self.plan.screen)
        let isNew = self.lifecycle.phase == .revealed && self.lastReportedRatio != share
        if isNew { self.lastReportedRatio = share }
        let exposure: MRAIDExposure =
            if self.geometry.isInBackground {
                .none
            } else if self.geometry.isCovered {
                .covered(self.lastVisible)
            } else {
                MRAIDExposure(percentage: share * 100, visible: self.lastVisible, occlusions: self.occlusions)
            }
        return (isNew ? [.report(.visible(ratio: share))] : []) + self.handle(.exposureChanged(exposure))
    }

    /// Where views of the app are over the creative, relative to it and in its points.
    private var occlusions: [MRAIDRect] {
        guard let place = self.placeOnScreen?.1 else { return [] }
        let unit = 1 / (self.plan.size.scale > 0 ? self.plan.size.scale : 1)
        let origin = MRAIDRect(x: -place.x, y: -place.y, width: 0, height: 0)
        return self.geometry.obstructions(of: place, on: self.plan.screen).map {
            $0.offset(by: origin).scaled(by: unit)
        }
    }

    // MARK: Messages of the host page

    /// Handles the host page's measurements, and a press on the collapse button.
    mutating func handle(placement message: AdJSON, at now: Duration) -> [StageOutput] {
        let unit = 1 / (self.plan.size.scale > 0 ? self.plan.size.scale : 1)
        switch message["k"]?.string {
        // A press while the ad is small already: the creative keeps the page from hiding the button, so the ad closes.
        case "collapse":
            return self.isLarge ? self.handle(.collapsedByUser) : self.closeByUser(at: now)
        case "place":
            guard let rect = MRAIDRect(message["rect"]) else { return [] }
            self.lastPlace = rect
            return self.handle(.positionMeasured(rect.scaled(by: unit))) + self.reportLayout() + self.exposureChanged()
        case "measured":
            var geometry = self.geometry
            return geometry.update(message) ? self.updateGeometry(at: now) { $0 = geometry } : []
        case "scroll":
            guard let x = message["x"]?.number, let y = message["y"]?.number, abs(x) < 1e6, abs(y) < 1e6 else {
                return []
            }
            return [.observe(.scroll(x: x, y: y))]
        case "visible":
            guard self.lifecycle.phase == .revealed, let ratio = message["ratio"]?.number else { return [] }
            self.lastRatio = min(max(ratio, 0), 1)
            self.lastVisible = MRAIDRect(message["rect"])?.scaled(by: unit)
            return self.exposureChanged()
        default: return []
        }
    }

    // MARK: The page of a two-part creative

    /// Connects the frame of the expanded page.
    mutating func attachExpandedPage(_ new: AttachedTarget) -> [StageOutput] {
        // The frame of a page that was closed in the meantime stays held until it is removed.
        guard let page = self.mraid.expandedPage, page.target == nil, page.frame == new.id else { return [] }
        self.mraid.expandedPage?.target = new.target
        let mraid = self.mraid.prepare(.expandedPage, new.target, frame: new.id)
        return new.start(
            TargetSetup.creative(new.target, hasDocument: new.hasDocument, isMeasured: self.plan.isMeasured) + mraid
        )
    }

    /// Decides on a request for the expanded page's document; nil for other requests.
    mutating func decideExpandedPage(_ request: EngineRequest, at now: Duration) -> [StageOutput]? {
        guard request.kind == .document else { return nil }
        let page = self.page
        switch self.mraid.expandedPage?.decide(request, page: page) {
        case .redirect(let url): return [.send(request.response(302, [EngineHeader("Location", url)]))]
        case .load: return self.applyRules(to: request, at: now)
        case .stop: return self.stop(request, in: self.mraid.expandedPage?.target, at: now)
        case nil:
            // Other frames of the host page load nothing.
            let isHostPageFrame =
                request.target == page && self.frames.root != nil && request.frame != self.frames.root?.id
            return isHostPageFrame ? [.send(request.failing(.aborted))] : nil
        }
    }

    /// Handles the load timeout of the expanded page.
    mutating func expandedPageTimedOut(_ name: String) -> [StageOutput] {
        guard let page = self.mraid.expandedPage, page.name == name, !page.hasDocument else { return [] }
        return self.handle(.expandedPageFailed("the page did not load within \(ExpandedPage.loadLimit)"))
    }

    /// Follows the load of the expanded page.
    mutating func handleExpandedPage(_ event: EngineEvent) -> [StageOutput] {
        if self.mraid.expandedPage?.handleLoad(event) == true { return self.handle(.loaded(.expandedPage)) }
        guard let reason = self.mraid.expandedPage?.failure(event) else { return [] }
        return self.handle(.expandedPageFailed("the page could not be loaded: \(reason)"))
    }
}

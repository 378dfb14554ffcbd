package import AdCore

/// What is the same for all creatives of a presenter: the screen, the reachable servers, the limits of MRAID.
package struct StageSettings: Sendable {
    /// The size of the screen, in points; at least as large as the container.
    package let screen: Size
    /// The size available to an ad; nil for the whole screen, or for the screen's width if it is a banner.
    let container: Size?
    /// The origins on this computer and network that creatives may request, as in `http://127.0.0.1:8080`.
    let allowed: Set<String>
    /// Sends requests to allowed hosts, and fetches videos; nil if the engine fetches videos itself.
    let transport: (any Transport)?
    /// Whether no server can be reached, only what the stage itself answers.
    package var isOffline = false
    /// How a user or app allows an origin of the local network; part of an error's text.
    package var howToAllow = StageSettings.howToAllow
    /// The playback rate of videos.
    package var speed = 1.0
    /// When MRAID ads may expand or resize.
    package var expansionPolicy = MRAIDExpansionPolicy.afterGesture
    /// The language of the captions that videos show from the start; nil for none.
    package var captionLanguage: String?
    /// Whether requests that are known to be tracking are blocked.
    package var withholdsTracking = false
    /// Whether a creative's calls, its movement and what it uses are reported.
    package var isMeasured = false
    /// The files beside a creative's document; nil for documents without any.
    package var files: StageFiles?
    /// The simulated device; nil for the engine's own.
    package var device: EngineDevice?
    /// The simulated network; nil for that of this computer.
    package var network: EngineNetwork?

    /// Says how to allow an origin.
    package typealias HowToAllow = @Sendable (_ origin: String) -> String
    package static let howToAllow: HowToAllow = { "an app allows it by `allowedHosts`: \($0)" }

    package init(
        screen: Size,
        container: Size? = nil,
        allowedHosts: [HTTPURL] = [],
        transport: (any Transport)? = nil
    ) {
        self.screen =
            container.map { Size(width: max($0.width, screen.width), height: max($0.height, screen.height)) } ?? screen
        self.container = container
        self.allowed = Set(allowedHosts.map(\.origin))
        self.transport = transport
    }

    /// The size available to an ad of this kind; a banner may choose its height.
    package func container(for kind: ShowRules.Kind) -> AdContainer {
        switch (kind, self.container) {
        case (_, let size?): AdContainer(width: size.width, height: size.height, screen: self.screen)
        case (.banner, nil): AdContainer(width: self.screen.width, screen: self.screen)
        case (_, nil): .fullScreen(self.screen)
        }
    }

    /// The requests of one stage to allowed hosts; nil without a transport.
    func fetcher() -> AllowedHostFetcher? { self.transport.map { AllowedHostFetcher($0) } }

    /// The media files of one stage; nil without a transport.
    func store() -> MediaStore? {
        self.transport.map {
            MediaStore($0, allowed: self.allowed, isClosed: self.isOffline, howToAllow: self.howToAllow)
        }
    }

    /// The kind of host page for a creative; nil for a provider's page.
    func hostPageKind(for creative: Creative, _ options: StageOptions) -> HostPageKind? {
        switch creative {
        case .html, .card: .creative(self.layout(options))
        case .video: .video(isStored: self.transport != nil)
        case .page: nil
        }
    }

    /// The machine for a creative in a page.
    func machine<Page>(
        for creative: Creative,
        _ options: StageOptions,
        in place: PooledPage<Page>
    ) -> any StageMachine {
        switch creative {
        case .html(let html): return self.machine(html.document, options, in: place)
        case .card(let card): return self.machine(card.document, options, in: place)
        case .page(let page):
            let plan = self.plan("", options, name: place.name)
            return PageMachine(page, plan, page: place.page.target, mainFrame: place.page.frame)
        case .video(let video):
            var plan = self.plan("", options, name: place.name)
            plan.answerByteLimit = Page.answerByteLimit
            let hostPage = place.hostPage(.video(isStored: self.transport != nil))
            return VideoMachine(video, plan, self.playerOptions(options, plan), in: hostPage)
        }
    }

    private func machine<Page>(
        _ document: String,
        _ options: StageOptions,
        in place: PooledPage<Page>
    ) -> CreativeMachine {
        let hostPage = place.hostPage(.creative(self.layout(options)))
        return CreativeMachine(self.plan(document, options, name: place.name), in: hostPage)
    }

    private func layout(_ options: StageOptions) -> StagePlan.Layout {
        options.kind == .banner || options.kind == .card ? .inline : .full
    }

    private func plan(_ document: String, _ options: StageOptions, name: String) -> StagePlan {
        var plan = StagePlan(
            name: name,
            layout: self.layout(options),
            geometry: StageGeometry(screen: self.screen, size: options.size),
            document: document,
            allowed: self.allowed,
            expansionPolicy: self.expansionPolicy,
            withholdsTracking: self.withholdsTracking,
            files: self.files
        )
        plan.isMobile = self.device?.isMobile ?? true
        plan.location = options.location
        plan.isMeasured = self.isMeasured
        return plan
    }

    private func playerOptions(_ options: StageOptions, _ plan: StagePlan) -> PlayerOptions {
        var player = PlayerOptions()
        if case .rewarded = options.kind { player.isSkippable = false }
        player.rate = min(max(0.1, self.speed), PlayerOptions.maxRate)
        player.captionLanguage = self.captionLanguage
        if self.transport != nil { player.storeAddress = VideoMachine.storeAddress(plan) }
        return player
    }
}

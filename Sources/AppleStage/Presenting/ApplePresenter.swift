#if canImport(UIKit) && canImport(WebKit)
    public import AdCore
    import SystemSupport
    public import UIKit
    import WebKit
    public import WebStage

    /// Shows ads in WKWebView: banners in a view of the app, all others over the whole screen.
    ///
    /// All others are interstitials, videos, rewarded videos, and the pages of providers, as those of Smartico, through
    /// which the app shows where they are transparent. Cards have a `CardPresenter`.
    ///
    /// Each ad has a web view of its own, with cookies and storage in memory only. The close button, its countdown and
    /// the skip button of a full-screen ad are views above the web view, out of the creative's reach.
    ///
    /// ```swift
    /// let banners = ApplePresenter(in: containerView)
    /// let fullScreen = ApplePresenter()
    /// try await ad.show(on: fullScreen)
    /// ```
    public final class ApplePresenter: Presenter {
        /// The views of an app, which it may remove at any time.
        @MainActor
        private final class Place {
            weak var container: UIView?
            /// Finds the view controller for full-screen ads; nil in a place for banners.
            private let find: (@MainActor () -> UIViewController?)?

            init(in container: UIView) {
                self.container = container
                self.find = nil
            }

            init(over controller: UIViewController?) {
                if let controller {
                    self.find = { [weak controller] in controller }
                } else {
                    self.find = { UIApplication.shared.frontViewController }
                }
            }

            var isFullScreen: Bool { self.find != nil }
            var controller: UIViewController? { self.find?() }
            var window: UIWindow? { self.container?.window ?? self.controller?.view.window }
        }

        private let options: AppleStageOptions
        private let transport: (any Transport)?
        private let notify: @Sendable (StageNotification, AdID) -> Void
        private let host: EngineHost<WebViewEngine>
        @MainActor private let place: Place

        /// Creates a presenter of banners in a view of the app, which has to be in a window when an ad is shown.
        ///
        /// - Parameters:
        ///   - container: The view that gets the banner; its size is the space for it.
        ///   - options: How ads are shown.
        ///   - transport: Fetches videos before they are played; without one WebKit fetches them during playback.
        ///   - notify: Called for what happens in a creative, with the ad's identifier, on any thread.
        @MainActor
        public convenience init(
            in container: UIView,
            options: AppleStageOptions = AppleStageOptions(),
            transport: (any Transport)? = nil,
            notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
        ) {
            self.init(Place(in: container), options, transport, notify)
        }

        /// Creates a presenter of full-screen and rewarded ads, and of providers' pages.
        ///
        /// - Parameters:
        ///   - controller: The view controller over which the ads are; without one it is that of the scene in front.
        ///   - options: How ads are shown.
        ///   - transport: Fetches videos before they are played; without one WebKit fetches them during playback.
        ///   - notify: Called for what happens in a creative, with the ad's identifier, on any thread.
        @MainActor
        public convenience init(
            over controller: UIViewController? = nil,
            options: AppleStageOptions = AppleStageOptions(),
            transport: (any Transport)? = nil,
            notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
        ) {
            self.init(Place(over: controller), options, transport, notify)
        }

        @MainActor
        private init(
            _ place: Place,
            _ options: AppleStageOptions,
            _ transport: (any Transport)?,
            _ notify: @escaping @Sendable (StageNotification, AdID) -> Void
        ) {
            self.place = place
            self.options = options
            self.transport = transport
            self.notify = notify
            let rules = ContentRules(allowed: options.allowedHosts.map(\.origin))
            let screen = ApplePresenter.screen(of: place)
            self.host = EngineHost(screen: screen, limit: EnginePresenter<WebViewEngine>.limit) {
                WebViewEngine(rules: rules) { [weak place] in place.flatMap { WaitingRoom.view(in: $0.window) } }
            }
        }

        /// Ends all pages; ads that are still shown are gone.
        public func close() async { await self.host.close() }

        /// The space for an ad: the container's, or the screen; a banner in a container without a height may choose one.
        public func container(for kind: ShowRules.Kind) async -> AdContainer { await self.space }

        @MainActor private var space: AdContainer {
            let screen = ApplePresenter.screen(of: self.place)
            guard let size = self.place.container?.bounds.size else { return .fullScreen(screen) }
            return AdContainer(width: size.width, height: size.height > 0 ? size.height : nil, screen: screen)
        }

        @MainActor
        private static func screen(of place: Place) -> Size {
            let size = place.window?.bounds.size ?? place.controller?.view.bounds.size ?? place.container?.bounds.size
            return Size(width: max(1, size?.width ?? 390), height: max(1, size?.height ?? 844))
        }

        /// Loads a creative in a web view of its own, out of sight; waits if four creatives are shown already.
        ///
        /// A video's stage is returned when its page is loaded, and reports `ready` when its media file is.
        public func present(
            _ creative: Creative,
            _ options: StageOptions,
            report: @escaping @Sendable (StageEvent) -> Void
        ) async throws(StageError) -> any Stage {
            if let refusal = await self.refusal(of: options.kind) { throw refusal }
            let screen = await self.space.screen
            var settings = StageSettings(
                screen: screen,
                allowedHosts: self.options.allowedHosts,
                transport: self.transport
            )
            settings.captionLanguage = self.options.captionLanguage
            let presenter = EnginePresenter(settings, in: self.host, notify: self.notify)
            let stage = try await presenter.stage(creative, options, report: report)
            guard let presented = await self.stage(stage, options, report: report) else {
                await stage.close(.stageGone)
                throw StageError("the view for the ad is gone; keep it until the ad is closed")
            }
            return presented
        }

        /// Why this presenter does not show a kind of ad; nil if it does.
        @MainActor
        private func refusal(of kind: ShowRules.Kind) -> StageError? {
            switch kind {
            case .banner, .card:
                self.place.isFullScreen
                    ? StageError("this presenter shows full-screen ads; use ApplePresenter(in:)") : nil
            case .interstitial, .video, .rewarded, .engagement:
                self.place.isFullScreen ? nil : StageError("this presenter shows banners; use ApplePresenter(over:)")
            }
        }

        @MainActor
        private func stage(
            _ stage: BrowserStage,
            _ options: StageOptions,
            report: @escaping @Sendable (StageEvent) -> Void
        ) -> PresentedStage? {
            guard let page = stage.engine as? WebViewPage else { return nil }
            let content = page.shell.view
            let frame: any AdFrame
            if let controller = self.place.controller {
                let isPage = options.kind == .engagement
                frame = FullScreenFrame(content, over: controller, self.options.texts, isPage: isPage)
            } else if let container = self.place.container {
                frame = ContainerFrame(content, in: container)
            } else {
                return nil
            }
            return PresentedStage(stage, in: page, frame, closeDelay: options.closeDelay, report: report)
        }
    }

    extension UIApplication {
        /// The root view controller of the scene in front.
        fileprivate var frontViewController: UIViewController? {
            let scenes = self.connectedScenes.compactMap { $0 as? UIWindowScene }
            return (scenes.first { $0.activationState == .foregroundActive } ?? scenes.first)?.keyWindow?
                .rootViewController
        }
    }
#endif

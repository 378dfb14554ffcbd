#if canImport(WebKit) && canImport(UIKit)
    public import AdCore
    public import UIKit

    /// Shows the pages of engagements, as those of Smartico, over the whole screen of an app.
    ///
    /// Each page has a web view of its own, so a popup and the widget can be open at the same time. A page is loaded out of
    /// sight, exchanges messages with the app over its bridge, and appears when its ad is revealed. It takes pages only:
    /// cards have a `CardPresenter`.
    @MainActor public final class AdPagePresenter: Presenter {
        private let controller: @MainActor () -> UIViewController?

        /// Creates a presenter whose pages are over a controller, which is asked for each time.
        public init(over controller: @escaping @MainActor () -> UIViewController?) { self.controller = controller }

        /// The whole area of the controller.
        public func container(for kind: ShowRules.Kind) async -> AdContainer {
            guard let size = self.controller()?.topmost.view.bounds.size else {
                return .fullScreen(Size(width: 390, height: 844))
            }
            return .fullScreen(Size(width: Double(size.width), height: Double(size.height)))
        }

        /// Loads a page; any other creative is refused.
        public func present(
            _ creative: Creative,
            _ options: StageOptions,
            report: @escaping @Sendable (StageEvent) -> Void
        ) async throws(StageError) -> any Stage {
            guard case .page(let page) = creative else {
                throw StageError("an AdPagePresenter shows pages only; show this ad on another presenter")
            }
            guard let parent = self.controller()?.topmost else {
                throw StageError("there is no view controller for the page; pass one that is on screen")
            }
            let stage = PageStage(PageController(page, report: report))
            stage.controller.add(to: parent)
            let result = await withTaskCancellationHandler {
                await stage.controller.load()
            } onCancel: {
                Task { @MainActor in stage.controller.handle(.close) }
            }
            try result.get()
            return stage
        }
    }

    /// A page's stage: the ad's commands, on the main actor.
    @MainActor private final class PageStage: Stage {
        let controller: PageController

        init(_ controller: PageController) { self.controller = controller }

        func reveal() async { self.controller.handle(.reveal) }

        func setControl(_ control: StageControl, visible: Bool) async {
            // A page has no video to skip.
            guard control == .close else { return }
            self.controller.setCloseButton(visible: visible)
        }

        func control(_ command: VideoCommand) async {}

        func post(_ message: String) async { self.controller.handle(.post(message)) }

        func close(_ reason: CloseReason) async { self.controller.handle(.close) }
    }
#endif

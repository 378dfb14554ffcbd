/// Creates the stages that display creatives: a terminal, a browser, a web view.
///
/// The runtime decides and a stage reports: a stage never sends a beacon, never opens a link, and never decides that an
/// ad can be closed.
///
/// ```swift
/// struct MyPresenter: Presenter {
///     func container(for kind: ShowRules.Kind) async -> AdContainer {
///         AdContainer(width: 390, screen: Size(width: 390, height: 844))
///     }
///
///     func present(
///         _ creative: Creative,
///         _ options: StageOptions,
///         report: @escaping @Sendable (StageEvent) -> Void
///     ) async throws(StageError) -> any Stage {
///         MyStage(creative, size: options.size.resolved, report: report)
///     }
/// }
/// ```
public protocol Presenter: Sendable {
    /// The available space for an ad of this kind.
    func container(for kind: ShowRules.Kind) async -> AdContainer
    /// Creates a creative out of sight, and reports `ready` when it can be revealed.
    ///
    /// `report` may be called from any thread, even before this returns; it retains only the ad.
    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage
}

/// One creative on a screen, from `present` to `close`.
///
/// The runtime calls one method at a time, in order, and never again after `close`.
public protocol Stage: Sendable {
    /// Makes the creative visible; the stage then reports `revealed` and `visible(ratio:)`.
    func reveal() async
    /// Shows or hides a control of the runtime, above the creative and out of its reach.
    func setControl(_ control: StageControl, visible: Bool) async
    /// Controls the video of a video creative.
    func control(_ command: VideoCommand) async
    /// Posts a message to a page creative, as an argument of a call and never as code; other creatives ignore it.
    func post(_ message: String) async
    /// Tells the stage what was tracked and what happens around the ad; stages without scripts that measure ignore it.
    func notify(_ notice: StageNotice) async
    /// Takes the creative off the screen and frees its resources.
    func close(_ reason: CloseReason) async
}

extension Stage {
    /// Ignores the message.
    public func post(_ message: String) async {}
    /// Ignores the notice.
    public func notify(_ notice: StageNotice) async {}
}

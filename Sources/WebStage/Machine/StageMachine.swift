package import AdCore
package import AdMarkup

/// The state machine of one creative in an engine's page: handles inputs, returns outputs that `BrowserStage` executes.
///
/// There is one for each kind of creative. `CommonStageMachine` has the common part.
package protocol StageMachine: Sendable {
    /// The target of the host page, or of a provider's page.
    var page: EngineTarget { get }
    /// The creative's document and its current geometry.
    var plan: StagePlan { get }
    /// The target of the creative's own scripts; nil if there is none.
    var creative: EngineTarget? { get }
    /// Whether nothing of the page had to be ended, so that it can show another creative.
    var isIntact: Bool { get }
    /// The frames of a creative that are measured, its own first.
    var measuredFrames: [MeasuredFrame] { get }
    /// When a script has last changed the creative, by the clock of its frames; nil if it has not.
    var lastChange: Duration? { get }
    /// How the frames inside of the creative's own move, by their numbers.
    var motions: [String: FrameMotion] { get }
    /// The images of the creative that may be animated.
    var images: LoadedImages { get }
    /// The command that returns the center of a control as `[x, y]`, or null if it is not shown.
    func place(of control: StageControl) -> EngineCommand
    /// The command that returns the clickable rectangle as `[x, y, width, height]`, followed by its scale if that
    /// differs from the creative's; and the target in it that can be searched for links.
    var clickable: (box: EngineCommand, inside: EngineTarget?) { get }
    /// The state of the video; nil for other creatives.
    var playback: StagePlayback? { get }
    /// The number of reported user gestures; nil if they are not counted.
    var gestures: Int? { get }
    /// Whether a blank check is pending.
    var isCheckingBlank: Bool { get }
    /// Whether a tap may get its outcome within the next half second.
    var hasPendingTap: Bool { get }
    /// Whether an MRAID ad is expanded or resized.
    var isLarge: Bool { get }
    /// The geometry as the app has set it; an MRAID ad may force another orientation.
    var appGeometry: StageGeometry { get }
    /// The target of the page of a two-part creative; nil if there is none.
    var expandedPageTarget: EngineTarget? { get }
    /// The command that returns the center of the collapse button, or null if it is not shown; nil if ads of this kind
    /// have none.
    var placeOfCollapseButton: EngineCommand? { get }
    /// The world in which the scripted user waits for animation frames.
    var drawingWorld: EngineWorld { get }
    /// How long the page will stay when the ad is closed, hidden, so that scripts can send what they have measured.
    var farewell: Duration { get }
    /// Starts the presentation.
    mutating func start() -> [StageOutput]
    /// Handles an input.
    mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput]
}

extension StageMachine {
    /// Finds a control of the host page, and scrolls it into view.
    package func place(of control: StageControl) -> EngineCommand {
        Self.place(ofElement: control.rawValue, in: self.page)
    }

    /// The command that returns the center of an element of the host page, or null if it is not shown.
    static func place(ofElement id: String, in page: EngineTarget) -> EngineCommand {
        let script = """
            (() => {
              const control = document.getElementById("\(id)");
              if (!control || control.getClientRects().length === 0) return null;
              control.scrollIntoView({ block: "nearest", behavior: "instant" });
              const { x, y, width, height } = control.getBoundingClientRect();
              return [x + width / 2, y + height / 2];
            })()
            """
        return .evaluate(EngineEvaluation(script), in: page)
    }

    /// The creative's rectangle in the host page.
    package var clickable: (box: EngineCommand, inside: EngineTarget?) {
        let slot = """
            (() => {
              const { x, y, width, height } = document.getElementById("slot").getBoundingClientRect();
              return [x, y, width, height];
            })()
            """
        return (.evaluate(EngineEvaluation(slot), in: self.page), self.creative)
    }

    package var playback: StagePlayback? { nil }
    package var gestures: Int? { nil }
    package var isCheckingBlank: Bool { false }
    package var hasPendingTap: Bool { false }
    package var isLarge: Bool { false }
    package var appGeometry: StageGeometry { self.plan.geometry }
    package var expandedPageTarget: EngineTarget? { nil }
    package var placeOfCollapseButton: EngineCommand? { nil }
    package var drawingWorld: EngineWorld { .main }
    package var farewell: Duration { .zero }
}

/// The playback state of a video.
package struct StagePlayback: Hashable, Sendable {
    /// Whether something plays, or is about to play without another command.
    package let isPlaying: Bool
    package let isMuted: Bool
    package let isPausedByUser: Bool
    package let isFullScreen: Bool
}

/// An input of a stage's machine.
package enum StageInput: Sendable {
    /// An event of the engine.
    case event(EngineEvent)
    /// The engine's reply to a query.
    case reply(StageQuery, Result<EngineReply, EngineError>)
    /// An alarm that is due.
    case alarm(StageAlarm)
    /// Make the creative visible.
    case reveal
    /// The scripted user is about to tap; the search for touch listeners makes the engine compile event handlers.
    case willTap
    /// The scripted user taps at a position of the screen.
    case tap(ScreenPoint)
    /// Show or hide a control.
    case control(StageControl, visible: Bool)
    /// The screen was rotated, or the size available to the ad has changed.
    case size(StageGeometry)
    /// A command for the video.
    case video(VideoCommand)
    /// The result of fetching a media file.
    case fetched(Int, Result<FetchedMedia, MediaError>)
    /// The result of fetching a caption file.
    case captions(Int, Result<CaptionTrack, MediaError>)
    /// A message of the app to the page.
    case post(String)
    /// What the runtime has tracked, or what happens around the ad.
    case notice(StageNotice)
    /// The app is about to close the ad: resolve everything that is pending.
    case prepareToClose
    /// The user pressed a control, and the page did not report it in time.
    case pressed(StageControl)
    /// The ad is closed.
    case close
    /// The page of a closed or failed ad is about to be removed or given back.
    case end

    /// Whether it is handled before all waiting inputs: closing an ad does not wait for the events that a creative
    /// causes, and comes after the notice of the skip that closes it.
    ///
    /// A request whose last event is still waiting at the end is recorded without a response.
    var isUrgent: Bool {
        switch self {
        case .pressed, .close, .end, .notice: true
        default: false
        }
    }
}

/// An action of a stage's machine.
package enum StageOutput: Hashable, Sendable {
    /// Send the engine a command.
    case send(EngineCommand)
    /// Send the engine a command, and handle its reply.
    case query(EngineCommand, StageQuery, within: Duration = EngineTime.limit)
    /// Send a request to an allowed host, and answer it with the response.
    case serve(EngineRequest)
    /// Fetch and store a media file.
    case fetch(MediaDownload)
    /// Fetch and read a caption file.
    case fetchCaptions(MediaDownload)
    /// Answer a request with a part of a stored media file.
    case answer(EngineRequest, MediaRange, of: MediaDownload)
    /// Remove a stored media file, or stop fetching it.
    case drop(Int)
    /// Return from `prepare` before the creative is ready.
    case finishPresenting
    /// Report an event to the ad.
    case report(StageEvent)
    /// The blank check is over.
    case blankCheckFinished
    /// Nothing is pending any more: the app can close the ad.
    case readyToClose
    /// Notify observers.
    case notify(StageNotification)
    /// Report an activity of the creative to tools.
    case observe(CreativeActivity)
    /// Send the machine an alarm after a delay.
    case setAlarm(StageAlarm, after: Duration)
    /// Fail the presentation.
    case fail(StageError)
}

/// Identifies a query of a machine in the reply.
package enum StageQuery: Hashable, Sendable {
    case navigated, world, hostReady
    /// Whether a page has executed all earlier commands, so it can navigate.
    case armed
    /// A check of `RendererMonitor`.
    case monitor(EngineTarget)
    /// Whether a user's gesture preceded this attempt.
    case gesture(NavigationAttempt)
    /// The same in the frame of a video's part.
    case partGesture(Int, NavigationAttempt)
    /// Whether the creative's renderer answers although it has reported no event of a press; the number of the press's
    /// alarm.
    case tap(Int)
    /// The width of a part's image, 0 if it did not load.
    case partPicture(Int)
    /// A step of a blank check.
    case blankCheck(BlankCheckStep)
}

/// The alarms of a machine.
package enum StageAlarm: Hashable, Sendable {
    /// The creative is not ready in time.
    case loadTimeout
    /// Subresources are not loaded in time: show the creative without them. For a provider's page: its process had time
    /// to end.
    case settleTimeout
    /// A check of `RendererMonitor` is due.
    case monitor(EngineTarget)
    /// A blank check is due.
    case blankCheck
    /// The final blank check takes too long.
    case finalBlankCheck
    /// The creative exceeded the byte limit and has to be ended.
    case byteLimit
    /// The page of a two-part creative did not load in time; its name.
    case expandedPage(String)
    /// The outcome of a press has to be decided.
    case tap(Int)
    /// The outcome of a press on a part has to be decided; the part's number and the press's.
    case partTap(Int, Int)
    /// An alarm of the player, or of a part.
    case player(PlayerAlarm)
    /// Scripts that measure can get the latest geometry now.
    case geometry
    /// An alarm about an interactive creative.
    case interactive(InteractiveAlarm)
    /// An alarm about a program.
    case program(ProgramWait)
}

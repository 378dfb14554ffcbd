package import AdCore

/// Decides what happens to one page of an engine: what it is sent, and what is reported to the ad.
///
/// One for each kind of creative; a `BrowserStage` executes what it decides. `ShownMachine` has what the kinds share.
package protocol StageMachine: Sendable {
    /// Our page around the creative, or the page itself.
    var page: EngineTarget { get }
    /// What is shown, and the room that there is for it now.
    var plan: StagePlan { get }
    /// The target with the creative's own scripts, where there is one.
    var creative: EngineTarget? { get }
    /// Finds the middle of a control of ours, as `[x, y]`; null where it is not shown.
    func place(of control: StageControl) -> EngineCommand
    /// Finds what a user may click, as `[x, y, width, height]`, followed by its scale where that is not the creative's; and
    /// the target in it that can be asked for links.
    var clickable: (box: EngineCommand, inside: EngineTarget?) { get }
    /// What its video does; nil where it has none.
    var playback: StagePlayback? { get }
    /// How many gestures of a user were reported in what is shown; nil where they are not counted.
    var gestures: Int? { get }
    /// Whether it is undecided yet if anything of the creative is visible.
    var isLooking: Bool { get }
    /// Whether a press of the user may have an outcome in the next moment.
    var hasPendingTap: Bool { get }
    /// Whether the ad has made itself larger than its own place.
    var isLarge: Bool { get }
    /// The world of the page in which drawing can be waited for.
    var drawingWorld: EngineWorld { get }
    /// What is done first.
    mutating func start() -> [StageOutput]
    /// What follows from an input.
    mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput]
}

extension StageMachine {
    /// A control of our page around a creative, scrolled into view where it was scrolled away.
    package func place(of control: StageControl) -> EngineCommand {
        Self.place(ofElement: control.rawValue, in: self.page)
    }

    /// An element of our page that can be pressed; null where it is not shown.
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

    /// The place of a creative in our page around it.
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
    package var isLooking: Bool { false }
    package var hasPendingTap: Bool { false }
    package var isLarge: Bool { false }
    package var drawingWorld: EngineWorld { .main }
}

/// What a video does now.
package struct StagePlayback: Hashable, Sendable {
    /// Whether something plays, or will without another command.
    package let isPlaying: Bool
    package let isMuted: Bool
    package let isPausedByUser: Bool
}

/// What a stage's machine handles.
package enum StageInput: Sendable {
    /// The engine reports something.
    case event(EngineEvent)
    /// The engine replies to a query.
    case reply(StageQuery, Result<EngineReply, EngineFault>)
    /// An alarm is due.
    case alarm(StageAlarm)
    /// Make it visible.
    case reveal
    /// The scripted user is about to press the creative: the search for listeners there makes the engine compile handlers.
    case reach
    /// The scripted user taps the creative, at a place of the screen.
    case tap(ScreenPlace)
    /// Show or hide a control.
    case control(StageControl, visible: Bool)
    /// There is other room: the screen was turned, or what surrounds the ad has changed.
    case size(StageRoom)
    /// The volume of the device, from 0 to 100; nil where it is unknown.
    case volume(Double?)
    /// A command for the video.
    case video(VideoCommand)
    /// A media file was fetched, or can't be.
    case fetched(Int, Result<FetchedMedia, MediaFault>)
    /// A message of the app for the page.
    case post(String)
    /// The app is about to take the ad away.
    case leaving
    /// A user has pressed a control that is shown, and the page did not report that in time: the press counts all the same.
    case pressed(StageControl)
    /// The ad is over.
    case close

    /// Whether it is handled before everything that waits: the end of an ad does not wait behind what the creative made the
    /// engine report.
    var isUrgent: Bool {
        switch self {
        case .pressed, .close: true
        default: false
        }
    }
}

/// What a stage does.
package enum StageOutput: Hashable, Sendable {
    /// Send the engine a command.
    case send(EngineCommand)
    /// Send the engine a command whose reply the machine handles.
    case query(EngineCommand, StageQuery, within: Duration = EngineTime.limit)
    /// Call a server that the host allows, and answer the request with its response.
    case serve(EngineRequest)
    /// Fetch a media file and store it.
    case fetch(MediaOrder)
    /// Answer a request with a part of a stored media file.
    case answer(EngineRequest, MediaPiece, of: MediaOrder)
    /// Remove a stored media file, or stop fetching it.
    case drop(Int)
    /// The stage can be returned to the ad: what it shows becomes ready later.
    case stand
    /// Report to the ad.
    case report(StageEvent)
    /// It is decided whether anything of the creative is visible.
    case settled
    /// What was undecided is decided: the app may take the ad away.
    case left
    /// Tell observers.
    case note(StageNote)
    /// Call back after some time.
    case setAlarm(StageAlarm, after: Duration)
    /// It can't be shown.
    case fail(StageError)
}

/// The queries of a machine, by which it recognises the replies.
package enum StageQuery: Hashable, Sendable {
    case navigated, world, hostReady
    /// Whether a page has executed what it was sent, and can navigate.
    case armed
    /// Whether something that is shown still answers.
    case monitor(EngineTarget)
    /// Whether a user's gesture is on its way behind this attempt.
    case gesture(Attempt)
    /// The same, in the frame of a part.
    case partGesture(Int, Attempt)
    /// Whether the creative's renderer runs, where it has reported nothing of a press; the number of the press's alarm.
    case tap(Int)
    /// Whether a part's image was loaded.
    case partPicture(Int)
    /// What is visible of the creative.
    case look(LookStep)
}

/// The alarms of a machine.
package enum StageAlarm: Hashable, Sendable {
    /// The creative has had its time to become ready.
    case patience
    /// The creative's parts have had their time; what is there is shown.
    case settling
    /// Ask whether something that is shown still answers.
    case monitor(EngineTarget)
    /// Look whether anything of the creative is visible.
    case look
    /// The last of these looks has had its time: the ad leaves the screen.
    case lastLook
    /// So much was loaded that the creative has to be ended.
    case byteLimit
    /// The page that an ad has expanded to has had its time; the name under which it was requested.
    case second(String)
    /// The outcome of a press is to be decided.
    case tap(Int)
    /// The outcome of a press on a part, by the part's number.
    case partTap(Int, Int)
    /// An alarm of the player, or of a part.
    case player(PlayerAlarm)
}

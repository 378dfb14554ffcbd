import AdCore

/// Decides what happens to one page of the browser: what it is told, and what is told of it.
///
/// One for each kind of creative; a `BrowserStage` carries out what it decides.
protocol StageMachine: Sendable {
    /// Our page around the creative, or the page itself.
    var page: DevToolsSession { get }
    /// What is shown, and the room that there is for it now.
    var plan: StagePlan { get }
    /// The frame with the creative's own scripts, where there is one.
    var creative: DevToolsSession? { get }
    /// Asks where the middle of a control of ours is, as `[x, y]`; null where it is not shown.
    func place(of control: StageControl) -> DevToolsCommand
    /// Asks where the thing is that a user may click, as `[x, y, width, height]`, with its scale behind where that is not the
    /// creative's, and who knows what is in it.
    var clickable: (box: DevToolsCommand, inside: DevToolsSession?) { get }
    /// What its video does; nil where it has none.
    var playback: StagePlayback? { get }
    /// How many gestures of a user were heard of in what is shown; nil where nobody counts them.
    var gestures: Int? { get }
    /// Whether it is still to be decided if anything of the creative is visible.
    var isLooking: Bool { get }
    /// Whether a press of the user may have an outcome in the next moment.
    var hasPendingTap: Bool { get }
    /// Whether the ad has made itself larger than its own place.
    var isLarge: Bool { get }
    /// Our own world in the page, where the page's is not ours.
    var world: Int? { get }
    /// What is done first.
    mutating func begin() -> [StageOutput]
    /// What follows from what happened.
    mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput]
}

extension StageMachine {
    /// Where a control of our page around a creative is, brought into sight where it was scrolled away.
    func place(of control: StageControl) -> DevToolsCommand {
        Self.place(ofElement: control.rawValue, in: self.page)
    }

    /// Where something in our page is that can be pressed; null where it is not shown.
    static func place(ofElement id: String, in page: DevToolsSession) -> DevToolsCommand {
        let script = """
            (() => {
              const control = document.getElementById("\(id)");
              if (!control || control.getClientRects().length === 0) return null;
              control.scrollIntoView({ block: "nearest", behavior: "instant" });
              const { x, y, width, height } = control.getBoundingClientRect();
              return [x + width / 2, y + height / 2];
            })()
            """
        let params: JSON = ["expression": .string(script), "returnByValue": true, "awaitPromise": true]
        return DevToolsCommand("Runtime.evaluate", params, in: page)
    }

    /// The place of a creative in our page around it.
    var clickable: (box: DevToolsCommand, inside: DevToolsSession?) {
        let slot = """
            (() => {
              const { x, y, width, height } = document.getElementById("slot").getBoundingClientRect();
              return [x, y, width, height];
            })()
            """
        return (self.evaluation(slot, in: self.page), self.creative)
    }

    /// Asks for the value of an expression, in a world of the page or in its main one.
    func evaluation(_ expression: String, in session: DevToolsSession, world: Int? = nil) -> DevToolsCommand {
        var members: [JSON.Member] = [
            .init("expression", .string(expression)), .init("returnByValue", true), .init("awaitPromise", true),
        ]
        if let world { members.append(.init("contextId", .int(world))) }
        return DevToolsCommand("Runtime.evaluate", .object(members), in: session)
    }

    /// What follows from a user's press on a control of which the page has said nothing in time.
    ///
    /// Whether an ad can be closed must not depend on a browser that the ad keeps busy.
    func pressed(_ control: StageControl) -> [StageOutput] {
        let words = "the page did not react to a press on \(control.rawValue) in time; the stage took the press instead"
        let press: StageEvent = control == .close ? .closeRequested(by: .user) : .skipRequested
        return [.report(.blocked(BlockedAttempt(.other, words))), .report(press)]
    }

    var playback: StagePlayback? { nil }
    var gestures: Int? { nil }
    var isLooking: Bool { false }
    var hasPendingTap: Bool { false }
    var isLarge: Bool { false }
    var world: Int? { nil }

    /// What is done when all is over: nothing is let through any more, and nothing is held.
    func refuse(_ input: StageInput) -> [StageOutput] {
        switch input {
        case .fetched(let number, .success): [.drop(number)]
        case .event(let event) where event.method == "Fetch.requestPaused":
            PausedRequest(event).map { [.say($0.refusal("Aborted"))] } ?? []
        default: []
        }
    }
}

/// What a video does, for whoever looks on.
package struct StagePlayback: Hashable, Sendable {
    /// Whether something plays, or will by itself.
    package let isPlaying: Bool
    package let isMuted: Bool
    package let isPausedByUser: Bool
}

/// What a stage is told.
enum StageInput: Sendable {
    /// The browser says something in one of the stage's sessions.
    case event(DevToolsEvent)
    /// The browser answers.
    case answer(StageQuestion, Result<JSON, DevToolsFault>)
    /// Time has passed.
    case alarm(StageAlarm)
    /// Bring it into sight.
    case reveal
    /// The scripted user's hand reaches for the creative: what it looks for there has the browser compile the handlers.
    case reach
    /// The scripted user taps the creative, at a place of the screen.
    case tap(ScreenPlace)
    /// Show or hide a control.
    case control(StageControl, visible: Bool)
    /// There is other room for it: the screen was turned, or what surrounds it was changed.
    case size(StageRoom)
    /// The device is so loud, from 0 to 100; nil where nobody knows.
    case volume(Double?)
    /// Steer the video.
    case video(VideoCommand)
    /// A film is there, or can't be had.
    case fetched(Int, Result<FetchedMedia, MediaFault>)
    /// Tell the page something.
    case post(String)
    /// The app is about to take the ad away.
    case leaving
    /// A user has pressed a control that is shown, and the page has not said so in time: the press counts all the same.
    case pressed(StageControl)
    /// The ad is over.
    case close

    /// Whether it is handled before everything that waits already.
    var isUrgent: Bool {
        switch self {
        case .pressed, .close: true
        default: false
        }
    }
}

/// What a stage does.
enum StageOutput: Hashable, Sendable {
    /// Tell the browser.
    case say(DevToolsCommand)
    /// Ask the browser.
    case ask(DevToolsCommand, StageQuestion, within: Duration = DevToolsPipe.patience)
    /// Hear what is said in a session from now on.
    case listen(DevToolsSession)
    /// Hear nothing of a session any more: it is over.
    case forget(DevToolsSession)
    /// Ask a server on this machine, and give the answer to the page that wants it.
    case serve(PausedRequest)
    /// Fetch a film, and hold it.
    case fetch(MediaOrder)
    /// Give a page so much of a film that is held.
    case give(MediaPiece, of: MediaOrder, PausedRequest)
    /// Free a film that is held, or stop fetching it.
    case drop(Int)
    /// The stage stands, and can be told something: what it shows becomes ready later.
    case stand
    /// Tell the ad.
    case report(StageEvent)
    /// Whether anything of the creative is visible is decided.
    case settled
    /// What was open is decided: the app may take the ad away.
    case left
    /// Tell whoever watches.
    case note(StageNote)
    /// Wait so long.
    case setAlarm(StageAlarm, after: Duration)
    /// It can't be shown.
    case fail(StageError)
}

/// What a stage asks the browser.
enum StageQuestion: Hashable, Sendable {
    case navigated, world, hostReady
    /// Whether a page is ready to go anywhere.
    case armed
    /// Whether something that is shown still answers.
    case pulse(DevToolsSession)
    /// Whether a user's gesture is on its way behind this attempt.
    case gesture(Attempt)
    /// The same, in the frame of a part.
    case partGesture(Int, Attempt)
    /// Whether the creative's renderer runs, where it has reported nothing of a press; the number of the press's alarm.
    case tap(Int)
    /// Whether a part's picture is there.
    case partPicture(Int)
    /// What is visible of the creative.
    case look(LookStep)
    /// Whether what is sent to a page was taken; nobody minds.
    case nothing
}

/// What a stage waits for.
enum StageAlarm: Hashable, Sendable {
    /// The creative has had its time to become ready.
    case patience
    /// The creative's parts have had their time; what is there is shown.
    case settling
    /// Look whether something that is shown still answers.
    case pulse(DevToolsSession)
    /// Look whether anything of the creative is visible.
    case look
    /// The last of these looks has had its time: the ad leaves the screen.
    case lastLook
    /// So much was loaded that it is to be ended.
    case surfeit
    /// The page that an ad has expanded to has had its time; the name under which it was asked for.
    case second(String)
    /// The outcome of a press is to be decided.
    case tap(Int)
    /// The same of a press on a part, by the part's number.
    case partTap(Int, Int)
    /// A player, or what is shown with it, is to be looked after.
    case player(PlayerAlarm)
}

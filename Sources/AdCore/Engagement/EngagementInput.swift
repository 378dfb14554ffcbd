/// An input of a live session.
public enum EngagementInput<Command: Sendable>: Sendable {
    /// A command of the host.
    case command(Command)
    /// An event of the latest connection.
    case socket(SocketEvent)
    /// A timer has fired.
    case timer(EngagementTimer)
    /// An event of an offered page.
    case page(PageID, PageEvent)
    /// The app's visibility or its network changed.
    case signal(HostSignal)
}

/// An action of a live session.
public enum EngagementAction<Event: Sendable>: Sendable {
    /// Open a connection; an earlier one is closed, and its events are ignored.
    case connect(SocketRequest)
    /// Send a text over the connection.
    case send(String)
    /// Close the connection and ignore its events.
    case disconnect
    /// Set a timer; it replaces a timer of the same name.
    case setTimer(EngagementTimer, Moment)
    /// Cancel a timer.
    case cancelTimer(EngagementTimer)
    /// Offer an engagement to the host.
    case offer(PageID, Offer)
    /// Post a message to a page.
    case post(PageID, String)
    /// Reveal a page, which is ready.
    case ready(PageID)
    /// Close a page by its own request.
    case close(PageID)
    /// Withdraw an offer, and close its page if it is on screen.
    case withdraw(PageID)
    /// Report an event to the host.
    case report(Event)
    /// Report an issue.
    case issue(AdIssue)
}

/// The timers of a live session.
public enum EngagementTimer: String, Hashable, Sendable, CaseIterable {
    /// The pause before connecting again.
    case reconnect
    /// The deadline of a server's response.
    case response = "answer"
    /// The deadline of any message from the server.
    case silence
}

/// The id of a page in a live session.
public struct PageID: Hashable, Sendable {
    /// The number, unique in its session.
    public let number: Int

    /// Creates an id.
    public init(_ number: Int) { self.number = number }
}

/// An event of a page.
public enum PageEvent: Hashable, Sendable {
    /// It sent a message, which is untrusted.
    case message(String)
    /// It is on screen.
    case shown
    /// It is closed or will never be shown.
    case gone
}

/// The current time by both clocks, and the time zone.
public struct EngagementTime: Hashable, Sendable {
    /// The time of the monotonic clock.
    public let now: Moment
    /// The calendar time.
    public let wall: WallTime
    /// The minutes from local time to UTC, as JavaScript's `getTimezoneOffset` returns them: -180 for UTC+3.
    public let minutesBehindUTC: Int

    /// Creates a time.
    public init(now: Moment, wall: WallTime, minutesBehindUTC: Int) {
        self.now = now
        self.wall = wall
        self.minutesBehindUTC = minutesBehindUTC
    }
}

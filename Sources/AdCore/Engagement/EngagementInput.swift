/// What a live session takes.
public enum EngagementInput<Command: Sendable>: Sendable {
    /// The host wants something.
    case command(Command)
    /// Something became of the connection that was asked for last.
    case socket(SocketEvent)
    /// A timer has fired.
    case timer(EngagementTimer)
    /// Something became of a page that was offered.
    case page(PageID, PageEvent)
    /// Something changed around the app.
    case signal(HostSignal)
}

/// What a live session does.
public enum EngagementAction<Event: Sendable>: Sendable {
    /// Open a connection; the one before is closed, and nothing more is heard of it.
    case connect(SocketRequest)
    /// Send a text over the connection.
    case send(String)
    /// Close the connection; nothing more is heard of it.
    case disconnect
    /// Set a timer; one of the same name is replaced.
    case setTimer(EngagementTimer, Moment)
    /// Take a timer back.
    case cancelTimer(EngagementTimer)
    /// There is something to be shown.
    case offer(PageID, Offer)
    /// A page is told something.
    case post(PageID, String)
    /// A page can be seen now.
    case ready(PageID)
    /// A page wants to go.
    case close(PageID)
    /// What was offered is not to be shown any more, or is to go.
    case withdraw(PageID)
    /// The host should know.
    case news(Event)
    /// Something was repaired or dropped.
    case issue(AdIssue)
}

/// The timers of a live session.
public enum EngagementTimer: String, Hashable, Sendable, CaseIterable {
    /// To connect once more.
    case reconnect
    /// The server should have answered by now.
    case answer
    /// Something should have been heard of the server by now.
    case silence
}

/// Names a page of a live session.
public struct PageID: Hashable, Sendable {
    /// The number, unique in its session.
    public let number: Int

    /// Names a page.
    public init(_ number: Int) { self.number = number }
}

/// What becomes of a page.
public enum PageEvent: Hashable, Sendable {
    /// It said something; whoever wrote the page is not to be trusted.
    case message(String)
    /// It is on screen.
    case shown
    /// It is over, or never will be shown.
    case gone
}

/// When something happens: on the runtime's clock, on the calendar, and where on earth.
public struct EngagementTime: Hashable, Sendable {
    /// The runtime's clock.
    public let now: Moment
    /// The calendar.
    public let wall: WallTime
    /// How many minutes local time lies behind UTC, as a browser tells it: for UTC+3 it is -180.
    public let minutesBehindUTC: Int

    /// A time.
    public init(now: Moment, wall: WallTime, minutesBehindUTC: Int) {
        self.now = now
        self.wall = wall
        self.minutesBehindUTC = minutesBehindUTC
    }
}

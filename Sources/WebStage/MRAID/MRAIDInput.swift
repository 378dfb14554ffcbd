import AdCore

/// What an MRAID host handles.
enum MRAIDInput: Hashable, Sendable {
    /// A page sent a command.
    case call(MRAIDCall, from: MRAIDPart, at: Duration = .zero)
    /// The user did something with the ad.
    case gesture(at: Duration)
    /// It is decided whether an address was opened; the reason where it was not.
    case opened(MRAIDTicket, refusal: String?)
    /// A page is loaded.
    case loaded(MRAIDPart)
    /// So much of the ad is visible.
    case exposed(MRAIDExposure)
    /// The room has changed.
    case room(MRAIDRoom)
    /// The ad's own place was measured.
    case placed(MRAIDRect)
    /// The user pressed our collapse button: the ad stays small until the user does something with it again.
    case collapsedByUser
    /// It has to become small for another reason.
    case collapse
    /// The second page could not be loaded.
    case secondFailed(String)
    /// The volume of the device, from 0 to 100; nil where it is unknown.
    case volume(Double?)
}

/// What an MRAID host does.
enum MRAIDAction: Hashable, Sendable {
    /// Send a page an update.
    case send(MRAIDPart, MRAIDUpdate)
    /// Hold the screen in this orientation; nil for the user's.
    case turn(MRAIDOrientation?)
    /// Place the ad.
    case place(MRAIDLayout)
    /// Open a second page over the ad.
    case openSecond(String)
    /// Remove it.
    case closeSecond
    /// Open an address, if a user's gesture allows that; `opened` follows.
    case open(String, MRAIDTicket)
    /// Ask the app to close the ad.
    case requestClose
    /// Report that something was refused.
    case report(String)
}

/// Where an ad is put.
enum MRAIDLayout: Hashable, Sendable {
    /// In its own place.
    case slot
    /// Over the whole screen.
    case screen
    /// Here, from the corner of its own place.
    case rect(MRAIDRect)
}

/// Identifies a command whose reply is pending.
struct MRAIDTicket: Hashable, Sendable {
    let part: MRAIDPart
    let number: Int
}

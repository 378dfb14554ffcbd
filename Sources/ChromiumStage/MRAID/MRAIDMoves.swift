import AdCore

/// What an MRAID host hears.
enum MRAIDInput: Hashable, Sendable {
    /// A page wants something.
    case call(MRAIDCall, from: MRAIDPart, at: Duration = .zero)
    /// The user did something with the ad.
    case gesture(at: Duration)
    /// It was found out what became of an address that was to be opened; a reason where it was not.
    case opened(MRAIDTicket, refusal: String?)
    /// A page is loaded.
    case loaded(MRAIDPart)
    /// So much of the ad is in sight.
    case exposed(MRAIDExposure)
    /// There is other room.
    case room(MRAIDRoom)
    /// The ad's own place was measured.
    case placed(MRAIDRect)
    /// The user pressed our button of a large ad: it stays small until the user does something with the ad again.
    case collapsedByUser
    /// It must become small for another reason.
    case collapse
    /// The second page could not be loaded.
    case secondFailed(String)
    /// The volume of the device, from 0 to 100; nil where nobody knows.
    case volume(Double?)
}

/// What an MRAID host does.
enum MRAIDAction: Hashable, Sendable {
    /// Tells a page.
    case tell(MRAIDPart, MRAIDNews)
    /// Holds the screen like this while the ad wants it; nil for as the user holds it.
    case turn(MRAIDOrientation?)
    /// Puts the ad somewhere.
    case place(MRAIDLayout)
    /// Puts a second page over the ad.
    case openSecond(String)
    /// Takes it away.
    case closeSecond
    /// Leads a user elsewhere, where there is a gesture of one; `opened` follows.
    case open(String, MRAIDTicket)
    /// Asks for the end of the ad.
    case requestClose
    /// Reports that something was refused.
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

/// Under which a reply waits.
struct MRAIDTicket: Hashable, Sendable {
    let part: MRAIDPart
    let number: Int
}

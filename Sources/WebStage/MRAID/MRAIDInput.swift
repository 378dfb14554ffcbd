import AdCore

/// What an MRAID host handles.
enum MRAIDInput: Hashable, Sendable {
    /// A document sent a command.
    case call(MRAIDCall, from: MRAIDDocument, at: Duration = .zero)
    /// A user's gesture in the ad.
    case gesture(at: Duration)
    /// The decision on an `open` command; the reason if it was refused.
    case openDecided(MRAIDCommandID, refusal: String?)
    /// A document finished loading.
    case loaded(MRAIDDocument)
    /// The visible part of the ad changed.
    case exposureChanged(MRAIDExposure)
    /// The screen or the ad's size changed.
    case geometryChanged(MRAIDGeometries)
    /// The host page measured the ad's default position.
    case positionMeasured(MRAIDRect)
    /// The user pressed the collapse button; the ad stays small until the user's next gesture in it.
    case collapsedByUser
    /// Collapse the ad for another reason, such as a crash.
    case collapse
    /// The page of `expand` with a URL could not be loaded; the reason.
    case expandedPageFailed(String)
    /// The position that the ad may have has changed.
    case location(AdContext.Location?)
    /// The device's volume from 0 to 100; nil if unknown.
    case volume(Double?)
}

/// What an MRAID host does.
enum MRAIDAction: Hashable, Sendable {
    /// Send a document an update.
    case send(MRAIDDocument, MRAIDUpdate)
    /// Force the screen into this orientation; nil for the device's own.
    case setOrientation(MRAIDOrientation?)
    /// Move the ad to this position.
    case setLayout(MRAIDLayout)
    /// Load a page over the ad (two-part creative).
    case openExpandedPage(String)
    /// Remove that page.
    case closeExpandedPage
    /// Open a URL if a user's gesture allows it; `MRAIDInput.openDecided` follows.
    case open(String, MRAIDCommandID)
    /// Ask the app to close the ad.
    case requestClose
    /// Report a refused command.
    case report(String)
}

/// An ad's position on the screen.
enum MRAIDLayout: Hashable, Sendable {
    /// The default position.
    case defaultPosition
    /// The whole screen.
    case screen
    /// A rectangle relative to the default position.
    case rect(MRAIDRect)
}

struct MRAIDCommandID: Hashable, Sendable {
    let document: MRAIDDocument
    let number: Int
}

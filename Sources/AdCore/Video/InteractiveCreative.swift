/// The interactive part of a spot (VAST 4.3 §3.9.3): a page over the video, or a program that plays the video itself.
public struct InteractiveCreative: Hashable, Sendable {
    /// The interface between the creative and the player.
    public enum API: String, Hashable, Sendable, CaseIterable {
        /// A page over the video (Secure Interactive Media Interface Definition, SIMID 1.2).
        case simid
        /// A program in place of a video file (VPAID 2.0), which is run only if the app allows it.
        case vpaid
    }

    /// The interface.
    public var api: API
    /// The URL of the page or program.
    public var url: HTTPURL
    /// The `<AdParameters>`.
    public var parameters: String?
    /// Whether it pauses the video or changes its duration: `variableDuration`.
    public var changesDuration: Bool

    /// Creates an interactive creative.
    public init(_ api: API, _ url: HTTPURL, parameters: String? = nil, changesDuration: Bool = false) {
        self.api = api
        self.url = url
        self.parameters = parameters
        self.changesDuration = changesDuration
    }
}

/// The versions of VAST that a player reads (`protocols`; AdCOM 1.0, Creative Subtypes – Audio/Video).
///
/// DAAST, which is for audio, is left out.
package enum VideoProtocol: Int, Hashable, Sendable, CaseIterable {
    case vast1 = 1
    case vast2 = 2
    case vast3 = 3
    case vast1Wrapper = 4
    case vast2Wrapper = 5
    case vast3Wrapper = 6
    case vast40 = 7
    case vast40Wrapper = 8
    case vast41 = 11
    case vast41Wrapper = 12
    case vast42 = 13
    case vast42Wrapper = 14
    case vast43 = 15
    case vast43Wrapper = 16

    /// VAST 2.0 to 4.3 with wrappers: what `AdMarkup` reads.
    package static let readable = allCases.filter { $0 != .vast1 && $0 != .vast1Wrapper }
}

/// Where a video plays, by the list that version 2.6-202303 deprecated (`placement`; OpenRTB 2.5 §5.9).
///
/// Older buyers read it, so that it is sent together with ``Plcmt``, which replaces it (OpenRTB 2.6 §7.10.2).
public enum VideoPlacement: Int, Hashable, Sendable, CaseIterable {
    /// Before, in or after a video that the user chose.
    case inStream = 1
    /// In a banner.
    case inBanner = 2
    /// Between paragraphs of text.
    case inArticle = 3
    /// Between the elements of a feed.
    case inFeed = 4
    /// Over the content: an interstitial, a slider, a floating player.
    case interstitial = 5
}

/// Where a video plays (`plcmt`; AdCOM 1.0, Plcmt Subtypes – Video).
public enum Plcmt: Int, Hashable, Sendable, CaseIterable {
    /// Before, in or after a video that the user chose, with sound.
    case inStream = 1
    /// Before, in or after a video that accompanies other content.
    case accompanyingContent = 2
    /// Without a video of the app, over most of the screen.
    case interstitial = 3
    /// Without a video of the app, anywhere else.
    case standalone = 4
    /// While the user pauses a video.
    case pause = 5
    /// While the device idles.
    case screensaver = 6
    /// Over a video, outside of its breaks.
    case overlay = 7
    /// Beside a video that is made smaller.
    case squeezeback = 8
    /// In the scenes of a video.
    case inScene = 9
}

/// How a video starts to play (`playbackmethod`; AdCOM 1.0, Playback Methods).
public enum PlaybackMethod: Int, Hashable, Sendable, CaseIterable {
    /// By itself, with sound.
    case automaticWithSound = 1
    /// By itself, without sound.
    case automaticMuted = 2
    /// By a click, with sound.
    case click = 3
    /// When the pointer is over it, with sound.
    case pointer = 4
    /// When it enters the viewport, with sound.
    case viewportWithSound = 5
    /// When it enters the viewport, without sound.
    case viewportMuted = 6
    /// After another video, until the user stops it.
    case continuous = 7
    /// When the user pauses content, with sound.
    case pauseWithSound = 8
    /// When the user pauses content, without sound.
    case pauseMuted = 9
    /// When the device idles, with sound.
    case idleWithSound = 10
    /// When the device idles, without sound.
    case idleMuted = 11
}

/// How media files are delivered (`delivery`; AdCOM 1.0, Delivery Methods).
package enum DeliveryMethod: Int, Hashable, Sendable, CaseIterable {
    case streaming = 1
    case progressive = 2
    case download = 3
}

/// What the VAST response must be (`linearity`; AdCOM 1.0, Linearity Modes).
package enum Linearity: Int, Hashable, Sendable, CaseIterable {
    /// A video.
    case linear = 1
    /// An overlay.
    case nonLinear = 2
}

/// When a video starts, in relation to the content (`startdelay`; AdCOM 1.0, Start Delay Modes).
public enum StartDelay: Hashable, Sendable {
    /// Before the content.
    case preRoll
    /// In the content, this long after its start; at least one second.
    case midRoll(after: Duration)
    /// In the content, at an unknown place.
    case genericMidRoll
    /// After the content.
    case genericPostRoll
}

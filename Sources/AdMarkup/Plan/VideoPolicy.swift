public import AdCore

/// What a stage can play, and what the app prefers.
///
/// ```swift
/// var policy = VideoPolicy()
/// policy.mostBitrate = 1200
/// policy.longest = .seconds(30)
/// ```
public struct VideoPolicy: Hashable, Sendable {
    /// The types that can be played, the dearest first.
    public var types = ["video/mp4", "video/webm"]
    /// Codecs that can't be decoded.
    ///
    /// A file that names one of them is left out; a text that names no codec for certain refuses nothing.
    public var undecodable = MediaCodec.undecodableInBrowsers
    /// Whether files that are sent in pieces (HLS, DASH) can be played.
    public var playsStreams = false
    /// Whether addresses without encryption are called and played.
    public var allowsInsecure = true
    /// The room there is, in points; nil if it is not known.
    public var container: Size?
    /// How many pixels there are for each point.
    public var pixelRatio = 1.0
    /// How many kilobits a second may take; nil for any number.
    public var mostBitrate: Int?
    /// The longest that a video may be; nil for any length.
    public var longest: Duration?
    /// The longest that all of a pod may take; nil for any length.
    public var longestPod: Duration?
    /// Whether overlays may take the place of a video.
    public var playsOverlays = true
    /// Kinds of product that may not be shown, besides those that wrappers refuse.
    public var blockedCategories: [String] = []
    /// Whether an ad must say what kind of product it is for.
    public var needsCategory = false
    /// Whether an ad must bring the file that it was made from.
    public var needsMezzanine = false

    /// What every stage can play, and no wishes.
    public init() {}
}

public import AdCore

/// What a stage can play, and what the app prefers.
///
/// ```swift
/// var policy = VideoPolicy()
/// policy.maximumBitrate = 1200
/// policy.maximumDuration = .seconds(30)
/// ```
public struct VideoPolicy: Hashable, Sendable {
    /// The playable types, the preferred first.
    public var types = ["video/mp4", "video/webm"]
    /// The codecs that can't be decoded.
    ///
    /// A file that names one of them is refused; an unknown codec name refuses nothing.
    public var undecodableCodecs = MediaCodec.undecodableInBrowsers
    /// Whether streams (HLS, DASH) can be played.
    public var playsStreams = false
    /// Whether http URLs are called and played.
    public var allowsInsecure = true
    /// The size of the container in points; nil if it is unknown.
    public var container: Size?
    /// The pixels per point.
    public var pixelRatio = 1.0
    /// The maximum bitrate in kbit/s; nil without a limit.
    public var maximumBitrate: Int?
    /// The maximum duration of an ad; nil without a limit.
    public var maximumDuration: Duration?
    /// The maximum duration of a pod; nil without a limit.
    public var maximumPodDuration: Duration?
    /// Whether nonlinear ads are shown in place of a video.
    public var playsNonLinear = true
    /// Whether VPAID programs are run, in place of a video file.
    ///
    /// VPAID is deprecated, and a program sees what its own frame sees; without it such an ad fails with 901.
    public var runsVPAID = false
    /// Blocked ad categories, besides those that wrappers block (VAST 4.3 §3.19.2).
    public var blockedCategories: [String] = []
    /// Whether an ad must have a `<Category>` (error 204).
    public var requiresCategory = false
    /// Whether an ad must have a `<Mezzanine>` (error 406).
    public var requiresMezzanine = false

    /// Creates the default policy: what every stage can play, without requirements.
    public init() {}
}

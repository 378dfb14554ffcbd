extension BidRequest {
    /// What video an impression accepts (OpenRTB 2.6 §3.2.7).
    package struct Video: Hashable, Sendable {
        /// The durations that are accepted.
        ///
        /// Seconds are whole on the wire: a minimum is rounded up, everything else down.
        package enum Durations: Hashable, Sendable {
            /// This long or longer (`minduration`).
            case atLeast(Duration)
            /// This long or shorter (`maxduration`).
            case atMost(Duration)
            /// Between two durations (`minduration`, `maxduration`).
            case between(ClosedRange<Duration>)
            /// One of these and no other (`rqddurs`, which excludes the other two).
            case exactly([Duration])
        }

        /// Whether the app lets the user skip the video (OpenRTB 2.6 §7.4).
        package enum Skip: Hashable, Sendable {
            /// Only if the markup asks for it (`skip` 0).
            case byMarkupOnly
            /// After some time (`skipafter`), in videos that are longer than another (`skipmin`); `skip` is 1.
            case after(Duration, inVideosLongerThan: Duration)
        }

        /// The types of media files that can be played (`mimes`), at least one.
        package internal(set) var mimeTypes: [String]
        /// The player's size (`w`, `h`).
        package var size: WholeSize?
        /// The versions of VAST that are read (`protocols`).
        package var protocols: [VideoProtocol] = []
        /// The durations that are accepted.
        package var durations: Durations?
        /// When the video starts, in relation to the content (`startdelay`).
        package var startDelay: StartDelay?
        /// Where the video plays (`plcmt`).
        package var plcmt: Plcmt?
        /// Where the video plays, for older buyers (`placement`).
        package var placement: VideoPlacement?
        /// What the response must be (`linearity`); nil accepts everything.
        package var linearity: Linearity?
        /// Whether the app lets the user skip the video.
        package var skip: Skip?
        /// The interfaces that the player provides (`api`); what is not listed is not provided.
        package var apis: [APIFramework] = []
        /// How the video starts (`playbackmethod`).
        ///
        /// The field is a list of which only the first element should be used, §3.2.7 says, so there is one.
        package var playback: PlaybackMethod?
        /// The maximum bitrate in kbit/s (`maxbitrate`).
        package var maximumBitrate: Int?
        /// How media files may be delivered (`delivery`); empty accepts everything.
        package var delivery: [DeliveryMethod] = []
        /// Where the ad is on the screen (`pos`).
        package var position: PlacementPosition?

        /// Creates a video for a player of these types of media files.
        package init(mimeType: String = "video/mp4", _ others: String..., size: WholeSize? = nil) {
            self.mimeTypes = [mimeType] + others
            self.size = size
        }
    }
}

extension AdContext {
    /// What the host knows about the device (OpenRTB 2.6 §3.2.18); an unknown value is nil and is not sent.
    ///
    /// ```swift
    /// var context = AdContext(userAgent: "Example/1.0")
    /// context.device.os = "iOS"
    /// context.device.osVersion = "18.1"
    /// ```
    public struct Device: Hashable, Sendable {
        /// The operating system, as in `iOS`.
        public var os: String?
        /// The operating system's version, as in `18.1`.
        public var osVersion: String?
        /// The make, as in `Apple`.
        public var make: String?
        /// The model, as in `iPhone`.
        public var model: String?
        /// The hardware's version, as in `iPhone17,1`.
        public var hardwareVersion: String?
        /// The screen's width in pixels.
        public var width: Int?
        /// The screen's height in pixels.
        public var height: Int?
        /// The screen's pixels per inch.
        public var ppi: Int?
        /// The pixels per point.
        public var pixelRatio: Double?
        /// The language, as in `de` or `pt-BR`.
        public var language: String?
        /// The mobile operator's name.
        public var carrier: String?

        /// Creates a device of which nothing is known.
        public init() {}

        /// The device without what the app asked the system for: its language is a setting of the app.
        var withoutModel: Device {
            var device = Device()
            device.language = self.language
            return device
        }
    }

    /// What a load allows, for protocols that tell it to servers.
    package struct LoadTerms: Hashable, Sendable {
        /// How long the load may take.
        package var timeout: Duration
        /// The lowest price that can win; nil without a floor.
        package var floor: AdPrice?
        /// Whether offers of others compete with those of the request.
        package var hasRivals = false
        /// Whether http URLs are called and played.
        package var allowsInsecure: Bool
        /// The size of the place for a video in points; nil if it is unknown.
        package var container: Size?
        /// The maximum duration of a video; nil without a limit.
        package var maximumDuration: Duration?
        /// The maximum bitrate of a video in kbit/s; nil without a limit.
        package var maximumBitrate: Int?
        /// The MIME types of videos that can be played, the preferred first; empty if they are unknown.
        package var videoTypes: [String]
        /// Whether overlays are shown in place of a video.
        package var playsNonLinear: Bool

        /// What an auction demands of one participant's bids.
        package struct Bids: Hashable, Sendable {
            /// The lowest price that can win; nil without a floor.
            package let floor: AdPrice?
            /// How long the participant may take; nil for the time of the load.
            package let timeout: Duration?
            /// Whether there are other participants.
            package let hasRivals: Bool

            package init(floor: AdPrice? = nil, timeout: Duration? = nil, hasRivals: Bool = false) {
                self.floor = floor
                self.timeout = timeout
                self.hasRivals = hasRivals
            }
        }

        /// The same terms with those of an auction.
        package func limited(by bids: Bids) -> LoadTerms {
            var terms = self
            terms.floor = bids.floor
            terms.hasRivals = bids.hasRivals
            if let timeout = bids.timeout { terms.timeout = min(terms.timeout, timeout) }
            return terms
        }

        /// Creates the terms of a load.
        package init(
            timeout: Duration,
            allowsInsecure: Bool = true,
            container: Size? = nil,
            maximumDuration: Duration? = nil,
            maximumBitrate: Int? = nil,
            videoTypes: [String] = [],
            playsNonLinear: Bool = true
        ) {
            self.timeout = timeout
            self.allowsInsecure = allowsInsecure
            self.container = container
            self.maximumDuration = maximumDuration
            self.maximumBitrate = maximumBitrate
            self.videoTypes = videoTypes
            self.playsNonLinear = playsNonLinear
        }
    }
}

package import AdCore

extension BidRequest {
    /// Creates a request for one impression with everything that a context says.
    package init(impression: Impression, app: App, in context: AdContext) {
        self.init(
            id: context.requestID,
            impression: impression,
            app: app,
            device: Device(context),
            tracking: Tracking(context),
            consent: context.consent
        )
        // A buyer that does not read `lmt` reads the older flag.
        if self.tracking == .limited { self.device.doesNotTrack = true }
        // The client stops waiting when the load ends, so that bids which come later are lost.
        self.timeout = context.terms?.timeout
    }
}

extension BidRequest.Device {
    /// Creates a device from what a context knows about it.
    package init(_ context: AdContext) {
        self.init(userAgent: context.userAgent)
        let device = context.device
        self.os = device.os
        self.osVersion = device.osVersion
        self.make = device.make
        self.model = device.model
        self.hardwareVersion = device.hardwareVersion
        self.width = device.width
        self.height = device.height
        self.ppi = device.ppi
        self.pixelRatio = device.pixelRatio
        self.language = device.language.flatMap(BidRequest.Language.init)
        self.carrier = device.carrier
        self.connection = context.network.flatMap(ConnectionType.init)
        self.authorization = context.authorization
    }
}

extension BidRequest.Tracking {
    /// Creates the user's choice from a context; with COPPA tracking is limited, as in macros of VAST.
    package init(_ context: AdContext) {
        if context.isWithheld || context.consent.coppa == true {
            self = .limited
        } else {
            let identity = BidRequest.Identity(ifa: context.ifa, geo: context.location.map { BidRequest.Geo($0) })
            // IAB Tech Lab, OpenRTB extension SKAdNetwork, "DNT, LMT and App Tracking Transparency Guidance".
            self = context.authorization == .authorized ? .unrestricted(identity) : .unstated(identity)
        }
    }
}

extension ConnectionType {
    /// Creates the type of a network; nil without a network.
    ///
    /// A network that is not mobile is Wi-Fi: hosts don't distinguish it from Ethernet, which few such devices have.
    package init?(_ network: NetworkKind) {
        switch network {
        case .wifi: self = .wifi
        case .cellular: self = .cellular
        case .offline: return nil
        }
    }
}

extension BidRequest.Impression {
    /// Adds what a load allows: HTTPS only, and the auction's floor.
    ///
    /// A load that allows HTTP says nothing, because it does not know what its host allows.
    package mutating func apply(_ terms: AdContext.LoadTerms?) {
        if let terms, !terms.allowsInsecure { self.isSecure = true }
        self.floor = terms?.floor ?? self.floor
    }
}

extension BidRequest.Video {
    /// Creates a video for the player of this library: the versions of VAST that it reads, and what a load allows.
    ///
    /// It has no `api`: the player runs no VPAID and no SIMID, and an interface that is not listed is not provided.
    package init(size: Size?, for terms: AdContext.LoadTerms?) {
        self.init(size: WholeSize(size ?? terms?.container))
        self.protocols = VideoProtocol.readable
        if let types = terms?.videoTypes, !types.isEmpty { self.mimeTypes = types }
        self.durations = terms?.maximumDuration.map(Durations.atMost)
        self.maximumBitrate = terms?.maximumBitrate
        if let terms, !terms.playsNonLinear { self.linearity = .linear }
    }
}

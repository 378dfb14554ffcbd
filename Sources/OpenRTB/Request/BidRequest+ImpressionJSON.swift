import AdCore

extension BidRequest.Impression {
    /// Writes the Imp object (OpenRTB 2.6 §3.2.4).
    func write(to fields: inout RequestFields) {
        // Required: the id is written whatever it is.
        fields.set("id", .string(self.id))
        fields.text("tagid", self.tagID)
        switch self.media {
        case .banner(let banner): self.write(banner, to: &fields)
        case .video(let video): self.write(video, to: &fields)
        case .bannerOrVideo(let banner, let video):
            self.write(banner, to: &fields)
            self.write(video, to: &fields)
        }
        fields.mark("instl", self.isInterstitial)
        fields.mark("rwdd", self.isRewarded)
        if let floor {
            fields.set("bidfloor", .decimal(floor.amount))
            fields.text("bidfloorcur", floor.currency.code)
        }
        fields.flag("secure", self.isSecure)
        fields.text("displaymanager", self.displayManager?.name)
        fields.text("displaymanagerver", self.displayManager?.version)
        // A week is the longest lifetime of an ad.
        fields.seconds("exp", self.lifetime, in: 1...604_800)
        fields.object("ext") { ext in
            ext.json(self.ext)
            self.attribution?.write(to: &ext)
            if let prebid = self.prebid { ext.object("prebid") { prebid.write(to: &$0) } }
        }
    }

    /// An empty object says that a banner is accepted (OpenRTB 2.6 §3.2.6).
    private func write(_ banner: BidRequest.Banner, to fields: inout RequestFields) {
        fields.object("banner", saysSomethingEmpty: true) { banner.write(to: &$0) }
    }

    private func write(_ video: BidRequest.Video, to fields: inout RequestFields) {
        fields.object("video", saysSomethingEmpty: true) { video.write(to: &$0) }
    }
}

extension BidRequest.Banner {
    /// Writes the Banner object (OpenRTB 2.6 §3.2.6) with its Format objects (§3.2.10).
    fileprivate func write(to fields: inout RequestFields) {
        switch self.sizes {
        case .unknown: break
        case .exactly(let size): fields.size(size)
        case .anyOf(let sizes): fields.objects("format", sizes) { $0.size($1) }
        }
        fields.codes("btype", self.blockedTypes)
        fields.code("pos", self.position)
        fields.texts("mimes", self.mimeTypes)
        fields.codes("expdir", self.expandableDirections)
        fields.codes("api", self.apis)
    }
}

extension BidRequest.Video {
    /// The durations of a video in seconds: at most a day.
    private static let seconds = 0...86_400

    /// Writes the Video object (OpenRTB 2.6 §3.2.7).
    fileprivate func write(to fields: inout RequestFields) {
        fields.texts("mimes", self.mimeTypes)
        self.writeDurations(to: &fields)
        fields.codes("protocols", self.protocols)
        fields.size(self.size)
        self.writeStartDelay(to: &fields)
        fields.code("placement", self.placement)
        fields.code("plcmt", self.plcmt)
        fields.code("linearity", self.linearity)
        switch self.skip {
        case nil: break
        case .byMarkupOnly?: fields.flag("skip", false)
        case .after(let delay, let shortest)?:
            fields.flag("skip", true)
            if shortest != .zero { fields.seconds("skipmin", shortest, in: BidRequest.Video.seconds) }
            if delay != .zero { fields.seconds("skipafter", delay, in: BidRequest.Video.seconds, .up) }
        }
        fields.number("maxbitrate", self.maximumBitrate, in: 1...10_000_000)
        fields.set("playbackmethod", self.playback.map { [.int($0.rawValue)] })
        fields.codes("delivery", self.delivery)
        fields.code("pos", self.position)
        fields.codes("api", self.apis)
    }

    private func writeDurations(to fields: inout RequestFields) {
        let range = BidRequest.Video.seconds
        switch self.durations {
        case nil: break
        case .atLeast(let minimum)?: fields.seconds("minduration", minimum, in: range, .up)
        case .atMost(let maximum)?: fields.seconds("maxduration", maximum, in: 1...range.upperBound)
        case .between(let durations)?:
            // Without a whole second between them, nothing that is written would be true.
            guard durations.upperBound.wholeSeconds(.down) >= durations.lowerBound.wholeSeconds(.up) else {
                return fields.leaveOut("maxduration", "range", "has no whole second after minduration")
            }
            fields.seconds("minduration", durations.lowerBound, in: range, .up)
            fields.seconds("maxduration", durations.upperBound, in: 1...range.upperBound)
        case .exactly(let durations)?:
            let seconds = durations.map { $0.wholeSeconds(.down) }
            let known = seconds.filter { (1...range.upperBound).contains($0) }
            if known.count < seconds.count { fields.leaveOut("rqddurs", "range", "has an impossible duration") }
            fields.numbers("rqddurs", known)
        }
    }

    /// Writes `startdelay`; more than 0 is the delay of a mid-roll (AdCOM 1.0, Start Delay Modes).
    private func writeStartDelay(to fields: inout RequestFields) {
        switch self.startDelay {
        case nil: break
        case .preRoll?: fields.set("startdelay", 0)
        case .midRoll(let delay)?: fields.seconds("startdelay", delay, in: 1...BidRequest.Video.seconds.upperBound)
        case .genericMidRoll?: fields.set("startdelay", -1)
        case .genericPostRoll?: fields.set("startdelay", -2)
        }
    }
}

extension RequestFields {
    /// `w` and `h`; nothing when the size is unknown.
    fileprivate mutating func size(_ size: WholeSize?) {
        guard let size else { return }
        self.set("w", .int(size.width))
        self.set("h", .int(size.height))
    }
}

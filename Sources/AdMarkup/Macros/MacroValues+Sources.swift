public import AdCore

// The sources of macro values (VAST 4.3 §6.2): the device, the player, a tracking event, and the time of a call.

extension MacroValues {
    /// The values of the device, the app and the player; what the host does not provide is unknown.
    public init(_ context: AdContext, appBundle: String?, types: [String], transactionID: String? = nil) {
        self.init()
        func text(_ text: String?) -> Value? { text.flatMap { $0.isEmpty ? nil : .text($0) } }
        self = MacroValues.personal(context)
        self[.deviceUA] = text(context.userAgent)
        // A longer one is no consent string, and would make the URL too long to be called.
        func consent(_ string: String?) -> Value? { text(string.flatMap { $0.utf8.count <= 8_192 ? $0 : nil }) }
        self[.gdprConsent] = consent(context.consent.tcf)
        self[.gppString] = consent(context.consent.gpp)
        if !context.consent.gppSections.isEmpty {
            self[.gppSectionID] = .list(context.consent.gppSections.map(String.init))
        }
        let laws = [(context.consent.coppa, "coppa"), (context.consent.gdprApplies, "gdpr")]
        let applying = laws.filter { $0.0 == true }.map(\.1)
        if !applying.isEmpty { self[.regulations] = .list(applying) }
        self[.appBundle] = text(appBundle)
        self[.transactionID] = text(transactionID)

        self[.clientUA] = .text("yabbi")
        // 0: the client itself sends the request.
        self[.serverSide] = .text("0")
        // AdCOM placement subtype 5: an interstitial. Break position 4: stand-alone, without content.
        self[.placementType] = .text("5")
        self[.breakPosition] = .text("4")
        self[.vastVersions] = .list(MacroValues.versions)
        self[.mediaMIME] = .list(types)
        self[.playerCapabilities] = .list(["skip", "mute", "autoplay", "fullscreen", "icon"])
        self[.inventoryState] = .list(["autoplayed", "fullscreen"])
        // 1: the whole player area can be clicked.
        self[.clickType] = .text("1")
    }

    /// The values that identify or locate the user: of a tracker they are filled in when it is recorded, because consent
    /// may be withdrawn while an ad is loaded.
    ///
    /// What is withheld has the value -2, whether it is known or not. A child's identifiers are sent to no tracker
    /// (COPPA).
    package static func personal(_ context: AdContext) -> MacroValues {
        var values = MacroValues()
        values[.ifa] = context.ifa.flatMap { $0.isEmpty ? nil : .text($0) }
        values[.limitAdTracking] = context.ifa.map {
            .text($0.utf8.contains(where: \.isNonZeroDigitOrLetter) ? "0" : "1")
        }
        values[.latLong] = context.location.map { place in
            .list([place.latitude, place.longitude].map { AdJSON.double($0).text() })
        }
        let isChild = context.consent.coppa == true
        if isChild || !context.permits(.advertisingID) {
            values[.ifa] = .withheld
            values[.limitAdTracking] = .text("1")
        }
        if isChild || !context.permits(.coarseLocation) { values[.latLong] = .withheld }
        return values
    }

    /// AdCOM's numbers of VAST 2.0 to 4.3, each also with wrappers.
    private static let versions = [2, 5, 3, 6, 7, 8, 11, 12, 13, 14, 15, 16].map(String.init)

    /// The values of one call: its time, and a random number of eight digits.
    public static func moment(at time: WallTime, random: UInt64) -> MacroValues {
        var values = MacroValues()
        values[.timestamp] = .text(CalendarText.iso8601(time))
        values[.cacheBusting] = .text(String(10_000_000 + random % 90_000_000))
        return values
    }

    /// The values of a video event.
    public static func trackingEvent(_ event: TrackingEvent) -> MacroValues {
        var values = MacroValues()
        values[.adPlayhead] = event.position.map { .text(CalendarText.clock($0)) }
        values[.playerState] = .list((event.isMuted ? ["muted"] : []) + (event.isFullScreen ? ["fullscreen"] : []))
        if let code = event.code { values[event.event == .error ? .errorCode : .reason] = .text(String(code)) }
        return values
    }

    /// The size of the player in points, if it is known: `[PLAYERSIZE]` is width and height (VAST 4.3 §6.2).
    public static func player(_ size: Size?) -> MacroValues {
        var values = MacroValues()
        values[.playerSize] = size.map { size in
            .list([size.width, size.height].map { String(Int($0.rounded().bounded)) })
        }
        return values
    }

    /// The value of `[ERRORCODE]` (VAST 4.3 §2.3.6.3).
    public static func error(_ code: Int) -> MacroValues {
        var values = MacroValues()
        values[.errorCode] = .text(String(code))
        return values
    }
}

extension Double {
    /// The number, limited to plausible sizes.
    fileprivate var bounded: Double { self.isNaN ? 0 : min(max(self, 0), 1e6) }
}

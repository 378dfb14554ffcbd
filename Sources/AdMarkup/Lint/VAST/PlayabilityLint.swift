import AdCore

/// Reports what can't be played here, by the decisions of the playback plan itself.
///
/// The ads are those that the reader finds and the reasons those that ``VideoPlan`` gives, so that the linter and the player
/// can't disagree: an inline ad has a finding of ``LintRule/unplayable`` exactly where no spot can be made of it.
enum PlayabilityLint {
    static func check(_ bytes: [UInt8], _ wanted: XMLLint.Root, _ tree: LintTree, _ log: inout LintLog) {
        // A wrapper brings nothing to play.
        guard tree.nodes.contains(where: { $0.name == "InLine" && !$0.isForeign }) || wanted == .vmap else { return }
        for ad in self.ads(bytes, wanted) where ad.inline != nil { self.check(ad, tree, &log) }
    }

    private static func ads(_ bytes: [UInt8], _ wanted: XMLLint.Root) -> [VASTAd] {
        switch wanted {
        case .vast: return (try? VASTDocument(parsing: bytes))?.ads ?? []
        case .vmap:
            let breaks = (try? VMAPDocument(parsing: bytes))?.breaks ?? []
            return breaks.flatMap { adBreak -> [VASTAd] in
                guard case .vast(let document) = adBreak.source?.content else { return [] }
                return document.ads
            }
        }
    }

    private static func check(_ ad: VASTAd, _ tree: LintTree, _ log: inout LintLog) {
        var builder = SpotBuilder(
            VASTResolvedAd([], ad),
            policy: VideoPolicy(),
            isRewarded: false,
            values: MacroValues(),
            moment: MacroValues()
        )
        if case .failure(let error) = builder.build() {
            return self.unplayable(ad, error, &log)
        }
        for linear in ad.creatives.compactMap(\.linear) { self.files(of: linear, &log) }
    }

    /// An ad of which nothing can be played.
    private static func unplayable(_ ad: VASTAd, _ error: VASTError, _ log: inout LintLog) {
        let linears = ad.creatives.compactMap(\.linear)
        let files = linears.flatMap(\.mediaFiles)
        let isOfMedia = !linears.isEmpty && [401, 403, 405, 901, 902].contains(error.code)
        let rule: LintRule
        if !isOfMedia {
            rule = .adUnplayable
        } else if files.isEmpty {
            rule = .mediafilesMissing
        } else {
            rule = files.allSatisfy(\.isVPAID) ? .vpaidOnly : .mediaUnplayable
        }
        log.add(rule, error.line ?? ad.line, "\(error.message) (error \(error.code))")
    }

    /// The files that are left out of an ad that can be played, and the attributes that are ignored.
    private static func files(of linear: VASTLinear, _ log: inout LintLog) {
        let choice = MediaChoice(of: linear, by: VideoPolicy())
        for entry in choice.repairs.entries {
            switch entry.repair.attribute {
            case .codec: log.add(.mediaCodecUnclear, entry.line, entry.message)
            case .delivery: log.add(.mediaDeliveryWhole, entry.line, entry.message)
            // Rules of their own report these.
            case .type, .apiFramework, .mediaType: break
            }
        }
        for refused in choice.refused where refused.cause.isFault {
            log.add(.mediaFileUnplayable, refused.file.line, refused.error.message)
        }
    }
}

extension MediaRefusal {
    /// Whether the file can't be meant for any player of today.
    ///
    /// Streams and programs are there for players that run them, and cost nothing beside a file that can be played.
    fileprivate var isFault: Bool {
        switch self {
        case .program, .stream, .insecure, .tooLarge: false
        // `media-type-missing` reports it.
        case .unknownType: false
        // `media-flash` reports it.
        case .container(let type, _): !LintType.flash.contains(type) && !LintType.script.contains(type)
        case .address, .codec, .projection: true
        }
    }
}

extension LintRule {
    /// The rules that report an ad of which nothing can be played here.
    static let unplayable: Set<LintRule> = [.adUnplayable, .mediaUnplayable, .mediafilesMissing, .vpaidOnly]
}

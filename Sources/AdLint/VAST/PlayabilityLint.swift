import AdCore
import AdHTML
import AdMarkup

/// Reports what can't be played here, by the decisions of the playback plan itself.
///
/// The ads are those that the reader finds and the reasons those that ``VideoPlan`` gives, so that the linter and the player
/// can't disagree: an inline ad has a finding of ``LintRule/unplayable`` exactly where no spot can be made of it.
enum PlayabilityLint {
    static func check(_ bytes: [UInt8], _ wanted: XMLLint.Root, _ tree: LintTree, _ log: inout LintLog) {
        // A wrapper brings nothing to play.
        guard tree.nodes.contains(where: { $0.name == "InLine" && !$0.isForeign }) || wanted == .vmap else { return }
        var places = ReadPlaces(tree)
        for ad in self.ads(bytes, wanted) where ad.inline != nil {
            self.check(ad, places.element(of: ad), &places, &log)
        }
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

    private static func check(_ ad: VASTAd, _ element: LintElement?, _ places: inout ReadPlaces, _ log: inout LintLog) {
        var builder = SpotBuilder(
            VASTResolvedAd([], ad),
            policy: VideoPolicy(),
            isRewarded: false,
            values: MacroValues(),
            moment: MacroValues()
        )
        let linears = ad.creatives.compactMap(\.linear)
        for linear in linears { self.number(of: linear, &places, &log) }
        if case .failure(let error) = builder.build() {
            return self.unplayable(ad, element, error, &places, &log)
        }
        for linear in linears { self.files(of: linear, &places, &log) }
    }

    /// An ad of which nothing can be played.
    private static func unplayable(
        _ ad: VASTAd,
        _ element: LintElement?,
        _ error: VASTError,
        _ places: inout ReadPlaces,
        _ log: inout LintLog
    ) {
        let linears = ad.creatives.compactMap(\.linear)
        let files = linears.flatMap(\.mediaFiles)
        let isOfMedia = !linears.isEmpty && [401, 403, 405, 901, 902].contains(error.code)
        let message = "\(error.message) (error \(error.code))"
        guard isOfMedia else {
            return log.add(.adUnplayable, places.place(of: error, in: element) ?? SourcePlace(line: ad.line), message)
        }
        guard let file = files.first(where: { $0.line == error.line }) ?? files.first else {
            let place = element.flatMap { $0.all("MediaFiles").first ?? $0.all("Linear").first }?.place
            return log.add(.mediafilesMissing, place ?? SourcePlace(line: error.line ?? ad.line), message)
        }
        let rule: LintRule = files.allSatisfy(\.isVPAID) ? .vpaidOnly : .mediaUnplayable
        log.add(rule, places.place(of: file), message)
    }

    /// The files that are left out of an ad that can be played, and the attributes that are ignored.
    private static func files(of linear: VASTLinear, _ places: inout ReadPlaces, _ log: inout LintLog) {
        let choice = MediaChoice(of: linear, by: VideoPolicy())
        for entry in choice.repairs.entries {
            switch entry.repair.attribute {
            case .codec: log.add(.mediaCodecUnclear, places.place(of: "codec", in: entry.file), entry.message)
            case .delivery: log.add(.mediaDeliveryWhole, places.place(of: "delivery", in: entry.file), entry.message)
            // Rules of their own report these.
            case .type, .apiFramework, .mediaType: break
            }
        }
        for refused in choice.refused where refused.cause.isFault {
            log.add(.mediaFileUnplayable, places.place(of: refused.file), refused.error.message)
        }
    }

    /// More files than the plan tries.
    private static func number(of linear: VASTLinear, _ places: inout ReadPlaces, _ log: inout LintLog) {
        let count = linear.mediaFiles.count
        if count > MediaChoice.mostFiles, let first = linear.mediaFiles.first {
            let text = "there are \(count) media files, and players here try \(MediaChoice.mostFiles) of them"
            log.add(.mediaMany, places.place(of: first), text)
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

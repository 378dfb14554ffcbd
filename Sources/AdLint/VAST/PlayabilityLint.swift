import AdCore
import AdHTML
import AdMarkup

/// Reports what can't be played, by the same decisions as the playback plan.
///
/// The ads come from the VAST reader and the reasons from ``VideoPlan``, so that the linter and the player can't
/// disagree: an inline ad has a finding of ``LintRule/unplayable`` if and only if no spot can be built from it
/// (VAST 4.3 §2.3.6.3).
enum PlayabilityLint {
    static func check(_ bytes: [UInt8], _ wanted: VASTRoot, _ outcome: LintTreeReader.Outcome, _ log: inout LintLog) {
        let tree = outcome.tree
        // Wrappers have nothing to play.
        guard tree.nodes.contains(where: { $0.name == "InLine" && !$0.isForeign }) || wanted == .vmap else { return }
        var places = ElementLookup(tree)
        for ad in outcome.ads ?? self.ads(bytes, wanted) where ad.inline != nil {
            self.check(ad, places.element(of: ad), &places, &log)
        }
    }

    private static func ads(_ bytes: [UInt8], _ wanted: VASTRoot) -> [VASTAd] {
        switch wanted {
        case .vast: (try? VASTDocument(parsing: bytes))?.ads ?? []
        case .vmap: (try? VMAPDocument(parsing: bytes))?.ads ?? []
        }
    }

    private static func check(
        _ ad: VASTAd,
        _ element: LintElement?,
        _ places: inout ElementLookup,
        _ log: inout LintLog
    ) {
        var builder = SpotBuilder(
            VASTResolvedAd([], ad),
            policy: VideoPolicy(),
            isRewarded: false,
            values: MacroValues(),
            moment: MacroValues()
        )
        let linears = ad.creatives.compactMap(\.linear)
        for linear in linears { self.fileCount(of: linear, &places, &log) }
        if case .failure(let error) = builder.build() {
            return self.unplayable(ad, element, error, &places, &log)
        }
        for linear in linears { self.files(of: linear, &places, &log) }
    }

    /// Reports an ad without anything to play.
    private static func unplayable(
        _ ad: VASTAd,
        _ element: LintElement?,
        _ error: VASTError,
        _ places: inout ElementLookup,
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
            let place = element.flatMap { $0.descendants("MediaFiles").first ?? $0.descendants("Linear").first }?.place
            return log.add(.mediafilesMissing, place ?? SourcePlace(line: error.line ?? ad.line), message)
        }
        let rule: LintRule = files.allSatisfy(\.isVPAID) ? .vpaidOnly : .mediaUnplayable
        // The rules of media files have the fix.
        let choices = linears.lazy.map { MediaChoice(of: $0, by: VideoPolicy()) }
        let reason = choices.first { $0.failure?.message == error.message }?.reason
        log.add(rule, places.place(of: file), reason.map { "\($0) (error \(error.code))" } ?? message)
    }

    /// Reports the files of a playable ad that are skipped, and the attributes that are ignored.
    private static func files(of linear: VASTLinear, _ places: inout ElementLookup, _ log: inout LintLog) {
        let choice = MediaChoice(of: linear, by: VideoPolicy())
        for entry in choice.repairs.entries {
            switch entry.repair.attribute {
            case .codec: log.add(.mediaCodecUnclear, places.place(of: "codec", in: entry.file), entry.message)
            case .delivery: log.add(.mediaDeliveryWhole, places.place(of: "delivery", in: entry.file), entry.message)
            // Other rules report these.
            case .type, .apiFramework, .mediaType: break
            }
        }
        for refused in choice.refused where refused.cause.isUnplayable {
            log.add(.mediaFileUnplayable, places.place(of: refused.file), refused.error.message)
        }
    }

    /// Reports more files than the plan tries.
    private static func fileCount(of linear: VASTLinear, _ places: inout ElementLookup, _ log: inout LintLog) {
        let count = linear.mediaFiles.count
        if count > MediaChoice.maxFiles, let first = linear.mediaFiles.first {
            let text = "there are \(count) media files, but only \(MediaChoice.maxFiles) are tried"
            log.add(.mediaMany, places.place(of: first), text)
        }
    }
}

extension MediaRefusal {
    /// Whether no current player can play the file.
    ///
    /// Streams and programs are for players that support them, and do no harm next to a playable file.
    fileprivate var isUnplayable: Bool {
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
    /// The rules that report an ad without anything to play.
    static let unplayable: Set<LintRule> = [.adUnplayable, .mediaUnplayable, .mediafilesMissing, .vpaidOnly]
}

import AdCore
import AdProviders

/// Requests one format, and accepts a response for another format, with an issue.
///
/// An app rejects such a response. Without `--format` the command shows it, so that a tester sees what the server sends.
struct AnySlotProvider<Base: AdProvider>: AdProvider where Base.Placement == YabbiPlacement, Base.Memory == NoMemory {
    let base: Base

    var name: ProviderName { self.base.name }
    var openMode: LinkOpenMode { self.base.openMode }
    var retries: RetryPolicy { self.base.retries }
    var credentials: [CredentialName: String] { self.base.credentials }

    func placementName(of placement: YabbiPlacement) -> String? { self.base.placementName(of: placement) }

    func request(for placement: YabbiPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        try self.base.request(for: placement, in: context)
    }

    func offers(
        from response: AdHTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        try AnySlot.offers(for: placement) { (placement) throws(AdError) in
            try self.base.offers(from: response, for: placement, in: context)
        }
    }

    func cachePolicy(in context: AdContext) -> CachePolicy? { self.base.cachePolicy(in: context) }

    func choice(
        among proposals: [Proposal],
        for placement: YabbiPlacement,
        random: inout some RandomNumberGenerator
    ) -> [Int] { self.base.choice(among: proposals, for: placement, random: &random) }
}

/// Reads a response for a placement, or else for one of another format.
enum AnySlot {
    static func offers(
        for placement: YabbiPlacement,
        _ read: (YabbiPlacement) throws(AdError) -> OfferBatch
    ) throws(AdError) -> OfferBatch {
        let refusal: AdError
        do throws(AdError) {
            return try read(placement)
        } catch {
            guard error.code == .formatMismatch else { throw error }
            refusal = error
        }
        for other in placement.otherSlots {
            do throws(AdError) {
                let batch = try read(other)
                return OfferBatch(batch.proposals, issues: [self.issue(other.format, refusal)] + batch.issues)
            } catch {
                guard error.code == .formatMismatch else { throw error }
            }
        }
        throw refusal
    }

    private static func issue(_ format: AdFormat, _ refusal: AdError) -> AdIssue {
        AdIssue(
            "slot.followed",
            at: .whole,
            """
            the response has another format than requested (\(refusal.message)), and is shown as \(format.rawValue); \
            request it with --format \(format.rawValue)
            """
        )
    }
}

extension YabbiPlacement {
    /// The placement in the other formats.
    fileprivate var otherSlots: [YabbiPlacement] {
        [
            YabbiPlacement.banner(unit: self.unitID, size: self.size), .interstitial(unit: self.unitID),
            .rewarded(unit: self.unitID),
        ].filter { $0.format != self.format }
    }
}

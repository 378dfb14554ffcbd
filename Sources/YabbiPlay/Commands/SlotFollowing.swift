import AdCore
import YabbiAds

/// Requests one slot, and accepts an answer for another one where none was chosen: a tester without `--format` wants to
/// see what comes, where an app would refuse it.
struct SlotFollowing<Base: AdProvider>: AdProvider where Base.Placement == YabbiPlacement, Base.Memory == NoMemory {
    let base: Base

    var name: ProviderName { self.base.name }
    var openMode: OpenMode { self.base.openMode }
    var retries: RetryPolicy { self.base.retries }
    var credentials: [CredentialName: String] { self.base.credentials }

    func request(for placement: YabbiPlacement, in context: AdContext) throws(AdError) -> HTTPRequest {
        try self.base.request(for: placement, in: context)
    }

    func offers(
        from response: HTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        let refusal: AdError
        do throws(AdError) {
            return try self.base.offers(from: response, for: placement, in: context)
        } catch {
            guard error.code == .formatMismatch else { throw error }
            refusal = error
        }
        for other in placement.otherSlots {
            do throws(AdError) {
                let batch = try self.base.offers(from: response, for: other, in: context)
                return OfferBatch(batch.proposals, issues: [SlotFollowing.issue(other.format, refusal)] + batch.issues)
            } catch {
                guard error.code == .formatMismatch else { throw error }
            }
        }
        throw refusal
    }

    private static func issue(_ format: AdFormat, _ refusal: AdError) -> Issue {
        Issue(
            "slot.followed",
            at: .whole,
            """
            the answer is for another slot than was asked for (\(refusal.message)), and is shown as \(format.rawValue); \
            --format \(format.rawValue) asks for that one
            """
        )
    }

    func keeping(in context: AdContext) -> Keeping? { self.base.keeping(in: context) }

    func choice(
        among proposals: [Proposal],
        for placement: YabbiPlacement,
        random: inout some RandomNumberGenerator
    ) -> [Int] { self.base.choice(among: proposals, for: placement, random: &random) }
}

extension YabbiPlacement {
    /// The same place as every other slot.
    fileprivate var otherSlots: [YabbiPlacement] {
        [
            YabbiPlacement.banner(unit: self.unitID, size: self.size), .interstitial(unit: self.unitID),
            .rewarded(unit: self.unitID),
        ].filter { $0.format != self.format }
    }
}

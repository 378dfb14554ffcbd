import AdCore
import AdRuntime

extension SourceDocument {
    /// A failure with the name that the user gave, in place of an address that the command made up.
    func naming(_ error: AdError) -> AdError {
        var place = error.place
        if place.url != nil { place.url = self.name }
        return AdError(
            error.code,
            error.code == .noFill ? self.noAd(error) : error.message,
            at: place,
            underlying: error.underlying,
            vastCode: error.vastCode,
            issues: error.issues
        )
    }

    /// No server was asked, so that asking again changes nothing.
    private func noAd(_ error: AdError) -> String {
        "there is no ad in \(self.name)\(error.issues.first.map { ": \($0.message)" } ?? "")"
    }

    /// Passes events on, failures with the name of the document.
    struct Observer: AdObserver {
        let document: SourceDocument
        let next: any AdObserver

        func observe(_ record: AdRecord) {
            guard case .loadFailed(let error) = record.event else { return self.next.observe(record) }
            self.next.observe(
                AdRecord(
                    at: record.at,
                    ad: record.ad,
                    provider: record.provider,
                    event: .loadFailed(self.document.naming(error)),
                    detail: record.detail
                )
            )
        }

        func observe(_ notice: IgnoredInput) { self.next.observe(notice) }
        func observe(_ record: SessionRecord) { self.next.observe(record) }
    }
}

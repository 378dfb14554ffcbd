import AdCore
import AdRuntime

extension SourceDocument {
    /// The error with the name that the user gave, in place of the internal URL of the document.
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

    /// The message for no fill.
    ///
    /// A retry would not help, because no server was requested.
    private func noAd(_ error: AdError) -> String {
        "no ad in \(self.name)\(error.issues.first.map { ": \($0.message)" } ?? "")"
    }

    /// Forwards events.
    ///
    /// Errors get the name of the document.
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

        func observe(_ input: IgnoredInput) { self.next.observe(input) }
        func observe(_ record: SessionRecord) { self.next.observe(record) }
    }
}

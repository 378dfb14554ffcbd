import AdCore
import AdRuntime

/// Passes on everything that happens to ads, failures with the user's own name for where the ad came from.
struct SourceNaming: AdObserver {
    let source: Source
    let next: any AdObserver

    func observe(_ record: AdRecord) {
        guard case .loadFailed(let error) = record.event else { return self.next.observe(record) }
        self.next.observe(
            AdRecord(
                at: record.at,
                ad: record.ad,
                provider: record.provider,
                event: .loadFailed(self.source.naming(error)),
                detail: record.detail
            )
        )
    }

    func observe(_ notice: AdNotice) { self.next.observe(notice) }

    func observe(_ record: SessionRecord) { self.next.observe(record) }
}

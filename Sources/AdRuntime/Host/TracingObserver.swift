import AdCore
import AdTrace

/// Records every ad event in the trace before the next observer gets it.
struct TracingObserver: AdObserver {
    private let trace: TraceRecorder
    private let next: (any AdObserver)?

    init(_ trace: TraceRecorder, next: (any AdObserver)?) {
        self.trace = trace
        self.next = next
    }

    func observe(_ record: AdRecord) {
        self.trace.record(record.event, of: record.ad, record.provider, at: record.at, record.detail)
        self.next?.observe(record)
    }

    func observe(_ input: IgnoredInput) { self.next?.observe(input) }

    func observe(_ record: SessionRecord) { self.next?.observe(record) }
}

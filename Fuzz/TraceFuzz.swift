import AdCore
import AdProviders
import AdTrace

/// The fuzzer's entry point: a trace from anywhere.
///
/// It is compiled together with `AdReplay`. Replaying any input must end, with the line of its first error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var replay = TraceReplay(machines: ["smartico": SmarticoSession.self])
    do throws(ReplayError) {
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            _ = try replay.replay(String(decoding: line, as: UTF8.self))
        }
        try replay.finish()
    } catch {
        if case .differs(let difference) = error { precondition(difference.line > 0) }
    }
    // Redacting twice gives the same as redacting once.
    var redaction = SecretRedaction()
    redaction.add("secret-value")
    let redacted = redaction.hide(.string(String(decoding: bytes.prefix(4096), as: UTF8.self)))
    precondition(redaction.hide(redacted).agrees(with: redacted), "redacted text is redacted again")
    return 0
}

import AdCore
import AdProviders
import AdReplay

/// What the fuzzer calls: a trace, which somebody has sent.
///
/// Compiled together with `AdTrace`. Whatever it holds, running it again ends, and says where it can't go on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var replay = TraceReplay(machines: ["smartico": SmarticoSession.self])
    do throws(TraceFault) {
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            _ = try replay.take(String(decoding: line, as: UTF8.self))
        }
        try replay.end()
    } catch {
        if case .differs(let difference) = error { precondition(difference.line > 0) }
    }
    // What is hidden once stays as it is.
    var hiding = SecretRedaction()
    hiding.add("secret-value")
    let hidden = hiding.hide(.string(String(decoding: bytes.prefix(4096), as: UTF8.self)))
    precondition(hiding.hide(hidden).agrees(with: hidden), "what was hidden is hidden again")
    return 0
}

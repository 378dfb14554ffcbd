import AdCore
import AdMarkup

/// The fuzzer's entry point: a text in the place of a tracker, a click-through URL or a server's URL.
///
/// A URL that can be called can be called after it was recorded and read back; what is printed has no secret.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let address = BeaconAddress(text)
    if let url = address.url {
        precondition(BeaconAddress(url.http.text) == address, "\(url) changed by a round trip")
        let isSendable = url.http.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        precondition(isSendable, "\(url) has characters that a request can't have")
    } else {
        precondition(address.uncallableReason != nil)
    }
    if let link = ClickThroughURL(text) {
        precondition(ClickThroughURL(link.text)?.text == link.text, "\(link) changed by a round trip")
        precondition(link.scheme != "javascript" && link.scheme != "data" && link.scheme != "file")
    }
    let hidden = Redaction.address(text)
    precondition(Redaction.address(hidden) == hidden, "what was hidden is hidden again")
    if let template = URLTemplate(text) {
        let values = MacroValues.moment(at: WallTime(milliseconds: 1_700_000_000_000), random: 7).adding(.error(400))
        let finished = values.address(template)
        if let url = finished.url { precondition(HTTPURL(url.http.text) == url.http) }
        if let base = HTTPURL("https://a.example/b/c?d"), let url = try? values.finished(template, from: base) {
            precondition(HTTPURL(url.text) == url)
        }
    }
    return 0
}

import AdCore
import AdMarkup
import AdProviders

/// The fuzzer's entry point: an ad response, its status in the first byte, for every provider.
///
/// Any response is an offer or an error with its reason, and JSON is the same after writing and reading it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first, let base = HTTPURL("https://ads.example/api") else { return 0 }
    let body = Array(bytes.dropFirst())
    if let json = try? AdJSON(parsing: body) {
        precondition((try? AdJSON(parsing: json.bytes())) == json, "JSON changed by a round trip")
    }
    let status = [200, 204, 200, 400, 200, 404, 200, 500][Int(first) % 8]
    let headers: AdHTTPHeaders = ["Content-Type": "application/json"]
    let response = AdHTTPResponse(status: status, headers: headers, body: body, url: base)
    let context = AdContext(userAgent: "fuzz/1")
    let app = YabbiApp(publisherID: "p", bundle: "b", name: "n")
    for placement in [YabbiPlacement.banner(unit: "u"), .interstitial(unit: "u"), .rewarded(unit: "u")] {
        read(response, YabbiProvider(endpoint: base, app: app), placement, context)
        read(response, YabbiRTBProvider(endpoint: base, app: app), placement, context)
    }
    let keys = AttentionMarketKeys(apiKey: "k", agentID: "a", anonKey: "n")
    read(response, AttentionMarketProvider(keys: keys, base: base), AttentionMarketPlacement(userMessage: "m"), context)
    let ceed = CeedAdsProvider(app: CeedAdsApp(appID: "a"), base: base)
    read(response, ceed, CeedAdsPlacement(conversationID: "c", messageID: "m", contextText: "t"), context)
    for placement in [ActiveAdsPlacement.feed, .banner, .popup] {
        read(response, ActiveAdsProvider(base: base), placement, context)
    }
    return 0
}

private func read<Provider: AdProvider>(
    _ response: AdHTTPResponse,
    _ provider: Provider,
    _ placement: Provider.Placement,
    _ context: AdContext
) {
    do throws(AdError) {
        let batch = try provider.offers(from: response, for: placement, in: context)
        for case .offer(let offer) in batch.proposals {
            precondition(offer.provider == provider.name)
            for beacon in offer.beacons where beacon.call.address.url == nil {
                let reason = beacon.call.address.uncallableReason
                precondition(reason != nil, "an address that can't be called has no reason")
            }
        }
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
}

import AdCore
import AdLint
import Testing

@Suite("Formats of ad responses")
struct AdResponseFormatTests {
    @Test("every kind of response is recognized by its members")
    func shapes() throws {
        let samples: [(String, AdResponseFormat?)] = [
            (#"{"seatbid": []}"#, .openRTB), (#"{"id": "x", "nbr": 2}"#, .openRTB),
            (#"{"adm": "x", "type": 1}"#, .yabbi),
            (#"{"type": 1}"#, .yabbi), (#"{"ads": []}"#, .activeAds), (#"{"ok": true, "ad": null}"#, .ceedAds),
            (#"{"ad": null}"#, .attentionMarket), (#"{"targeting": {}}"#, nil), (#"[]"#, nil), ("7", nil),
            (#"{"bids": [{"cpm": 1, "vastXml": "<VAST/>"}]}"#, .prebid), (#"{"cpm": 1, "ad": "<p>x</p>"}"#, .prebid),
            (#"{"cpm": 1, "type": 1, "adm": "x"}"#, .yabbi),
        ]
        for (text, shape) in samples {
            #expect(AdResponseFormat(try AdJSON(parsing: text)) == shape, "\(text)")
        }
    }
}

import AdCore
import AdMarkup

/// What reading a document takes at its most, beside the document itself: one size after the other.
enum MemoryBench {
    static func run() throws -> [JSON] {
        try [64, 256, 1_024, 4_000].map { kilobytes in
            let bytes = self.document(kilobytes * 1024)
            // Once before, so that what is only made once does not count.
            _ = try VASTDocument(parsing: Array(self.document(2_000)))
            let before = ProcessFigures.residentBytes
            ProcessFigures.resetPeak()
            let document = try VASTDocument(parsing: bytes)
            let peak = ProcessFigures.peakBytes - before
            guard !document.ads.isEmpty else { throw WishError(message: "the document holds no ad") }
            return [
                "benchmark": "memory",
                "documentBytes": .int(bytes.count),
                "ads": .int(document.ads.count),
                "peakBytes": .int(peak),
                "ratio": ProcessFigures.rounded(Double(peak) / Double(bytes.count)),
            ]
        }
    }

    /// VAST of about so many bytes: ads as servers send them.
    private static func document(_ bytes: Int) -> [UInt8] {
        var text = #"<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2">"#
        var number = 0
        while text.utf8.count < bytes {
            number += 1
            text += self.ad(number)
        }
        return Array((text + "</VAST>").utf8)
    }

    private static func ad(_ number: Int) -> String {
        let events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "mute", "unmute", "pause"]
        let tracking = events.map { event in
            "<Tracking event=\"\(event)\"><![CDATA[https://t.example/v1/\(event)?ad=\(number)&cb=[CACHEBUSTING]&session=4f9d2c]]></Tracking>"
        }
        return """
            <Ad id="\(number)"><InLine><AdSystem version="1.0">Bench</AdSystem><AdTitle>Ad number \(number)</AdTitle>
            <Impression id="a"><![CDATA[https://t.example/v1/impression?ad=\(number)&cb=[CACHEBUSTING]&session=4f9d2c]]></Impression>
            <Error><![CDATA[https://t.example/v1/error?ad=\(number)&code=[ERRORCODE]]]></Error>
            <Creatives><Creative id="c\(number)"><UniversalAdId idRegistry="ad-id.org">ABCD\(number)</UniversalAdId><Linear>
            <Duration>00:00:15</Duration><TrackingEvents>\(tracking.joined())</TrackingEvents>
            <VideoClicks><ClickThrough><![CDATA[https://shop.example/landing?ad=\(number)]]></ClickThrough></VideoClicks>
            <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1280" height="720" bitrate="2500">
            <![CDATA[https://m.example/films/\(number)/720.mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives>
            </InLine></Ad>
            """
    }
}

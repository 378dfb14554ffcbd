import AdCore
import AdRuntime

/// Realistic VAST with a given number of ads.
enum SampleVAST {
    /// A VAST document.
    static func document(ads: Int) -> [UInt8] {
        let head = #"<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2">"#
        return Array((head + (1...ads).map(self.ad).joined() + "</VAST>").utf8)
    }

    /// A VAST document with one ad that differs from all others.
    static func document(number: Int) -> [UInt8] {
        Array((#"<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2">"# + self.ad(number) + "</VAST>").utf8)
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

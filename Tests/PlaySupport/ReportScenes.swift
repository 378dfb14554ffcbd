package import AdCore
import AdRuntime
package import PlayReport
import PlayText
package import WebStage

/// The events of an ad, for reports.
package enum ReportScenes {
    package static let ad = AdID("1fe9989c0c2c879b")

    package static func record(_ event: AdEvent, at milliseconds: Int64, _ detail: [AdJSON.Member] = []) -> AdRecord {
        AdRecord(at: Moment(.milliseconds(milliseconds)), ad: self.ad, provider: "yabbi", event: event, detail: detail)
    }

    package static let view = BeaconKey(ad: ad, event: .view)
    package static let click = BeaconKey(ad: ad, event: .click)

    package static func address(_ text: String) -> BeaconAddress { BeaconAddress(text) }

    /// An ad that is loaded, shown, viewed, clicked and closed.
    ///
    /// The click's beacon is dead.
    package static var events: [AdRecord] {
        [
            record(.loadStarted, at: 10), record(.loaded, at: 60),
            record(
                .shown,
                at: 200,
                [.init("requested", "300x250"), .init("resolved", "300x250"), .init("rendered", "150x125")]
            ),
            record(.view(.anyPixel), at: 220),
            record(.beaconRecorded(view, address("https://t.example/view?ad=1")), at: 220),
            record(.beaconDelivered(view, attempts: 2), at: 400),
            record(.blocked(BlockedAttempt(.popup, "https://else.example/")), at: 500),
            record(.closeAvailable(.closeDelay), at: 2_200), record(.click, at: 2_300),
            record(.beaconRecorded(click, address("https://t.example/click?ad=1")), at: 2_300),
            record(.beaconDead(click, reason: "status 404"), at: 2_350),
            record(.closed(CloseDetails(reason: .user, rewarded: false, rule: .closeDelay)), at: 3_000),
        ]
    }

    package static func reportedAd(_ records: [AdRecord] = events, title: String? = nil) -> ReportedAd {
        ReportedAd(
            ad: self.ad,
            provider: "yabbi",
            name: "banner-300x250",
            title: title,
            offer: nil,
            records: records,
            verdicts: [],
            lint: nil
        )
    }

    package static func request(
        _ url: String,
        at start: Int64,
        _ outcome: StageRequest.Outcome,
        isCreatives: Bool = true
    )
        -> ReportRequest
    {
        ReportRequest(
            purpose: isCreatives ? .creative : .load,
            kind: isCreatives ? "Image" : nil,
            method: "GET",
            url: url,
            start: .milliseconds(start),
            length: .milliseconds(40),
            outcome: outcome
        )
    }

    package static func page(_ ads: [ReportedAd]) -> String {
        ReportPage(title: "show <b>", madeAt: WallTime(milliseconds: 0), stage: "a test", ads: ads).text
    }
}

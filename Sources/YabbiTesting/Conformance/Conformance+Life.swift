import AdCore
import AdRuntime

/// The checks of an ad's lifecycle, from load to close.
extension ProviderConformance {
    /// The same placement and context must give the same request.
    func requests() -> [Finding] {
        func request() -> Result<AdHTTPRequest, AdError> {
            Result { () throws(AdError) in try self.provider.request(for: self.placement, in: AdContext()) }
        }
        switch (request(), request()) {
        case (.success(let first), .success(let second)) where first == second: return []
        case (.success, .success):
            return [Finding(check: "request", problem: "two requests with the same placement and context differ")]
        case (.failure(let error), _), (_, .failure(let error)):
            let problem = "no request can be made with an empty context: \(error.message)"
            return [Finding(check: "request", problem: problem)]
        }
    }

    /// Events must come once and in order, and a click must be recorded before its link opens.
    func lifecycle() async -> [Finding] {
        let scene = self.sceneWithAd
        let ad = scene.ad()
        if let error = await scene.load(ad) {
            return [Finding(check: "life", problem: "the response with an ad does not load: \(error)")]
        }
        if let error = await scene.show(ad) {
            return [Finding(check: "life", problem: "the ad can't be shown: \(error)")]
        }
        // Every input twice: no event may come twice.
        for ratio in [0, 1, 0.5, 1] { scene.presenter.report(.visible(ratio: ratio)) }
        // A creative brings a click-through URL of its own where the ad response has none.
        let link = ad.offer?.rules.clickThrough == nil ? ClickThroughURL("https://click-through.example/") : nil
        for _ in 0..<2 { scene.presenter.report(.click(link, byUser: true)) }
        scene.presenter.report(.click(nil, byUser: false))
        await scene.clock.advance(by: .seconds(120))
        var findings: [Finding] = []
        if let error = await scene.show(ad), error.code != .alreadyShown {
            let problem = "a second show fails with \(error.code) instead of alreadyShown"
            findings.append(Finding(check: "life", problem: problem))
        }
        ad.close()
        await scene.clock.settle()
        let names = scene.events(of: ad).map(\.name)
        for (name, most) in [("loaded", 1), ("shown", 1), ("view", 1), ("click", 1), ("closed", 1)] {
            let count = names.count { $0 == name }
            if count != most { findings.append(Finding(check: "life", problem: "\(name) is reported \(count) times")) }
        }
        let order = ["loadStarted", "loaded", "shown", "view", "click", "closed"]
        let reported = names.filter(order.contains)
        if reported != order { findings.append(Finding(check: "life", problem: "the events are \(reported)")) }
        for (key, count) in Dictionary(grouping: scene.keys, by: { $0 }).mapValues(\.count) where count > 1 {
            findings.append(Finding(check: "life", problem: "the beacon \(key) is sent \(count) times"))
        }
        return findings + self.clickFirst(scene.events(of: ad)) + self.released(scene, after: "life")
    }

    /// A click's beacons must be recorded before its link opens.
    private func clickFirst(_ events: [AdEvent]) -> [Finding] {
        let opened = events.firstIndex { if case .linkOpened = $0 { true } else { false } }
        let recorded = events.firstIndex { event in
            if case .beaconRecorded(let key, _) = event { key.event == .click } else { false }
        }
        guard let opened, let recorded, opened < recorded else { return [] }
        return [Finding(check: "click before open", problem: "the link is opened before the click is recorded")]
    }

    /// In every phase `destroy` must end the ad: no event and no alarm may follow.
    func endings() async -> [Finding] {
        var findings: [Finding] = []
        for moment in ["before load", "loaded", "shown", "clicked", "closed"] {
            let scene = self.sceneWithAd
            let ad = scene.ad()
            if moment != "before load" { _ = await scene.load(ad) }
            if ["shown", "clicked", "closed"].contains(moment) { _ = await scene.show(ad) }
            if ["clicked", "closed"].contains(moment) { scene.presenter.report(.click(nil, byUser: true)) }
            if moment == "closed" { ad.close() }
            ad.destroy()
            await scene.clock.settle()
            let (events, recorded) = (scene.events(of: ad).count, scene.keys.count)
            scene.presenter.report(.visible(ratio: 1))
            scene.presenter.report(.click(nil, byUser: true))
            await scene.clock.advance(by: .seconds(3_600))
            let check = "destroyed when \(moment)"
            if scene.events(of: ad).count != events || scene.keys.count != recorded {
                findings.append(Finding(check: check, problem: "an event or a beacon follows"))
            }
            findings += self.released(scene, after: check)
        }
        return findings
    }

    private func released(_ scene: ConformanceScene<Provider>, after check: String) -> [Finding] {
        guard scene.clock.alarms > 0 else { return [] }
        return [Finding(check: check, problem: "\(scene.clock.alarms) alarms are still set")]
    }
}

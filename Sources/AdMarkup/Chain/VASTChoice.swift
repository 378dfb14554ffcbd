import AdCore

/// Selects the ads of a document that are played: its pod or a stand-alone ad (VAST 4.3 §3.3.1).
struct VASTChoice {
    /// The ads of the pod by `sequence`, or one stand-alone ad.
    let places: [VASTAd]
    /// The other stand-alone ads.
    let spare: [VASTAd]
    /// Whether a stand-alone ad is played.
    let isAlone: Bool
    let issues: [AdIssue]

    init(_ ads: [VASTAd], allowsMultipleAds: Bool) {
        var issues: [AdIssue] = []
        var pod: [VASTAd] = []
        var alone: [VASTAd] = []
        var used: Set<Int> = []
        for ad in ads {
            guard let sequence = ad.sequence else {
                alone.append(ad)
                continue
            }
            if !used.insert(sequence).inserted {
                let text = "two ads have the sequence \(sequence); the second is treated as a stand-alone ad"
                issues.append(AdIssue("vast.sequence.twice", at: .line(ad.line), text))
                alone.append(ad)
            } else {
                pod.append(ad)
            }
        }
        // A single ad with a sequence is no pod: the IAB's own samples have stand-alone ads with sequence="1".
        if pod.count < 2 {
            pod = []
            alone = ads
        }
        pod.sort { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        self.isAlone = pod.isEmpty
        self.places = pod.isEmpty ? Array(alone.prefix(1)) : pod
        let others = pod.isEmpty ? Array(alone.dropFirst()) : alone
        // Without allowMultipleAds VAST 4.3 §3.19 permits only the first stand-alone ad. Here a pod is kept as well: it
        // counts as one choice.
        if !allowsMultipleAds, !others.isEmpty {
            let text = "\(others.count) more ads than allowMultipleAds permits; they are left out"
            issues.append(AdIssue("vast.ads.notAllowed", at: .line(others[0].line), text))
        }
        self.spare = allowsMultipleAds ? others : []
        self.issues = issues
    }
}

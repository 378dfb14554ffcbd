import AdCore

/// Which of a document's ads are played.
struct VASTChoice {
    /// The ads of the pod in their order, or the one that is played.
    let places: [VASTAd]
    /// Those that stand alone besides.
    let spare: [VASTAd]
    /// Whether what is played is one that stands alone.
    let isAlone: Bool
    let issues: [Issue]

    init(_ ads: [VASTAd], allowsMultipleAds: Bool) {
        var issues: [Issue] = []
        var pod: [VASTAd] = []
        var alone: [VASTAd] = []
        var taken: Set<Int> = []
        for ad in ads {
            guard let sequence = ad.sequence else {
                alone.append(ad)
                continue
            }
            if !taken.insert(sequence).inserted {
                let text = "two ads have the number \(sequence); the second stands alone"
                issues.append(Issue("vast.sequence.twice", at: .line(ad.line), text))
                alone.append(ad)
            } else {
                pod.append(ad)
            }
        }
        // One number makes no pod.
        if pod.count < 2 {
            pod = []
            alone = ads
        }
        pod.sort { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        self.isAlone = pod.isEmpty
        self.places = pod.isEmpty ? Array(alone.prefix(1)) : pod
        let others = pod.isEmpty ? Array(alone.dropFirst()) : alone
        if !allowsMultipleAds, !others.isEmpty {
            let text = "\(others.count) more ads came than are allowed (allowMultipleAds); they are left out"
            issues.append(Issue("vast.ads.notAllowed", at: .line(others[0].line), text))
        }
        self.spare = allowsMultipleAds ? others : []
        self.issues = issues
    }
}

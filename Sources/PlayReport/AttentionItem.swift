import PlayText

/// A problem with all ads that have it: a problem that several ads share is listed once.
struct AttentionItem {
    let check: AdCheck
    /// The indices of the ads.
    private(set) var ads: [Int]

    /// How many items the page lists, and how many ads of each.
    static let maxItems = 40
    static let maxAds = 12

    var problem: String {
        if let problem = self.check.problem { return problem }
        return self.check.reason.isEmpty ? self.check.result : "\(self.check.result): \(self.check.reason)"
    }

    /// The problems of all ads: first the errors, then the warnings, each in the order of the ads.
    static func all(_ ads: [ReportedAd]) -> [AttentionItem] {
        var items: [AttentionItem] = []
        var indices: [[String]: Int] = [:]
        for (index, ad) in ads.enumerated() {
            for check in AdChecks(ad).problems {
                let item = AttentionItem(check: check, ads: [index])
                let key = [check.rating.rawValue, check.title, item.problem]
                if let known = indices[key] {
                    items[known].ads.append(index)
                } else {
                    indices[key] = items.count
                    items.append(item)
                }
            }
        }
        return items.filter { $0.check.rating == .bad } + items.filter { $0.check.rating != .bad }
    }
}

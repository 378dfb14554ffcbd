/// A problem, with all ads that have it: what many have in common is listed once.
struct Trouble {
    let answer: AdAnswer
    /// The numbers of the ads, from 0.
    private(set) var ads: [Int]

    /// As many are listed ahead of everything, each with so many ads.
    static let most = 40
    static let mostAds = 12

    /// What is the matter, in words.
    var matter: String {
        if let matter = self.answer.matter { return matter }
        return self.answer.reason.isEmpty ? self.answer.answer : "\(self.answer.answer): \(self.answer.reason)"
    }

    /// The worst first, and otherwise in the order of the ads.
    static func all(_ stories: [AdStory]) -> [Trouble] {
        var troubles: [Trouble] = []
        var places: [[String]: Int] = [:]
        for (index, story) in stories.enumerated() {
            for answer in AdAnswers(story).troubles {
                let trouble = Trouble(answer: answer, ads: [index])
                let likeness = [answer.mood.rawValue, answer.question, trouble.matter]
                if let place = places[likeness] {
                    troubles[place].ads.append(index)
                } else {
                    places[likeness] = troubles.count
                    troubles.append(trouble)
                }
            }
        }
        return troubles.filter { $0.answer.mood == .bad } + troubles.filter { $0.answer.mood != .bad }
    }
}

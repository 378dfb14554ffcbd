import AdCore
import AdProviders
import TestSupport
import Testing

@Suite("Placement gate")
struct PlacementGateTests {
    private static let start = Moment.origin + .seconds(7)
    private static let dull = "what is the capital of this place?"
    private static let eager = "which pot should I buy?"

    /// A gate that has counted messages, one per second; the next one comes after the onboarding time.
    private static func gate(after messages: Int) -> PlacementGate {
        var gate = PlacementGate(startedAt: self.start)
        var random = ConstantGenerator(0)
        for second in 0..<messages {
            _ = gate.decide(userMessage: "hello", aiResponse: "", at: self.start + .seconds(second), random: &random)
        }
        return gate
    }

    private func decide(
        _ gate: inout PlacementGate,
        _ message: String = Self.eager,
        _ answer: String = "",
        after time: Duration = .seconds(30)
    ) -> PlacementGate.Decision {
        var random = ConstantGenerator(0)
        return gate.decide(userMessage: message, aiResponse: answer, at: Self.start + time, random: &random)
    }

    @Test("the first two messages get no card, whatever the user wants; the third may")
    func first() {
        var gate = PlacementGate(startedAt: Self.start)
        #expect(
            (1...4).map { _ in self.decide(&gate) } == [.tooEarly, .tooEarly, .commercialIntent, .commercialIntent]
        )
        #expect(gate.messages == 4 && gate.lastShown == nil)
    }

    @Test("five messages lie between two cards, and messages without a card count")
    func between() {
        var gate = Self.gate(after: 2)
        #expect(self.decide(&gate) == .commercialIntent)
        gate.recordAdShown()
        #expect(gate.lastShown == 3)
        let eager = (4...7).map { _ in self.decide(&gate) }
        #expect(eager == Array(repeating: .tooSoon, count: 4))
        #expect(self.decide(&gate) == .commercialIntent)
        // A card that was allowed but not shown changes nothing.
        #expect(self.decide(&gate) == .commercialIntent)
        gate.recordAdShown()
        #expect((10...13).map { _ in self.decide(&gate, Self.dull) } == Array(repeating: .tooSoon, count: 4))
        #expect(self.decide(&gate, Self.dull) == .noOccasion)
        #expect(self.decide(&gate) == .commercialIntent, "a message without an occasion changes nothing")
    }

    @Test(
        "a session's first thirty seconds get no card, to the millisecond",
        arguments: [(0, false), (29_999, false), (30_000, true), (30_001, true)]
    )
    func onboarding(milliseconds: Int, isAllowed: Bool) {
        var gate = Self.gate(after: 2)
        let decision = self.decide(&gate, after: .milliseconds(milliseconds))
        #expect(decision == (isAllowed ? .commercialIntent : .onboarding))
        #expect(gate.messages == 3, "a message without a card counts")
    }

    @Test("the decision names the message rule before the time rule")
    func order() {
        var gate = PlacementGate(startedAt: Self.start)
        #expect(self.decide(&gate, after: .zero) == .tooEarly)
        var later = Self.gate(after: 3)
        later.recordAdShown()
        #expect(self.decide(&later, after: .zero) == .tooSoon)
    }

    @Test(
        "every keyword is found in upper and lower case, and inside other words",
        arguments: [
            "buy", "purchase", "need", "looking for", "recommend", "best", "compare", "price", "cost", "cheap",
            "affordable",
        ]
    )
    func keywords(word: String) {
        for message in [
            word, word.uppercased(), word.prefix(1).uppercased() + word.dropFirst(), "is there a \(word)?",
            "un\(word)ed",
        ] {
            var gate = Self.gate(after: 2)
            #expect(self.decide(&gate, message) == .commercialIntent, "\(message)")
        }
        var gate = Self.gate(after: 2)
        #expect(self.decide(&gate, Self.dull, word) == .noOccasion, "keywords in the assistant's answer don't count")
        let keywords = PlacementRules.commercialKeywords
        #expect(keywords.contains(word) && keywords.count == 11)
    }

    @Test(
        "an answer is useful when it has more than 100 characters or contains certain words in this case",
        arguments: [
            (String(repeating: "a", count: 100), false), (String(repeating: "a", count: 101), true),
            (String(repeating: "é", count: 100), false), (String(repeating: "🪴", count: 101), true),
            ("Here you are", true), ("Where? Here.", true), ("here you are", false), ("HERE", false),
            ("There", false), ("I found it", true), ("i found it", false), ("I Found it", false),
            ("I  found it", false),
            ("Not that I founded it", true), ("", false),
        ]
    )
    func providedValue(answer: String, isUseful: Bool) {
        var gate = Self.gate(after: 2)
        #expect(self.decide(&gate, Self.dull, answer) == (isUseful ? .providedValue : .noOccasion))
        var other = Self.gate(after: 2)
        #expect(self.decide(&other, answer) == .noOccasion, "these words in the user's message don't count")
    }

    @Test("one random number is drawn, and only when no other rule decides")
    func draws() {
        let cases: [(messages: Int, isShown: Bool, seconds: Int, message: String, answer: String, draws: Int)] = [
            (1, false, 30, Self.dull, "Here", 0), (3, true, 30, Self.dull, "Here", 0),
            (2, false, 29, Self.dull, "Here", 0), (2, false, 30, Self.eager, "Here", 0),
            (2, false, 30, Self.dull, "here", 0), (2, false, 30, Self.dull, "Here", 1),
        ]
        for one in cases {
            for number in [0, UInt64.max] {
                var gate = Self.gate(after: one.messages)
                if one.isShown { gate.recordAdShown() }
                var random = ConstantGenerator(number)
                let isAllowed = gate.shouldShowAd(
                    userMessage: one.message,
                    aiResponse: one.answer,
                    at: Self.start + .seconds(one.seconds),
                    random: &random
                )
                #expect(random.draws == one.draws, "\(one)")
                if one.draws == 1 { #expect(isAllowed == (number == 0), "\(one)") }
            }
        }
    }

    @Test("the rules for iOS are three messages, and five between two cards: no other conditions")
    func ios() {
        var gate = PlacementGate(rules: .ios, startedAt: Self.start)
        var random = ConstantGenerator(.max)
        var shown: [Int] = []
        for message in 1...20 {
            guard
                gate.shouldShowAd(userMessage: Self.dull, aiResponse: "", at: Self.start, random: &random)
            else { continue }
            shown.append(message)
            gate.recordAdShown()
        }
        #expect(shown == [3, 8, 13, 18] && random.draws == 0)
    }

    @Test("the default rules are those for Android")
    func standard() {
        #expect(PlacementGate(startedAt: Self.start).rules == .android)
        #expect(PlacementRules.android.messagesBeforeFirst == 3 && PlacementRules.android.messagesBetween == 5)
        #expect(PlacementRules.android.onboarding == .seconds(30))
    }

    @Test("a host's own rules replace all keywords and numbers")
    func own() {
        var rules = PlacementRules.ios
        rules.messagesBeforeFirst = 5
        rules.messagesBetween = 2
        rules.onboarding = .seconds(4)
        rules.occasion = .intent(keywords: ["FERN", ""], chance: 1)
        var gate = PlacementGate(rules: rules, startedAt: Self.start)
        var random = ConstantGenerator(.max)
        let decisions = [
            (Self.eager, "", 9), (Self.eager, "", 9), (Self.eager, "", 9), (Self.eager, "", 9),
            ("a fern?", "", 3), ("a Fern?", "", 4), (Self.eager, "", 9), (Self.eager, "Here", 9),
        ].map { message, answer, seconds in
            gate.decide(userMessage: message, aiResponse: answer, at: Self.start + .seconds(seconds), random: &random)
        }
        #expect(
            decisions == [
                .tooEarly, .tooEarly, .tooEarly, .tooEarly, .onboarding, .commercialIntent, .noOccasion, .providedValue,
            ]
        )
        gate.recordAdShown()
        let next = gate.decide(userMessage: "fern", aiResponse: "", at: Self.start + .seconds(9), random: &random)
        #expect(next == .tooSoon)
    }

    @Test("about three of ten useful answers get a card")
    func chance() {
        let seed = TestSeed.chosen ?? .random(in: 0 ... .max)
        var random = TestRandom(seed: seed)
        let rounds = 20_000
        let allowed = (0..<rounds).count { _ in
            var gate = Self.gate(after: 2)
            return gate.decide(
                userMessage: Self.dull,
                aiResponse: "Here",
                at: Self.start + .seconds(30),
                random: &random
            ).allows
        }
        // Six standard deviations of 20,000 draws are 389.
        #expect(abs(allowed - 6_000) < 389, "YABBI_SEED=\(seed): \(allowed)")
    }

    @Test("in random conversations the gate decides like a plain model of the rules")
    func model() {
        let seed = TestSeed.chosen ?? .random(in: 0 ... .max)
        var random = TestRandom(seed: seed)
        let messages = ["hi", "I NEED a pot", Self.dull, "the BEST", "thanks", "nice weather", "how do I water it?"]
        let answers = ["", "Here", "I found two", String(repeating: "x", count: 101), "no", "so so"]
        for conversation in 0..<200 {
            var gate = PlacementGate(startedAt: Self.start)
            var model = Model()
            var time = Duration.zero
            for step in 0..<60 {
                time += .milliseconds(Int.random(in: 0...8_000, using: &random))
                let message = messages.randomElement(using: &random) ?? ""
                let answer = answers.randomElement(using: &random) ?? ""
                let bits = random.next()
                var forGate = TestRandom(seed: bits)
                var forModel = forGate
                let isAllowed = gate.shouldShowAd(
                    userMessage: message,
                    aiResponse: answer,
                    at: Self.start + time,
                    random: &forGate
                )
                let expected = model.shouldShowAd(message, answer, time, &forModel)
                let place = "YABBI_SEED=\(seed), conversation \(conversation), step \(step)"
                #expect(isAllowed == expected, "\(place)")
                #expect(forGate.next() == forModel.next(), "\(place): more or fewer random numbers were drawn")
                // Sometimes no ad is available.
                guard isAllowed, Bool.random(using: &random) else { continue }
                gate.recordAdShown()
                model.lastShown = model.count
            }
        }
    }

    /// The rules as the document lists them; the first card may come after the third message.
    private struct Model {
        var count = 0
        var lastShown = -2

        mutating func shouldShowAd(
            _ message: String,
            _ answer: String,
            _ time: Duration,
            _ random: inout TestRandom
        ) -> Bool {
            self.count += 1
            if self.count < 3 { return false }
            if self.count - self.lastShown < 5 { return false }
            if time < .milliseconds(30_000) { return false }
            let small = message.lowercased()
            let words = ["buy", "purchase", "need", "looking for", "recommend", "best", "compare", "price", "cost"]
            if (words + ["cheap", "affordable"]).contains(where: small.contains) { return true }
            let isUseful = answer.count > 100 || answer.contains("Here") || answer.contains("I found")
            return isUseful && Float.random(in: 0..<1, using: &random) < 0.3
        }
    }
}

import AdCore

@testable import AdMarkup

/// Ads and documents in few words.
///
/// Each ad's impression is `https://<id>.example/i`, its error `https://<id>.example/e`.
enum Text {
    static let media = "<MediaFile type=\"video/mp4\" width=\"640\" height=\"360\">https://m.example/v.mp4</MediaFile>"

    static func document(_ ads: String..., error: String? = nil) -> String {
        let error = error.map { "<Error>\($0)</Error>" } ?? ""
        return "<VAST version=\"4.2\">\(error)\(ads.joined())</VAST>"
    }

    /// An ad that brings its creatives: a video of ten seconds, where the test gives no others.
    static func inline(
        _ id: String,
        _ sequence: Int? = nil,
        ad: String = "",
        _ inside: String = "",
        creatives: String? = nil
    ) -> String {
        let body = creatives ?? self.linear()
        return """
            <Ad id="\(id)" \(self.number(sequence)) \(ad)><InLine><AdTitle>\(id)</AdTitle>
            <Impression>https://\(id).example/i</Impression><Error>https://\(id).example/e?c=[ERRORCODE]</Error>
            \(inside)<Creatives>\(body)</Creatives></InLine></Ad>
            """
    }

    static func linear(_ inside: String = "", media: String? = nil, attributes: String = "") -> String {
        self.creative(
            "<Linear \(attributes)><Duration>00:00:10</Duration><MediaFiles>\(media ?? self.media)</MediaFiles>\(inside)</Linear>"
        )
    }

    static func creative(_ inside: String) -> String { "<Creative>\(inside)</Creative>" }

    static func wrapper(
        _ id: String,
        to url: String?,
        _ sequence: Int? = nil,
        _ attributes: String = "",
        _ inside: String = ""
    ) -> String {
        let tag = url.map { "<VASTAdTagURI><![CDATA[\($0)]]></VASTAdTagURI>" } ?? ""
        return """
            <Ad id="\(id)" \(self.number(sequence))><Wrapper \(attributes)>\(tag)
            <Impression>https://\(id).example/i</Impression><Error>https://\(id).example/e?c=[ERRORCODE]</Error>\(inside)</Wrapper></Ad>
            """
    }

    private static func number(_ sequence: Int?) -> String { sequence.map { "sequence=\"\($0)\"" } ?? "" }
}

/// Servers that answer with these documents; what is not here can't be reached.
struct ChainScene {
    var answers: [String: String] = [:]
    var limits = VASTChainLimits.standard
    var base: HTTPURL?
    var allowsMultipleAds = true
    var followsWrappers = true

    /// What came of it, and what was asked on the way.
    struct Outcome {
        let resolution: VASTResolution
        let asked: [String]
        let mostAtOnce: Int

        var pod: [String] { self.resolution.pod.map { $0.inline.id ?? "-" } }
        var standIns: [String] { self.resolution.standIns.map { $0.inline.id ?? "-" } }
        /// Who is told of which code: `w1 302`.
        var told: [String] {
            self.resolution.pings.map { "\($0.url.text.dropFirst(8).prefix { $0 != "." }) \($0.code)" }
        }
        var code: Int? { self.resolution.failure?.code }
    }

    /// Follows a document's wrappers; of the requests that are under way, the one that is picked is answered next.
    func run(_ first: String, picking pick: (Int) -> Int = { _ in 0 }) throws -> Outcome {
        var chain = VASTChain(limits: self.limits)
        var open = chain.start(
            try VASTDocument(parsing: first),
            from: self.base,
            allowsMultipleAds: self.allowsMultipleAds,
            followsWrappers: self.followsWrappers
        )
        var asked: [String] = []
        var most = 0
        while !open.isEmpty {
            most = max(most, open.count)
            let request = open.remove(at: pick(open.count))
            let url = request.url.text
            asked.append(url)
            if let text = self.answers[url] {
                let base = try? MacroValues().finished(request.url, from: request.base)
                open += chain.handle(.success(try VASTDocument(parsing: text)), for: request.id, from: base)
            } else {
                open += chain.handle(.failure(VASTError(301, "\(url) does not answer")), for: request.id)
            }
        }
        guard let result = chain.result else { throw NothingCame() }
        return Outcome(resolution: result, asked: asked, mostAtOnce: most)
    }

    /// A chain that ends with nothing under way, and has no result.
    struct NothingCame: Error {}
}

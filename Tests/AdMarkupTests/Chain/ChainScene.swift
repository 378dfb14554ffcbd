import AdCore

@testable import AdMarkup

/// Builds VAST documents and ads for tests.
///
/// Each ad's impression is `https://<id>.example/i`, its error `https://<id>.example/e`.
enum Text {
    static let media = "<MediaFile type=\"video/mp4\" width=\"640\" height=\"360\">https://m.example/v.mp4</MediaFile>"

    static func document(_ ads: String..., error: String? = nil) -> String {
        let error = error.map { "<Error>\($0)</Error>" } ?? ""
        return "<VAST version=\"4.2\">\(error)\(ads.joined())</VAST>"
    }

    /// An inline ad; by default with a linear creative of ten seconds.
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

/// Servers that send these documents; all other URLs are unreachable.
struct ChainScene {
    var answers: [String: String] = [:]
    var limits = VASTChainLimits.standard
    var base: HTTPURL?
    var allowsMultipleAds = true
    var followsWrappers = true

    /// The result, and the requests that were made.
    struct Outcome {
        let resolution: VASTResolution
        let requested: [String]
        let maximumOpen: Int

        var pod: [String] { self.resolution.pod.map { $0.inline.id ?? "-" } }
        var fallbackCount: [String] { self.resolution.fallbackAds.map { $0.inline.id ?? "-" } }
        /// The error URLs that are called, with their codes, as in `w1 302`.
        var errorCalls: [String] {
            self.resolution.errorCalls.map { "\($0.url.text.dropFirst(8).prefix { $0 != "." }) \($0.code)" }
        }
        var code: Int? { self.resolution.failure?.code }
    }

    /// Resolves a document's wrappers; `picking` selects the open request that gets its response next.
    func run(_ first: String, picking pick: (Int) -> Int = { _ in 0 }) throws -> Outcome {
        var chain = VASTChain(limits: self.limits)
        var open = chain.start(
            try VASTDocument(parsing: first),
            from: self.base,
            allowsMultipleAds: self.allowsMultipleAds,
            followsWrappers: self.followsWrappers
        )
        var requested: [String] = []
        var maximumOpen = 0
        while !open.isEmpty {
            maximumOpen = max(maximumOpen, open.count)
            let request = open.remove(at: pick(open.count))
            let url = request.url.text
            requested.append(url)
            if let text = self.answers[url] {
                let base = try? MacroValues().finished(request.url, from: request.base)
                open += chain.handle(.success(try VASTDocument(parsing: text)), for: request.id, from: base)
            } else {
                open += chain.handle(.failure(VASTError(301, "\(url) does not answer")), for: request.id)
            }
        }
        guard let result = chain.result else { throw NoResult() }
        return Outcome(resolution: result, requested: requested, maximumOpen: maximumOpen)
    }

    /// A chain without open requests that has no result.
    struct NoResult: Error {}
}

package import AdCore
package import AdMarkup

/// Follows VAST wrappers (`VASTAdTagURI`) until every chain ends in an inline ad or an error.
package struct WrapperResolver: Sendable {
    /// Fetches one document.
    package typealias Fetch =
        @Sendable (HTTPURL) async -> Result<(document: VASTDocument, from: HTTPURL), VASTError>

    /// Finds the document for a URL without a request, relative URLs included; nil when a request is needed.
    package typealias Lookup =
        @Sendable (URLTemplate, _ base: HTTPURL?) -> Result<(document: VASTDocument, from: HTTPURL?), VASTError>?

    private let limits: VASTChainLimits
    private let values: @Sendable () -> MacroValues
    private let lookup: Lookup
    private let fetch: Fetch

    /// Creates a resolver; `values` returns the values of macros for each request.
    package init(
        limits: VASTChainLimits = .standard,
        values: @escaping @Sendable () -> MacroValues,
        lookup: @escaping Lookup = { _, _ in nil },
        fetch: @escaping Fetch
    ) {
        self.limits = limits
        self.values = values
        self.lookup = lookup
        self.fetch = fetch
    }

    /// Resolves a document's wrappers.
    package func resolve(
        _ document: VASTDocument,
        from base: HTTPURL? = nil,
        allowsMultipleAds: Bool = true,
        followsWrappers: Bool = true
    ) async -> VASTResolution {
        var chain = VASTChain(limits: self.limits)
        let first = chain.start(
            document,
            from: base,
            allowsMultipleAds: allowsMultipleAds,
            followsWrappers: followsWrappers
        )
        // Most chains have one request at a time and need no task group.
        var next = first
        while next.count == 1, let request = next.first {
            next = self.handle(await self.response(to: request), &chain)
        }
        guard !next.isEmpty else { return chain.outcome }
        return await withTaskGroup(of: Response.self, returning: VASTResolution.self) { group in
            for request in next { group.addTask { await self.response(to: request) } }
            while let response = await group.next() {
                for request in self.handle(response, &chain) { group.addTask { await self.response(to: request) } }
            }
            return chain.outcome
        }
    }

    /// Fetches a document that is no wrapper's, such as an ad break's `AdTagURI`.
    package func document(at template: URLTemplate, from base: HTTPURL? = nil) async
        -> Result<(document: VASTDocument, from: HTTPURL?), VASTError>
    {
        if let known = self.lookup(template, base) { return known }
        let url: HTTPURL
        do throws(HTTPURL.ParseError) {
            url = try self.values().finished(template, from: base)
        } catch {
            let shown = Redaction.address(template.text.excerpt(120))
            // 301: a wrapper's `VASTAdTagURI` (VAST 4.3 §3.19.1) was not reached in time, or not at all (§2.3.6.3).
            return .failure(VASTError(301, "the URL \u{201C}\(shown)\u{201D} is invalid: \(error.reason)"))
        }
        return await self.fetch(url).map { ($0.document, $0.from) }
    }

    private struct Response: Sendable {
        let id: Int
        let result: Result<(document: VASTDocument, from: HTTPURL?), VASTError>
    }

    private func response(to request: VASTChain.Request) async -> Response {
        Response(id: request.id, result: await self.document(at: request.url, from: request.base))
    }

    private func handle(_ response: Response, _ chain: inout VASTChain) -> [VASTChain.Request] {
        switch response.result {
        case .success(let (document, from)): chain.handle(.success(document), for: response.id, from: from)
        case .failure(let error): chain.handle(.failure(error), for: response.id)
        }
    }
}

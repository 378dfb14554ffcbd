package import AdCore
package import AdMarkup

/// Asks the servers that wrappers name until every ad is there, or it is known why not.
package struct WrapperResolver: Sendable {
    /// Asks one server.
    package typealias Ask =
        @Sendable (HTTPURL) async -> Result<(document: VASTDocument, from: HTTPURL), VASTError>

    /// An answer to an address as a document writes it, relative ones too, that needs no request; nil where there is none.
    package typealias Lookup =
        @Sendable (URLTemplate, _ base: HTTPURL?) -> Result<(document: VASTDocument, from: HTTPURL?), VASTError>?

    private let limits: VASTChainLimits
    private let values: @Sendable () -> MacroValues
    private let lookup: Lookup
    private let ask: Ask

    /// A resolver; `values` is asked for what stands for macros each time that an address is called.
    package init(
        limits: VASTChainLimits = .standard,
        values: @escaping @Sendable () -> MacroValues,
        lookup: @escaping Lookup = { _, _ in nil },
        ask: @escaping Ask
    ) {
        self.limits = limits
        self.values = values
        self.lookup = lookup
        self.ask = ask
    }

    /// Follows a document's wrappers to their end.
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
        // One server after the other needs no group of tasks, and that is how most wrappers are.
        var next = first
        while next.count == 1, let request = next.first {
            next = self.take(await self.answer(request), &chain)
        }
        guard !next.isEmpty else { return chain.outcome }
        return await withTaskGroup(of: Answer.self, returning: VASTResolution.self) { group in
            for request in next { group.addTask { await self.answer(request) } }
            while let answer = await group.next() {
                for request in self.take(answer, &chain) { group.addTask { await self.answer(request) } }
            }
            return chain.outcome
        }
    }

    /// Asks an address that no document names, such as that of a break.
    package func document(at template: URLTemplate, from base: HTTPURL? = nil) async
        -> Result<(document: VASTDocument, from: HTTPURL?), VASTError>
    {
        if let known = self.lookup(template, base) { return known }
        let url: HTTPURL
        do throws(HTTPURL.Fault) {
            url = try self.values().finished(template, from: base)
        } catch {
            let shown = Redaction.address(template.text.excerpt(120))
            return .failure(VASTError(301, "the address \u{201C}\(shown)\u{201D} can't be called: \(error.reason)"))
        }
        return await self.ask(url).map { ($0.document, $0.from) }
    }

    private struct Answer: Sendable {
        let id: Int
        let result: Result<(document: VASTDocument, from: HTTPURL?), VASTError>
    }

    private func answer(_ request: VASTChain.Request) async -> Answer {
        Answer(id: request.id, result: await self.document(at: request.url, from: request.base))
    }

    private func take(_ answer: Answer, _ chain: inout VASTChain) -> [VASTChain.Request] {
        switch answer.result {
        case .success(let (document, from)): chain.handle(.success(document), for: answer.id, from: from)
        case .failure(let error): chain.handle(.failure(error), for: answer.id)
        }
    }
}

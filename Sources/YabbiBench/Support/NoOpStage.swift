import AdCore

/// A provider whose placement is the offer itself.
struct OfferProvider: AdProvider {
    let name: ProviderName = "bench"
    let endpoint: HTTPURL

    func request(for placement: Offer, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.get, self.endpoint)
    }

    func offers(from response: AdHTTPResponse, for placement: Offer, in context: AdContext) throws(AdError)
        -> OfferBatch
    {
        OfferBatch(offers: [placement])
    }
}

/// A presenter whose stages are always visible and render nothing.
struct NoOpPresenter: Presenter {
    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        report(.ready)
        return NoOpStage(report: report)
    }
}

struct NoOpStage: Stage {
    let report: @Sendable (StageEvent) -> Void

    func reveal() async {
        self.report(.revealed)
        self.report(.visible(ratio: 1))
    }

    func setControl(_ control: StageControl, visible: Bool) async {}
    func control(_ command: VideoCommand) async {}
    func close(_ reason: CloseReason) async {}
}

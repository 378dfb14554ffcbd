import AdCore
import AdMarkup
import AdRuntime
import PlayStages
import PlayText

extension RunContext {
    /// The container of a loaded ad.
    func container(for ad: Ad) -> ContainerSize {
        let offer = ad.offer
        let isHTML = if case .html? = offer?.creative { true } else { false }
        return ContainerSize(
            chosen: self.options.container,
            kind: offer?.rules.kind ?? .banner,
            requested: offer?.size ?? .adaptive,
            declared: isHTML
                ? offer.flatMap { CreativeReading($0.creative, base: self.origin.base).declaredSize } : nil,
            naturalSize: self.origin.naturalSize(of: offer),
            screen: RunContext.screen(self.plan, self.origin)
        )
    }

    /// The screen of every stage, large enough for the chosen or declared size.
    static func screen(_ plan: RunPlan, _ origin: any AdOrigin) -> Size {
        let chosen = plan.options.container
        let declared = chosen == nil ? origin.declaredSize : nil
        return ContainerSize.screen(chosen: chosen, declared: declared, device: plan.simulation.device?.screen)
    }
}

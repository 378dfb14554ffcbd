import AdCore
import AdMarkup

extension AdContext.LoadTerms {
    /// Creates the terms of a load from the services that it uses.
    init(_ services: AdServices) {
        self.init(
            timeout: services.timing.requesting,
            allowsInsecure: services.video.allowsInsecure,
            container: services.video.container,
            maximumDuration: services.video.maximumDuration,
            maximumBitrate: services.video.maximumBitrate,
            videoTypes: services.video.types,
            playsNonLinear: services.video.playsNonLinear
        )
    }
}

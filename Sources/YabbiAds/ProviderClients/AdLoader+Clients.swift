import AdCore
import AdRuntime

extension AdLoader {
    /// Loads an ad; nil if there is none.
    func loadIfAny(_ placement: Placement) async throws(AdError) -> Ad? {
        do throws(AdError) {
            return try await self.load(placement)
        } catch {
            guard error.code == .noFill else { throw error }
            return nil
        }
    }

    /// Records a beacon of an ad that the app shows without a presenter.
    func record(_ template: BeaconTemplate) async {
        await self.services.record(template, of: self.provider)
    }
}

extension AdServices {
    /// Records a beacon that belongs to no `Ad`.
    func record(_ template: BeaconTemplate, of provider: ProviderName) async {
        let key = template.key(of: AdID(bits: self.random()), index: 0)
        await self.beacons.recordAndDeliver([Beacon(key, template.call, of: provider)])
    }
}

import AdCore
import AdRuntime

extension AdLoader {
    /// An ad, or nil where there is none.
    func loadIfAny(_ placement: Placement) async throws(AdError) -> Ad? {
        do throws(AdError) {
            return try await self.load(placement)
        } catch {
            guard error.code == .noFill else { throw error }
            return nil
        }
    }

    /// Writes down what is to be told for an ad that the app shows by itself.
    func tell(_ template: BeaconTemplate) async {
        await self.services.tell(template, of: self.provider)
    }
}

extension AdServices {
    /// Writes down what is to be told without an ad of the runtime's.
    func tell(_ template: BeaconTemplate, of provider: ProviderName) async {
        let key = template.key(of: AdID(bits: self.random()), index: 0)
        await self.beacons.tell([Beacon(key, template.call, of: provider)])
    }
}

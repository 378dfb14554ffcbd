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
}

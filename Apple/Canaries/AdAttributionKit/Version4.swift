import Foundation
import StoreKit

// What the deployment target's SKAdNetwork does not have.

private func source(_ impression: SKAdImpression) -> NSNumber {
    impression.sourceIdentifier  // error: 'sourceIdentifier' is only available in
}

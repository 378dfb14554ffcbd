import UIKit

// What the framework of the deployment target does not have.

@MainActor private func effect() -> UIVisualEffect {
    UIGlassEffect()  // error: 'UIGlassEffect' is only available in
}

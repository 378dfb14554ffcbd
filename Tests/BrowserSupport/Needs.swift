import ChromiumStage
package import Testing
import WebKitStage

extension Trait where Self == ConditionTrait {
    /// Skips a test without an installed browser.
    package static var needsBrowser: Self {
        .enabled(
            if: ChromiumBinary.isInstalled,
            "no browser is installed; Scripts/setup.sh installs one where apt has it"
        )
    }

    /// Skips a test without the engine that `YABBI_ENGINE` names, or Chromium.
    package static var needsEngine: Self {
        .enabled(
            if: TestBrowser.isInstalled,
            "the engine is not installed; Scripts/setup.sh installs Chromium where apt has it, and make webkit builds WebKit's"
        )
    }

    /// Skips a test without Chromium and WebKit.
    package static var needsBothEngines: Self {
        .enabled(
            if: ChromiumBinary.isInstalled && HelperFiles.areBuilt,
            "Chromium or the helper of WebKit is missing; make webkit builds the helper, and make test-all does it first"
        )
    }

    /// Skips a test if no window can be opened.
    package static var needsWindows: Self {
        .enabled(if: Desktop.isPossible, "this test needs Chromium with windows, and Xvfb")
    }
}

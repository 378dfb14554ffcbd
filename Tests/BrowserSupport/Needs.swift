import ChromiumStage
package import Testing

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

    /// Skips a test if no window can be opened.
    package static var needsWindows: Self {
        .enabled(if: Desktop.isPossible, "this test needs Chromium with windows, and Xvfb")
    }
}

import AdAttributionKit

// A framework that the deployment target does not have.

private func report(_ impression: AppImpression) {}  // error: 'AppImpression' is only available in

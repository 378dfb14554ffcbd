import SwiftUI

#if canImport(UIKit)
    import UIKit

    /// A slot for SwiftUI: a view of UIKit, and what is over it.
    struct SampleSlot: View {
        @State private var count = 0
        @Environment(\.scenePhase) private var phase

        var body: some View {
            ZStack(alignment: .topTrailing) {
                SampleBanner(count: self.count)
                if self.phase == .active {
                    Button {
                        self.count += 1
                    } label: {
                        Text(verbatim: "Next")
                    }
                }
            }
            .frame(width: 320, height: 50)
            .onAppear { self.count = 1 }
            .task { await self.load() }
        }

        private func load() async {}
    }

    /// A view of UIKit in SwiftUI.
    struct SampleBanner: UIViewRepresentable {
        let count: Int

        func makeUIView(context: Context) -> UILabel { UILabel() }

        func updateUIView(_ label: UILabel, context: Context) { label.text = "\(self.count)" }

        func sizeThatFits(_ proposal: ProposedViewSize, uiView: UILabel, context: Context) -> CGSize? {
            CGSize(width: proposal.width ?? 320, height: 50)
        }
    }
#endif

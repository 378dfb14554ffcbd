import UIKit

@MainActor private func add(_ view: UIView, to other: UIView) {
    other.addView(view)  // error: value of type 'UIView' has no member 'addView'
}

@MainActor private func fill(_ view: UIView) {
    view.backgroundColor = "black"  // error: cannot assign value of type 'String' to type 'UIColor'
}

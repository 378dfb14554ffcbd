/// A weak reference that a closure stores in its own memory; `[weak self]` is on the heap by itself if a closure captures
/// anything else.
///
/// It is for the closures that exist once for each ad.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?

    init(to object: Object) { self.object = object }
}

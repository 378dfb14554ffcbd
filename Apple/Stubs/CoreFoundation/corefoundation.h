// Geometry, from C, as Apple's: methods of Objective-C can have these types.

#ifndef YABBI_APPLE_COREFOUNDATION_H
#define YABBI_APPLE_COREFOUNDATION_H

// https://developer.apple.com/documentation/corefoundation/cgfloat
typedef double CGFloat;

// https://developer.apple.com/documentation/corefoundation/cgpoint
typedef struct CGPoint {
    CGFloat x, y;
} CGPoint;

// https://developer.apple.com/documentation/corefoundation/cgsize
typedef struct CGSize {
    CGFloat width, height;
} CGSize;

// https://developer.apple.com/documentation/corefoundation/cgvector
typedef struct CGVector {
    CGFloat dx, dy;
} CGVector;

// https://developer.apple.com/documentation/corefoundation/cgrect
typedef struct CGRect {
    CGPoint origin;
    CGSize size;
} CGRect;

// https://developer.apple.com/documentation/corefoundation/cgaffinetransform
typedef struct CGAffineTransform {
    CGFloat a, b, c, d, tx, ty;
} CGAffineTransform;

#endif

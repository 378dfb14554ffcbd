// The root class, from C, as Apple's: Swift lets an initializer of a main-actor class override one of Objective-C that
// says nothing about isolation.

#ifndef YABBI_APPLE_OBJECTIVEC_H
#define YABBI_APPLE_OBJECTIVEC_H

#include <stdbool.h>

typedef bool BOOL;
typedef unsigned long NSUInteger;

#pragma clang assume_nonnull begin

// https://developer.apple.com/documentation/objectivec/nsobjectprotocol
@protocol NSObject
@property (readonly) NSUInteger hash;
@property (readonly, copy) Class superclass;
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)conformsToProtocol:(Protocol *)aProtocol;
- (BOOL)respondsToSelector:(SEL)aSelector;
@end

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init;
@end

#pragma clang assume_nonnull end

#endif

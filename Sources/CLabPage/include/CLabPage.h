// The files of the lab's page, each as a text.
//
// Embedded in C, because Swift's compiler takes long for arrays of this size.

#ifndef C_LAB_PAGE_H
#define C_LAB_PAGE_H

#include <stddef.h>

struct lab_page_file {
    const char *_Nonnull name;
    const char *_Nonnull text;
};

size_t lab_page_count(void);

/// The file at an index below the count; they are ordered by their names.
struct lab_page_file lab_page_file(size_t index);

#endif

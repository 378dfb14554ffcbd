import Glibc  // error: no such module 'Glibc'

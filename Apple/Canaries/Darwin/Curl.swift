import CurlTransport  // error: no such module 'CurlTransport'

// The library itself, which Debian also ships as headers.
#include <boost/json/src.hpp>

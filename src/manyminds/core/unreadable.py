"""What decoding raises when bytes from elsewhere are not what they should be.

A string that is no UTF-8 and a nest too deep come as Python's own errors, not as msgspec's.
"""

import msgspec

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

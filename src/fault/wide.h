#pragma once

namespace squall::fault {

/// Products of two 64-bit numbers, without loss. Every compiler we build with has it on the
/// 64-bit processors that we support.
__extension__ using Wide = unsigned __int128;

}  // namespace squall::fault

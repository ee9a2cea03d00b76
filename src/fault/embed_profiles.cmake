# Writes the files of profiles/ into a source: cmake -DFOLDER=... -DOUT=... -P embed_profiles.cmake
file(GLOB files ${FOLDER}/*.yaml)
list(SORT files)
set(rows "")
list(LENGTH files count)
foreach(path IN LISTS files)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND rows "    {\"${name}\", R\"profile(${text})profile\"},\n")
endforeach()
file(WRITE ${OUT} "// Made from profiles/ by embed_profiles.cmake.
#include <array>

#include \"squall/fault/builtin.h\"

namespace squall::fault {

static constexpr std::array<BuiltinProfile, ${count}> kProfiles = {{
${rows}}};

std::span<const BuiltinProfile> builtin_profiles() noexcept { return kProfiles; }

}  // namespace squall::fault
")

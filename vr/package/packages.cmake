# What `cpack` makes of a built tree: Debian packages, and a tar that may be unpacked anywhere. Nothing is built again.
#
#   cd build/release && cpack -G DEB      glovebox, libglovebox0, libglovebox-dev, python3-glovebox
#   cd build/release && cpack -G External all of it in the folder of a tar
#
# Two runs give the same bytes: every file has the time of the release (SOURCE_DATE_EPOCH).
set(GLOVEBOX_PACKAGER "Glovebox contributors <glovebox@example.org>" CACHE STRING
    "Maintainer that Debian packages name: whoever hands them out")

# Each Debian package holds its component and its own notices, which `cmake --install` leaves out.
set(debian_library libglovebox${PROJECT_VERSION_MAJOR})
set(debian_packages application:glovebox library:${debian_library} development:libglovebox-dev python:python3-glovebox)
find_program(GZIP gzip)
if(NOT GZIP)
    message(STATUS "cpack has nothing to do here: gzip is not found")
    return()
endif()
# When this version was released, in seconds since 1970; the environment variable goes before it.
set(released_s 1795435200)
set(given_s "$ENV{SOURCE_DATE_EPOCH}")
if(given_s)
    set(released_s ${given_s})
endif()
set(ENV{SOURCE_DATE_EPOCH} ${released_s})
string(TIMESTAMP released "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(ENV{SOURCE_DATE_EPOCH} ${given_s})
configure_file(debian/changelog.in ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog @ONLY)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^MIT License\n\n[^\n]*\n\n" "" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(STRIP "${license}" license)
string(REPLACE "\n" "\n " license "${license}")
configure_file(debian/copyright.in ${CMAKE_CURRENT_BINARY_DIR}/debian/copyright @ONLY)
execute_process(COMMAND ${GZIP} -9 --no-name --force --keep ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog
    COMMAND_ERROR_IS_FATAL ANY)
include(bill.cmake)
set(CPACK_COMPONENTS_ALL "")
foreach(entry ${debian_packages})
    string(REPLACE ":" ";" entry ${entry})
    list(GET entry 0 component)
    list(GET entry 1 package)
    if(component STREQUAL "python" AND NOT TARGET glovebox_python)
        continue()
    endif()
    string(TOUPPER ${component} name)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/debian/copyright ${CMAKE_CURRENT_BINARY_DIR}/debian/changelog.gz
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component}-notices EXCLUDE_FROM_ALL)
    set(CPACK_COMPONENT_${name}_GROUP ${component})
    set(CPACK_COMPONENT_${name}-NOTICES_GROUP ${component})
    set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package})
    list(APPEND CPACK_COMPONENTS_ALL ${component} ${component}-notices)
endforeach()

set(CPACK_GENERATOR DEB External)
set(CPACK_EXTERNAL_ENABLE_STAGING ON)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT ${CMAKE_CURRENT_SOURCE_DIR}/tar.cmake)
set(CPACK_VERBATIM_VARIABLES TRUE)
set(CPACK_PACKAGE_CONTACT ${GLOVEBOX_PACKAGER})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME ${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES TRUE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_BINARY_DIR}/cpack_settings.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_APPLICATION_PACKAGE_SECTION science)
set(CPACK_DEBIAN_APPLICATION_DESCRIPTION "tell what a tracked hand touches
Reads tracked hands from a headset, a glove or a recording, fits boxes round
their bones every frame, finds the exact contacts with a scene and turns them
into events and forces. Shows, measures and labels recordings, with or without
a display.")
set(CPACK_DEBIAN_APPLICATION_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-inter | fonts-dejavu-core")
set(CPACK_DEBIAN_APPLICATION_PACKAGE_SUGGESTS "ffmpeg, gnuplot-nox, libjs-three, librsvg2-bin")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "hand contacts for engines: shared library
Steps both hands through a scene and answers with contacts, touches, events,
forces and the limits of curling fingers. Plain structs; nothing is thrown or
allocated after a session is open.")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/debian/shlibs
    "libglovebox ${PROJECT_VERSION_MAJOR} ${debian_library} (>= ${PROJECT_VERSION})\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/debian/overrides
    "# CPack adds the call, and cannot be told that the trigger is enough.\n${debian_library}: maintscript-calls-ldconfig *\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/debian/shlibs
    ${CMAKE_CURRENT_BINARY_DIR}/debian/triggers)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/debian/overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    RENAME ${debian_library} COMPONENT library-notices EXCLUDE_FROM_ALL)

# What docs/reference/libraries.md names: users of the C++ libraries link these as well.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "hand contacts for engines: headers and C++ libraries
The header of the shared library, and headers and static libraries for C++20:
collision, tracking, scenes and recordings, for CMake and for pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${debian_library} (= ${PROJECT_VERSION}), libassimp-dev, libbullet-dev, \
libeigen3-dev, libhwy-dev, liblzma-dev, libqhull-dev, libserialport-dev, libsqlite3-dev, libtbb-dev, libtomlplusplus-dev, \
libxxhash-dev, libzstd-dev, zlib1g-dev")

# The module is for one version of Python, 3.N.
if(TARGET glovebox_python)
    execute_process(COMMAND ${GLOVEBOX_PYTHON_INTERPRETER} -c
        "import sys; n = sys.version_info[1]; print(f'python3 (>= 3.{n}), python3 (<< 3.{n + 1}~), python3-numpy', end='')"
        OUTPUT_VARIABLE CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS COMMAND_ERROR_IS_FATAL ANY)
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/postinst
    ${CMAKE_CURRENT_SOURCE_DIR}/debian/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "tell what a tracked hand touches (Python 3)
Recordings of hands as NumPy arrays, replays against a scene, sessions that are
fed frame by frame, and distances from many points to a mesh.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "glovebox, python3-distributed, python3-matplotlib, python3-pandas")

# cpack reads this before it packs. Every Debian package has a description of its own, and the tar no components.
# -D compression=gzip is for those in a hurry.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/cpack_settings.cmake @ONLY CONTENT
[[set(ENV{SOURCE_DATE_EPOCH} @released_s@)
if(NOT compression)
    set(compression xz)
endif()
if(CPACK_GENERATOR STREQUAL "DEB")
    set(CPACK_DEBIAN_COMPRESSION_TYPE ${compression})
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
else()
    set(CPACK_MONOLITHIC_INSTALL ON)
endif()
]])
include(CPack)

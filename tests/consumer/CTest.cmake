# Registers the consumer project as tests: see try.cmake.
# The comma of address,undefined would end an argument of a generator expression.
set(sanitizer_flag "")
if(GLOVEBOX_SANITIZE)
    set(sanitizer_flag -fsanitize=${GLOVEBOX_SANITIZE})
endif()
foreach(how install build subdirectory)
    add_test(NAME consumer_${how} COMMAND ${CMAKE_COMMAND} -DHOW=${how} -DSOURCE=${PROJECT_SOURCE_DIR}
        -DBUILD=${PROJECT_BINARY_DIR} -DWORK=${PROJECT_BINARY_DIR}/consumer/${how} -DCONFIG=$<CONFIG>
        -DGENERATOR=${CMAKE_GENERATOR} -DC_COMPILER=${CMAKE_C_COMPILER} -DCXX_COMPILER=${CMAKE_CXX_COMPILER}
        -DLIBDIR=${CMAKE_INSTALL_LIBDIR}
        -DWARNINGS_AS_ERRORS=${GLOVEBOX_WARNINGS_AS_ERRORS}
        -DFLAGS=${sanitizer_flag}
        -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/try.cmake)
    set_tests_properties(consumer_${how} PROPERTIES LABELS consumer TIMEOUT 600)
endforeach()

# The code that a page shows must equal the example exactly.
foreach(shown README.md:touch.cpp README.md:touch.c README.md:touch.py docs/how-to/applications.md:push.py
    docs/tutorials/collision-query.md:ball.cpp)
    string(REPLACE ":" ";" shown ${shown})
    list(GET shown 0 document)
    list(GET shown 1 example)
    add_test(NAME shows_${example} COMMAND ${CMAKE_COMMAND} -DDOCUMENT=${PROJECT_SOURCE_DIR}/${document}
        -DEXAMPLE=${CMAKE_CURRENT_SOURCE_DIR}/consumer/${example} -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/shown.cmake)
endforeach()
add_test(NAME public_headers_in_docs COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/public_headers.cmake)

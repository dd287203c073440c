# Fails unless the document shows the example as it is, but for the comment on its first line.
file(READ ${DOCUMENT} document)
file(READ ${EXAMPLE} example)
string(REGEX REPLACE "^//[^\n]*\n" "" example "${example}")
string(FIND "${document}" "```cpp\n${example}```" at)
if(at EQUAL -1)
    message(FATAL_ERROR "${DOCUMENT} does not show ${EXAMPLE} as it is")
endif()

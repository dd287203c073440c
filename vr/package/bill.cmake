# glovebox.spdx.json, the bill of materials (SPDX 2.3) of the three things that are handed out: the program with its layer,
# the shared library and the Python module. Made when the build is configured, of libraries.csv beside this file; versions
# are those of the Debian packages here, and are left out elsewhere. The same table gives the same bytes.
# tests/packaging/bill.py compares it with the binaries.
set(table ${CMAKE_CURRENT_SOURCE_DIR}/libraries.csv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
file(STRINGS ${table} rows)
list(POP_FRONT rows)

find_program(DPKG_QUERY dpkg-query)
set(distribution debian)
if(EXISTS /etc/os-release)
    file(STRINGS /etc/os-release id REGEX "^ID=")
    string(REGEX REPLACE "^ID=\"?([a-z]+).*" "\\1" distribution "${id}")
endif()

set(noassertion "\"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"copyrightText\": \"NOASSERTION\"")
set(products application:glovebox library:libglovebox python:python3-glovebox)
set(packages "")
set(relations "")
foreach(product ${products})
    string(REGEX REPLACE ".*:" "" name ${product})
    list(APPEND packages "{\"SPDXID\": \"SPDXRef-${name}\", \"name\": \"${name}\", \"versionInfo\": \"${PROJECT_VERSION}\", \
\"licenseConcluded\": \"MIT\", \"licenseDeclared\": \"MIT\", ${noassertion}}")
    list(APPEND relations "{\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \
\"relatedSpdxElement\": \"SPDXRef-${name}\"}")
endforeach()
foreach(row ${rows})
    string(REPLACE "," ";" row "${row}")
    list(GET row 0 debian)
    list(GET row 3 license)
    list(GET row 4 link)
    string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id ${debian})
    set(version "")
    if(DPKG_QUERY)
        execute_process(COMMAND ${DPKG_QUERY} -W -f=\${Version} ${debian} OUTPUT_VARIABLE version ERROR_QUIET)
    endif()
    set(of_version "")
    if(version)
        string(REPLACE "+" "%2B" purl "${debian}@${version}")
        string(REPLACE ":" "%3A" purl ${purl})
        set(of_version "\"versionInfo\": \"${version}\", \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \
\"referenceType\": \"purl\", \"referenceLocator\": \"pkg:deb/${distribution}/${purl}\"}], ")
    endif()
    list(APPEND packages "{\"SPDXID\": \"SPDXRef-${id}\", \"name\": \"${debian}\", ${of_version}\
\"licenseConcluded\": \"${license}\", \"licenseDeclared\": \"${license}\", ${noassertion}}")
    # A header-only library is compiled in.
    set(relation STATIC_LINK)
    if(link STREQUAL "shared")
        set(relation DYNAMIC_LINK)
    endif()
    set(column 5)
    foreach(product ${products})
        list(GET row ${column} used)
        math(EXPR column "${column} + 1")
        string(REGEX REPLACE ".*:" "" name ${product})
        if(used STREQUAL "yes")
            list(APPEND relations "{\"spdxElementId\": \"SPDXRef-${name}\", \"relationshipType\": \"${relation}\", \
\"relatedSpdxElement\": \"SPDXRef-${id}\"}")
        endif()
    endforeach()
endforeach()
list(JOIN packages ",\n    " packages)
list(JOIN relations ",\n    " relations)
# Two bills that differ have two names.
string(SHA256 hash "${packages}${relations}")
set(given_s "$ENV{SOURCE_DATE_EPOCH}")
set(ENV{SOURCE_DATE_EPOCH} ${released_s})
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
set(ENV{SOURCE_DATE_EPOCH} ${given_s})
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/glovebox.spdx.json @ONLY CONTENT [[{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "glovebox-@PROJECT_VERSION@",
  "documentNamespace": "https://glovebox.example.org/spdx/glovebox-@PROJECT_VERSION@-@hash@",
  "creationInfo": {"created": "@created@", "creators": ["Tool: glovebox-@PROJECT_VERSION@"]},
  "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-public-domain", "name": "Public domain",
    "extractedText": "This work has been put into the public domain by its authors."}],
  "packages": [
    @packages@
  ],
  "relationships": [
    @relations@
  ]
}
]])
foreach(entry ${debian_packages})
    string(REGEX REPLACE ":.*" "" component ${entry})
    string(REGEX REPLACE ".*:" "" package ${entry})
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/glovebox.spdx.json DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        COMPONENT ${component}-notices EXCLUDE_FROM_ALL)
endforeach()

# `cpack -G External` runs this: packs what is staged into one folder of a tar, sorted by name. CPack's own archives have
# the order of the disk and differ from run to run.
set(folder ${CPACK_PACKAGE_FILE_NAME})
string(REPLACE gzip gz suffix ${compression})
set(tar ${CPACK_PACKAGE_DIRECTORY}/${folder}.tar.${suffix})
execute_process(
    COMMAND tar --create --${compression} --file ${tar} --sort=name --mtime=@$ENV{SOURCE_DATE_EPOCH} --owner=0 --group=0
        --numeric-owner --format=ustar --mode=go=u,go-w "--transform=flags=rSH;s,^\\.,${folder}," .
    WORKING_DIRECTORY ${CPACK_TEMPORARY_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "package: ${tar}")

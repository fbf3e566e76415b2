# SPDX-License-Identifier: MIT
# Completes the command line of fpgz(1) in fish.

function __fpgz_codecs
    echo auto
    fpgz --codecs 2>/dev/null | sed -n '1d; s/^\([a-z][a-z0-9-]*\) .*/\1/p'
end

function __fpgz_formats
    fpgz --formats 2>/dev/null | sed -n '1d; /^$/q; s/^\([a-zA-Z][a-zA-Z0-9-]*\) .*/\1/p'
end

function __fpgz_reads_containers
    __fish_contains_opt -s d -s t -s l decompress uncompress test list recover
end

complete -c fpgz -n __fpgz_reads_containers -f -k -a '(__fish_complete_suffix .fpgz)'
complete -c fpgz -n 'test (count (commandline -opc)) -eq 1' -a batch -d 'archive many files, with a manifest'
for level in 1 2 3 4 5 6 7 8 9
    complete -c fpgz -s $level -d 'from fast (1) to small (9)'
end
complete -c fpgz -s z -l compress -d 'compress'
complete -c fpgz -s d -l decompress -d 'restore'
complete -c fpgz -l uncompress -d 'restore'
complete -c fpgz -s t -l test -d 'verify containers, write nothing'
complete -c fpgz -l recover -d 'restore what can be of a damaged container'
complete -c fpgz -l fill -x -a 'zero nan' -d 'what lost values become'
complete -c fpgz -s l -l list -d 'show what containers hold'
complete -c fpgz -l bench -d 'measure codecs on files'
complete -c fpgz -l codecs -d 'show the codec table'
complete -c fpgz -l formats -d 'show the formats of files'
complete -c fpgz -s r -l recursive -d 'take the files in folders'
complete -c fpgz -l exclude -x -d 'but not these'
complete -c fpgz -l files-from -r -F -d 'take the files that are named in one'
complete -c fpgz -s 0 -l null -d 'names end in NULs'
complete -c fpgz -l files -d 'take the files that are named in one'
complete -c fpgz -l files0 -d 'the same, names end in NULs'
complete -c fpgz -s c -l stdout -d 'write to standard output'
complete -c fpgz -l to-stdout -d 'write to standard output'
complete -c fpgz -s o -l output -r -F -d 'write to this file'
complete -c fpgz -s k -l keep -d 'keep the source'
complete -c fpgz -l rm -d 'remove the source when its replacement is verified'
complete -c fpgz -l verify -d 'read the container back and compare it'
complete -c fpgz -s f -l force -d 'replace existing files'
complete -c fpgz -l max-output -x -d 'restore nothing larger'
complete -c fpgz -s N -l name -d 'restore under the name that the container holds'
complete -c fpgz -s S -l suffix -x -d 'name containers so'
complete -c fpgz -s q -l quiet -d 'no warnings and notices'
complete -c fpgz -s v -l verbose -d 'say more'
complete -c fpgz -l json -d 'one JSON object a file'
complete -c fpgz -s h -d 'the everyday options'
complete -c fpgz -l help -d 'all options'
complete -c fpgz -s V -l version -d 'the version'
complete -c fpgz -l codec -x -a '(__fpgz_codecs)' -d 'use this codec'
complete -c fpgz -l max-error -x -d 'what a lossy codec may change a value by'
complete -c fpgz -l refilter -xa 'auto always never' -d 'code without the filters of a file'
complete -c fpgz -l no-check -d 'do not decode what prans encoded'
complete -c fpgz -s T -l threads -x -d 'threads'
complete -c fpgz -l memory -x -d 'memory that fpgz may take'
complete -c fpgz -l cpu-level -x -a 'c avx2 avx512' -d 'use no wider instructions'
complete -c fpgz -l device -x -a 'auto cpu cuda cuda:all' -d 'where chunks are coded'
complete -c fpgz -l chunk -x -d 'bytes a chunk aims at'
complete -c fpgz -l bare -d 'the bare stream of one whole grid'
complete -c fpgz -l format -x -a '(__fpgz_formats)' -d 'what files are'
complete -c fpgz -l dtype -x -a 'f16 f32 f64 bf16 i8 i16 i32 i64 u8 u16 u32 u64' -d 'type of the values'
complete -c fpgz -l endian -x -a 'little big' -d 'order of their bytes'
complete -c fpgz -l shape -x -d 'extents, slowest first'
complete -c fpgz -l dataset -x -d 'one dataset alone'
complete -c fpgz -l region -x -d 'a part of an array'
complete -c fpgz -l to -x -a 'raw npy h5' -d 'write an array as such a file'
complete -c fpgz -l manifest -r -F -d 'of a batch'
complete -c fpgz -l check -d 'verify the containers of manifests'
complete -c fpgz -l restore -d 'restore the files of manifests'
complete -c fpgz -l output-dir -x -a '(__fish_complete_directories)' -d 'where containers or restored files go'
complete -c fpgz -l shard -x -d 'one of N shards of a batch'

# SPDX-License-Identifier: MIT
# Completes the command line of fpgz(1) in bash.
# shellcheck shell=bash

_fpgz()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words
    # "--codec=nd" comes as three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    case $previous in
    --codec) words="auto $("$1" --codecs 2>/dev/null | sed -n '1d; s/^\([a-z][a-z0-9-]*\) .*/\1/p')" ;;
    --cpu-level) words='c avx2 avx512' ;;
    --device) words='auto cpu cuda' ;;
    --dtype) words='f16 f32 f64 bf16 i8 i16 i32 i64 u8 u16 u32 u64' ;;
    --endian) words='little big' ;;
    --fill) words='zero nan' ;;
    --format) words="$("$1" --formats 2>/dev/null | sed -n '1d; /^$/q; s/^\([a-zA-Z][a-zA-Z0-9-]*\) .*/\1/p')" ;;
    --to) words='raw npy h5' ;;
    --output-dir)
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    --output | -*o | --files-from | --files | --files0 | --manifest)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    --suffix | -*S | --threads | -*T | --memory | --max-output | --exclude | --chunk | --max-error | --shape | --dataset | --region | --shard)
        return
        ;;
    *)
        if [[ $current == -* ]]; then
            words='-1 -2 -3 -4 -5 -6 -7 -8 -9
                -z --compress -d --decompress --uncompress -t --test --recover --fill -l --list --bench --codecs --formats
                -r --recursive --exclude --files-from -0 --null --files --files0
                -c --stdout --to-stdout -o --output -k --keep --rm --verify -f --force --max-output -N --name -S --suffix
                -q --quiet -v --verbose --json -h --help -V --version
                --codec --max-error --no-check --refilter -T --threads --memory --cpu-level --device --chunk --bare --format
                --dtype --endian --shape --dataset --region --to
                --manifest --check --restore --output-dir --shard'
        elif [[ " ${COMP_WORDS[*]} " =~ \ (-[a-z]*[dtl][a-z]*|--decompress|--uncompress|--test|--list|--recover)\  ]]; then
            mapfile -t COMPREPLY < <(compgen -f -X '!*.fpgz' -- "$current"; compgen -d -- "$current")
            return
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$current"; [[ $COMP_CWORD -ne 1 ]] || compgen -W batch -- "$current")
            return
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o filenames -F _fpgz fpgz

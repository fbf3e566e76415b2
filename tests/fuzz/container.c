/* SPDX-License-Identifier: MIT
 * Any bytes as a container: testing it, listing it, restoring it and taking a part out of it ends with a
 * message, and touches nothing that it may not. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/decompress.h"
#include "cli/list.h"
#include "cli/message.h"
#include "container/format.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "fuzz.h"

/* What the command prints goes nowhere; descriptor 2 stays, for sanitizers and libFuzzer. */
static void silence(void)
{
    static bool silent;
    if (!silent && !(stdout = stderr = fopen("/dev/null", "w")))
        __builtin_trap();
    silent = true;
    /* A container may claim any size: temporary files stay small. */
    const struct rlimit limit = {1 << 28, 1 << 28};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Makes every checksum right, so that what is wrong is found by those that look behind them. */
static void repair(uint8_t *data, size_t size)
{
    if (size < FPGZ_HEADER_BYTES)
        return;
    fpgz_pack_header(data);
    for (size_t at = FPGZ_HEADER_BYTES; size - at >= FPGZ_SECTION_BYTES;) {
        uint8_t *section = data + at, *head = section + FPGZ_SECTION_BYTES;
        const size_t left = size - at - FPGZ_SECTION_BYTES, head_length = fpgz_load32(section + 4);
        const uint64_t body_length = fpgz_load64(section + 24);
        if (head_length > left)
            return;
        if (body_length <= left - head_length)
            fpgz_store64(section + 32, fpgz_checksum(head + head_length, body_length));
        memcpy(section, FPGZ_MARKER, 4);
        fpgz_store64(section + 8, fpgz_checksum(section + 16, FPGZ_SECTION_BYTES - 16 + head_length));
        if (body_length > left - head_length)
            return;
        at += FPGZ_SECTION_BYTES + head_length + body_length;
    }
}

static void run(const uint8_t *data, size_t size)
{
    char path[64];
    char *files[] = {path};
    struct options options = {.mode = MODE_TEST, .threads = 1, .files = files, .file_count = 1};
    const int fd = memfd_create("container", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        __builtin_trap();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    silence();
    message_verbosity = 2;
    decompress_file(&options, path);
    options.mode = MODE_LIST;
    list_files(&options);
    options.mode = MODE_DECOMPRESS;
    options.output = "/dev/null";
    decompress_file(&options, path);
    options.region = "-1";
    decompress_file(&options, path);
    options.dataset = "/group/pieces";
    options.region = NULL;
    decompress_file(&options, path);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *repaired = malloc(size + 1);
    if (!repaired)
        __builtin_trap();
    memcpy(repaired, data, size);
    repair(repaired, size);
    run(data, size);
    run(repaired, size);
    free(repaired);
    return 0;
}

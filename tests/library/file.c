/* SPDX-License-Identifier: MIT
 * An example of the library: a file of any format to a container, or back, with progress, and an end on
 * request. usage: file pack|unpack SOURCE TARGET [BYTES]   gives up once BYTES were done */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fpgz.h>

static bool progress(void *context, uint64_t raw, uint64_t stored)
{
    const uint64_t *most = context;
    fprintf(stderr, "%llu -> %llu bytes\n", (unsigned long long)raw, (unsigned long long)stored);
    return raw < *most;
}

static void warning(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "warning: %s\n", text);
}

int main(int argc, char **argv)
{
    uint64_t most = argc > 4 ? strtoull(argv[4], NULL, 10) : UINT64_MAX;
    const struct fpgz_events events = {&most, warning, progress};
    struct fpgz_error error = {FPGZ_OK, ""};
    if (argc < 4) {
        fprintf(stderr, "usage: file pack|unpack SOURCE TARGET [BYTES]\n");
        return EXIT_FAILURE;
    }
    const char *slash = strrchr(argv[2], '/');
    const int from = open(argv[2], O_RDONLY), to = open(argv[3], O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (from < 0 || to < 0) {
        perror(from < 0 ? argv[2] : argv[3]);
        return EXIT_FAILURE;
    }
    if (!strcmp(argv[1], "pack"))
        fpgz_file_compress(from, slash ? slash + 1 : argv[2], to, NULL, &events, &error);
    else
        fpgz_file_restore(from, to, NULL, &events, &error);
    close(to);
    close(from);
    if (error.status) {
        fprintf(stderr, "%s: %s\n", fpgz_status_name(error.status), error.text);
        unlink(argv[3]);
    }
    return error.status;
}

/* SPDX-License-Identifier: MIT
 * Damages every section of good containers at random. Restoring such a copy must end with an error, or with
 * the right bytes: never with wrong ones and exit status 0, a crash, a hang, or memory without bounds. usage:
 * corruptions COUNT CONTAINER...   COUNT copies for each section; ends in "N passed, N failed" */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../checks.h"
#include "cli/decompress.h"
#include "container/format.h"
#include "core/bytes.h"

enum { MAX_SECTIONS = 4096, SECONDS = 20, GROWTH = 64, MEMORY_KIB = 1 << 20 };

struct bytes {
    uint8_t *data;
    size_t size;
};

static size_t random_below(size_t limit)
{
    return (size_t)((random_bits() >> 3) % limit);
}

static void fail(const char *what)
{
    perror(what);
    exit(99);
}

static struct bytes read_fd(int fd)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    struct bytes b = {malloc((size_t)size + 1), (size_t)size};
    if (size < 0 || !b.data || pread(fd, b.data, b.size, 0) != size)
        fail("read");
    return b;
}

static int memory_file(const struct bytes *content)
{
    const int fd = memfd_create("fault", 0);
    if (fd < 0 || write(fd, content->data, content->size) != (ssize_t)content->size)
        fail("memfd");
    return fd;
}

/* Restores the container in another process. Its exit status, or 128 and more when it did not end by itself;
 * *restored receives what it wrote. */
static int restore(const struct bytes *container, struct bytes *restored)
{
    const int in = memory_file(container), out = memory_file(&(struct bytes){NULL, 0});
    const pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        char path[64];
        char *files[] = {path};
        const struct options options = {.mode = MODE_DECOMPRESS,
                                        .setup.threads = 1,
                                        .selection = {.files = files, .file_count = 1},
                                        .to_stdout = true};
        snprintf(path, sizeof path, "/proc/self/fd/%d", in);
        alarm(SECONDS);
        if (dup2(out, STDOUT_FILENO) < 0 || !(stderr = fopen("/dev/null", "w")))
            _exit(99);
        struct console console = {.verbosity = -1};
        const struct command command = {&options, &console, {.setup = options.setup}};
        decompress_file(&command, path);
        _exit(console.exit_code);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            fail("waitpid");
    *restored = read_fd(out);
    close(in);
    close(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Where the sections begin; the member's header counts as one. Returns how many there are; offset[that] is
 * the end. */
static size_t find_sections(const struct bytes *c, size_t offset[MAX_SECTIONS + 1])
{
    size_t count = 0, at = 0;
    while (at < c->size && count < MAX_SECTIONS) {
        offset[count++] = at;
        if (c->size - at >= FPGZ_HEADER_BYTES && !memcmp(c->data + at, FPGZ_MAGIC, 8))
            at += FPGZ_HEADER_BYTES;
        else if (c->size - at >= FPGZ_SECTION_BYTES)
            at += FPGZ_SECTION_BYTES + fpgz_load32(c->data + at + 4) + fpgz_load64(c->data + at + 24);
        else
            at = c->size;
    }
    offset[count] = c->size;
    return count;
}

/* Moves what follows byte `at` of the copy by `by` bytes up or down. */
static void shift(struct bytes *copy, size_t at, size_t by, bool up)
{
    if (up)
        memmove(copy->data + at + by, copy->data + at, copy->size - at);
    else
        memmove(copy->data + at, copy->data + at + by, copy->size - at - by);
    copy->size = up ? copy->size + by : copy->size - by;
}

/* Changes the copy somewhere in its bytes from `first` to `end` (not included). */
static void damage(struct bytes *copy, size_t first, size_t end)
{
    const size_t at = first + random_below(end - first), left = end - at;
    const size_t run = 1 + random_below(left < GROWTH ? left : GROWTH);
    switch (random_below(7)) {
    case 0:
        copy->data[at] = (uint8_t)random_below(256);
        break;
    case 1:
        for (size_t i = 0; i < run; i++)
            copy->data[at + i] = (uint8_t)random_below(256);
        break;
    case 2:
        memset(copy->data + at, 0, run);
        break;
    case 3:
        shift(copy, at, run, false);
        break;
    case 4:
        shift(copy, at, run, true);
        break;
    case 5:
        copy->size = at;
        break;
    default:
        copy->data[at] ^= (uint8_t)(1u << random_below(8));
    }
}

/* Checks that the damaged copy ends as it may. */
static void ends_well(const char *name, size_t section, const struct bytes *copy, const struct bytes *right)
{
    struct bytes restored;
    const int status = restore(copy, &restored);
    const bool same = restored.size == right->size && !memcmp(restored.data, right->data, right->size);
    const bool good = status == EXIT_ERROR || (status == EXIT_GOOD && same);
    check_that(good, "%s, section %zu: exit status %d, %s bytes", name, section, status,
               same ? "right" : "wrong");
    free(restored.data);
}

int main(int argc, char **argv)
{
    static size_t offset[MAX_SECTIONS + 1];
    const int count = argc > 1 ? atoi(argv[1]) : 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int f = 2; f < argc; f++) {
        FILE *file = fopen(argv[f], "rb");
        if (!file)
            fail(argv[f]);
        const struct bytes good = read_fd(fileno(file));
        fclose(file);
        struct bytes right;
        if (restore(&good, &right) != EXIT_GOOD)
            fail("a good container does not restore");
        struct bytes copy = {malloc(good.size + GROWTH), 0};
        const size_t sections = find_sections(&good, offset);
        for (size_t s = 0; s < sections; s++)
            for (int c = 0; c < count; c++) {
                memcpy(copy.data, good.data, copy.size = good.size);
                damage(&copy, offset[s], offset[s + 1]);
                /* Whole members are a container of their own. */
                if (copy.size < good.size && copy.size == offset[s] && copy.size &&
                    !memcmp(good.data + offset[s], FPGZ_MAGIC, 8))
                    continue;
                ends_well(argv[f], s, &copy, &right);
            }
        free(copy.data);
        free(right.data);
        free(good.data);
    }
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    check_that(usage.ru_maxrss <= MEMORY_KIB, "one took %ld KiB of memory", usage.ru_maxrss);
    return checks_end();
}

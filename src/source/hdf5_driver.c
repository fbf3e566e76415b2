/* SPDX-License-Identifier: MIT
 * A driver of the HDF5 library that reads through a descriptor. The library has calls that tell where chunks
 * are. But those of the 1.10 series walk the whole index for each chunk, and not all of them count from the
 * file's first byte. A driver sees the real place of each read, and the library finds a chunk to read in
 * logarithmic time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/io.h"
#include "source/hdf5.h"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

struct fpgz_hdf5_watch {
    H5FD_t library; /* the library's own part comes first */
    int fd;
    haddr_t addressed, size; /* the end of what the format addresses, and of the file */
    bool watching;
    haddr_t seen;
    size_t length;
};

/* The name is the number of the descriptor. */
static H5FD_t *driver_open(const char *name, unsigned flags, hid_t list, haddr_t most)
{
    (void)list, (void)most;
    struct stat there;
    struct fpgz_hdf5_watch *watch = calloc(1, sizeof *watch);
    if (!watch || (flags & H5F_ACC_RDWR) || fstat(atoi(name), &there) != 0) {
        free(watch);
        return NULL;
    }
    watch->fd = atoi(name);
    watch->size = (haddr_t)there.st_size;
    return &watch->library;
}

static herr_t driver_close(H5FD_t *file)
{
    free(file);
    return 0;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_ACCUMULATE_METADATA_READ | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct fpgz_hdf5_watch *)file)->addressed;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((struct fpgz_hdf5_watch *)file)->addressed = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct fpgz_hdf5_watch *)file)->size;
}

static herr_t driver_get_handle(H5FD_t *file, hid_t list, void **handle)
{
    (void)list;
    *handle = file;
    return 0;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                          void *buffer)
{
    (void)list;
    struct fpgz_hdf5_watch *watch = (struct fpgz_hdf5_watch *)file;
    size_t got;
    if (watch->watching && type == H5FD_MEM_DRAW) {
        if (watch->seen == HADDR_UNDEF) {
            watch->seen = address;
            watch->length = size;
        }
        return 0;
    }
    if (address > INT64_MAX || !fpgz_read_at(watch->fd, buffer, size, address, &got))
        return -1;
    memset((char *)buffer + got, 0, size - got); /* zeros behind the end, as the library expects */
    return 0;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                           const void *buffer)
{
    (void)file, (void)type, (void)list, (void)address, (void)size, (void)buffer;
    return -1;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511, /* from the range for private drivers */
#endif
    .name = "fpgz",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .get_handle = driver_get_handle,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t fpgz_hdf5_open(int fd, struct fpgz_hdf5_watch **watch)
{
    char name[20];
    void *handle = NULL;
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS), id = H5FDregister(&driver);
    snprintf(name, sizeof name, "%d", fd);
    hid_t file = list < 0 || id < 0 || H5Pset_driver(list, id, NULL) < 0
                     ? H5I_INVALID_HID
                     : H5Fopen(name, H5F_ACC_RDONLY, list);
    if (file >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) {
        H5Fclose(file);
        file = H5I_INVALID_HID;
    }
    *watch = handle;
    return file;
}

void fpgz_hdf5_watch_begin(struct fpgz_hdf5_watch *watch)
{
    watch->watching = true;
    watch->seen = HADDR_UNDEF;
}

bool fpgz_hdf5_watch_end(struct fpgz_hdf5_watch *watch, uint64_t *offset)
{
    watch->watching = false;
    *offset = watch->seen;
    return watch->seen != HADDR_UNDEF;
}

uint64_t fpgz_hdf5_watch_length(const struct fpgz_hdf5_watch *watch)
{
    return watch->length;
}

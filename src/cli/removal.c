/* SPDX-License-Identifier: MIT */
#include "cli/removal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"

void source_remove(const char *path, const struct stat *was)
{
    struct stat now;
    /* Of a symbolic link, which only -f brings here, the file that it points to is compared: the link goes.
     */
    if (stat(path, &now) != 0 || now.st_dev != was->st_dev || now.st_ino != was->st_ino)
        message_warning(WARNING_KEPT, path, "was replaced meanwhile; not removed");
    else if (now.st_size != was->st_size || now.st_mtim.tv_sec != was->st_mtim.tv_sec ||
             now.st_mtim.tv_nsec != was->st_mtim.tv_nsec)
        message_warning(WARNING_KEPT, path, "was written to meanwhile; not removed");
    else if (unlink(path) != 0)
        message_warning(WARNING_KEPT, path, "cannot remove: %s", strerror(errno));
}

void output_remove_source(const struct output *output, const struct input *input)
{
    if (!input->path)
        return;
    if (!output->complete)
        message_warning(WARNING_KEPT, input->name, "not removed: %s is no file that could replace it",
                        output->name);
    else if (input->attempts || !input->sized)
        message_warning(WARNING_KEPT, input->name, "not removed: %s",
                        input->attempts ? "it changed while it was read" : "its size is not known");
    else
        source_remove(input->path, &input->stat);
}

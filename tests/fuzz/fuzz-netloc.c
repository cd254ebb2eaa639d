/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-netloc.c - any bytes as Netloc's lines: refused with a line, or a machine that is written and
 * read again as the same. */
#include <string.h>
#include <unistd.h>

#include "network/netloc.h"
#include "fuzz/fuzz.h"

static char *written(const struct reseat_machine *machine)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    require(memory);
    require(reseat_netloc_write(memory, machine) == 0);
    require(fclose(memory) == 0);
    return text;
}

static struct reseat_machine *read_bytes(const void *data, size_t size)
{
    char path[] = "/tmp/reseat-fuzz.XXXXXX";
    struct reseat_machine *machine = NULL;
    struct reseat_error error = {""};
    int file = mkstemp(path);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    close(file);
    int rc = reseat_netloc_read(&machine, path, &error);
    unlink(path);
    require((rc == 0) == (machine != NULL));
    require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
    return machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reseat_machine *machine = read_bytes(data, size);
    if (!machine)
        return 0;
    require(machine->hosts >= 1 && machine->hosts <= tmap_tree_slots(machine->tree));
    require(tmap_tree_objects(machine->tree, machine->host_level) == machine->hosts);
    char *text = written(machine);
    struct reseat_machine *again = read_bytes(text, strlen(text));
    require(again);
    char *same = written(again);
    require(strcmp(text, same) == 0);
    require(tmap_tree_slots(again->tree) == tmap_tree_slots(machine->tree));
    free(text);
    free(same);
    reseat_machine_destroy(again);
    reseat_machine_destroy(machine);
    return 0;
}

/* SPDX-License-Identifier: MIT
 * Follows a pickle as far as it takes to learn type, shape and name of PyTorch's tensors. */
#include "source/torch_pickle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/room.h"
#include "source/pickle.h"

enum {
    ITEMS = 1 << 20,  /* on a list of a machine; a pickle that needs more is not followed further */
    DEPTH = 256,      /* of the stack, where names of tensors are made */
    NAME_BYTES = 1024 /* of a tensor or a member */
};

enum kind { OTHER, MARK, NUMBER, TEXT, NAME, TUPLE, STORAGE };

/* What the machine knows of an object: many, so it is small. */
struct item {
    uint8_t kind;
    bool tensor;    /* STORAGE: it stands for a tensor in it */
    uint32_t count; /* TEXT, NAME: bytes; TUPLE: items */
    union {
        uint64_t value;      /* NUMBER; TUPLE: its first item; STORAGE: its place in the list */
        const uint8_t *text; /* TEXT, NAME */
    };
};

struct items {
    struct item *item;
    size_t count;
};

struct machine {
    struct items stack, memo, held; /* held: the items of tuples */
    const char *folder;
    struct fpgz_storages *storages;
    bool no_memory;
};

static bool push(struct machine *machine, struct items *items, struct item item)
{
    if (items->count == ITEMS)
        return false;
    struct item *const larger = fpgz_room(items->item, items->count, sizeof *larger);
    if (!larger) {
        machine->no_memory = true;
        return false;
    }
    items->item = larger;
    items->item[items->count++] = item;
    return true;
}

/* Items above the last mark; SIZE_MAX: there is none. */
static size_t marked(const struct machine *machine)
{
    for (size_t i = machine->stack.count; i-- > 0;)
        if (machine->stack.item[i].kind == MARK)
            return machine->stack.count - i - 1;
    return SIZE_MAX;
}

static bool is(const struct item *item, enum kind kind, const char *text)
{
    return item->kind == kind && item->count == strlen(text) && !memcmp(item->text, text, item->count);
}

/* The object that ("storage", class, key, device, values) tells of. */
static struct item find_storage(struct machine *machine, const struct item *tuple)
{
    const struct item none = {.kind = OTHER};
    if (tuple->kind != TUPLE || tuple->count < 5)
        return none;
    const struct item *const part = machine->held.item + tuple->value;
    struct fpgz_storage storage = {0};
    if (!is(&part[0], TEXT, "storage") || part[1].kind != NAME ||
        !fpgz_storage_class((const char *)part[1].text, part[1].count, &storage.value) ||
        part[2].kind != TEXT || part[2].count > NAME_BYTES || part[4].kind != NUMBER ||
        machine->storages->count == FPGZ_STORAGES_LIMIT)
        return none;
    storage.values = part[4].value;
    if (asprintf(&storage.member, "%s/%.*s", machine->folder, (int)part[2].count, part[2].text) < 0)
        storage.member = NULL;
    if (!storage.member || !fpgz_storages_add(machine->storages, &storage)) {
        free(storage.member);
        machine->no_memory = true;
        return none;
    }
    return (struct item){.kind = STORAGE, .value = machine->storages->count - 1};
}

/* Reads the shape of a tensor that fills its storage in row-major order. */
static void read_shape(const struct machine *machine, const struct item *size, const struct item *stride,
                       struct fpgz_storage *storage)
{
    const unsigned dims = size->kind == TUPLE ? (unsigned)fpgz_min(size->count, FPGZ_MAX_DIMS) : 0;
    struct fpgz_array array = storage->value;
    uint64_t values = 1;
    if (!dims || size->count != dims || stride->kind != TUPLE || stride->count != dims ||
        dims + array.dims > FPGZ_MAX_DIMS)
        return;
    for (unsigned d = dims; d-- > 0;) {
        const struct item *const extent = machine->held.item + size->value + d;
        const struct item *const step = machine->held.item + stride->value + d;
        if (extent->kind != NUMBER || step->kind != NUMBER || (extent->value != 1 && step->value != values) ||
            !fpgz_mul(values, extent->value, &values))
            return;
        array.extent[d] = extent->value;
    }
    if (values != storage->values)
        return;
    if (array.dims)
        array.extent[dims] = 2;
    array.dims += dims;
    storage->array = array;
}

/* What a call gives: a tensor, where the function makes one of a storage, or wraps one. */
static struct item call(struct machine *machine, const struct item *function, const struct item *tuple)
{
    const struct item none = {.kind = OTHER};
    if (tuple->kind != TUPLE || !tuple->count)
        return none;
    const struct item *const argument = machine->held.item + tuple->value;
    struct item tensor = argument[0];
    if (tensor.kind != STORAGE)
        return none;
    if (argument->tensor)
        return is(function, NAME, "_rebuild_parameter") ? tensor : none;
    tensor.tensor = true;
    if (tuple->count < 4 ||
        (!is(function, NAME, "_rebuild_tensor_v2") && !is(function, NAME, "_rebuild_tensor")))
        return none;
    if (argument[1].kind == NUMBER && !argument[1].value)
        read_shape(machine, &argument[2], &argument[3], &machine->storages->list[tensor.value]);
    return tensor;
}

/* Adds a key to a name. False where it is none, or has no room. */
static bool add_key(const struct item *key, char *name, size_t *used)
{
    const char *const dot = *used ? "." : "";
    int length = -1;
    if (key->kind == TEXT && key->count < NAME_BYTES && !memchr(key->text, '\0', key->count))
        length = snprintf(name + *used, NAME_BYTES - *used, "%s%.*s", dot, (int)key->count, key->text);
    else if (key->kind == NUMBER)
        length = snprintf(name + *used, NAME_BYTES - *used, "%s%llu", dot, (unsigned long long)key->value);
    if (length < 0 || (size_t)length >= NAME_BYTES - *used)
        return false;
    *used += (size_t)length;
    return true;
}

static bool is_key(const struct item *item)
{
    return item->kind == TEXT || item->kind == NUMBER;
}

/* Finds the keys under which the dictionary on top of a stack of `depth` items will be found, the innermost
 * first. Below each mark wait a container and in front of it its key. */
static size_t find_keys(const struct item *stack, size_t depth, size_t keys[DEPTH])
{
    size_t count = 0;
    while (depth) {
        while (depth && stack[depth - 1].kind == OTHER)
            depth--;
        if (depth && is_key(&stack[depth - 1]))
            keys[count++] = depth - 1;
        while (depth && stack[depth - 1].kind != MARK)
            depth--;
        depth -= depth > 0;
    }
    return count;
}

/* Makes a tensor's name: its key, behind those of the dictionaries around, which wait on the stack below
 * `depth` for their values. False where it has no room. */
static bool make_name(const struct machine *machine, size_t depth, const struct item *key, char *name)
{
    size_t used = 0, keys[DEPTH];
    if (depth > DEPTH)
        return false;
    for (size_t i = find_keys(machine->stack.item, depth, keys); i-- > 0;)
        if (!add_key(&machine->stack.item[keys[i]], name, &used))
            return false;
    return add_key(key, name, &used);
}

/* Gives a tensor its name, if it has none. It is tried once, since many keys may lead to one tensor. */
static void set_name(struct machine *machine, size_t depth, const struct item *key, const struct item *tensor)
{
    char name[NAME_BYTES] = "";
    if (!tensor->tensor || machine->storages->list[tensor->value].tensor)
        return;
    char *const copy = strdup(make_name(machine, depth, key, name) ? name : "");
    machine->storages->list[tensor->value].tensor = copy;
    machine->no_memory |= !copy;
}

/* Takes the last `count` items, keys and their values. */
static void set_items(struct machine *machine, size_t count, bool mark)
{
    struct items *const stack = &machine->stack;
    const size_t first = stack->count - count;
    for (size_t i = first; i + 1 < stack->count && !machine->no_memory; i += 2)
        set_name(machine, first - mark, &stack->item[i], &stack->item[i + 1]);
    stack->count = first - mark;
}

/* Makes a tuple of the last `count` items. */
static bool make_tuple(struct machine *machine, size_t count, bool mark)
{
    struct items *const stack = &machine->stack;
    const struct item tuple = {.kind = TUPLE, .value = machine->held.count, .count = (uint32_t)count};
    for (size_t i = stack->count - count; i < stack->count; i++)
        if (!push(machine, &machine->held, stack->item[i]))
            return false;
    stack->count -= count + mark;
    return push(machine, stack, tuple);
}

static bool put(struct machine *machine, uint64_t number)
{
    struct items *const memo = &machine->memo;
    const struct item none = {.kind = OTHER};
    while (memo->count <= number)
        if (!push(machine, memo, none))
            return false;
    memo->item[number] = machine->stack.item[machine->stack.count - 1];
    return true;
}

/* Does one step; false at the end, and where it cannot be followed. */
static bool follow(struct machine *machine, const struct fpgz_pickle_step *step)
{
    struct items *const stack = &machine->stack;
    const bool takes_marked = step->act == FPGZ_PICKLE_TAKE_MARKED || step->act == FPGZ_PICKLE_DROP_MARKED ||
                              step->act == FPGZ_PICKLE_TUPLE_MARKED || step->act == FPGZ_PICKLE_SET_MARKED;
    const bool looks =
        step->act == FPGZ_PICKLE_COPY || step->act == FPGZ_PICKLE_PUT || step->act == FPGZ_PICKLE_PUT_NEXT;
    const size_t count = takes_marked ? marked(machine) : step->count;
    struct item item = {.kind = OTHER}, *top;
    if (count > stack->count || (looks && !stack->count))
        return false;
    top = stack->count ? stack->item + stack->count : NULL;
    switch (step->act) {
    case FPGZ_PICKLE_STOP:
        return false;
    case FPGZ_PICKLE_NOTHING:
        return true;
    case FPGZ_PICKLE_DROP:
    case FPGZ_PICKLE_DROP_MARKED:
        stack->count -= count + takes_marked;
        return true;
    case FPGZ_PICKLE_SET:
    case FPGZ_PICKLE_SET_MARKED:
        set_items(machine, count, takes_marked);
        return !machine->no_memory;
    case FPGZ_PICKLE_TUPLE:
    case FPGZ_PICKLE_TUPLE_MARKED:
        return make_tuple(machine, count, takes_marked);
    case FPGZ_PICKLE_PUT:
        return put(machine, step->number);
    case FPGZ_PICKLE_PUT_NEXT:
        return put(machine, machine->memo.count);
    case FPGZ_PICKLE_GET:
        if (step->number >= machine->memo.count)
            return false;
        item = machine->memo.item[step->number];
        break;
    case FPGZ_PICKLE_COPY:
        item = top[-1];
        break;
    case FPGZ_PICKLE_MARK:
        item.kind = MARK;
        break;
    case FPGZ_PICKLE_NUMBER:
        item = (struct item){.kind = NUMBER, .value = step->number};
        break;
    case FPGZ_PICKLE_TEXT:
    case FPGZ_PICKLE_NAME:
        item = (struct item){.kind = step->act == FPGZ_PICKLE_TEXT ? TEXT : NAME,
                             .text = step->text,
                             .count = (uint32_t)step->length};
        break;
    case FPGZ_PICKLE_NAME_HELD:
        item = top[-1];
        item.kind = item.kind == TEXT ? NAME : OTHER;
        break;
    case FPGZ_PICKLE_CALL:
        item = call(machine, &top[-2], &top[-1]);
        break;
    case FPGZ_PICKLE_OUTSIDE:
        item = find_storage(machine, &top[-1]);
        break;
    case FPGZ_PICKLE_TAKE:
    case FPGZ_PICKLE_TAKE_MARKED:
        break;
    }
    stack->count -= count + takes_marked;
    return push(machine, stack, item);
}

bool fpgz_torch_scan(const uint8_t *pickle, size_t length, const char *folder, struct fpgz_storages *storages)
{
    struct machine machine = {.folder = folder, .storages = storages};
    struct fpgz_pickle_step step;
    size_t at = 0;
    do
        step = fpgz_pickle_step(pickle, length, &at);
    while (follow(&machine, &step));
    free(machine.stack.item);
    free(machine.memo.item);
    free(machine.held.item);
    return !machine.no_memory;
}

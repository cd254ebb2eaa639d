/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - see ranks.h. Each rank has a list of the messages that it has not received yet. In a collective every rank
 * shows its buffer, all wait for all, each takes what it needs, and all wait again. */
#include "ranks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct message {
    struct message *next;
    int from, tag, round;
    int *taken; /* of a synchronous one: the round of the receipt, once it has been received */
    size_t size;
    char data[];
};

struct rank {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct message *first, **last;
    char *is_partner; /* by rank */
    const void *shown, *shown_counts;
    int sent; /* messages */
    size_t bytes;
    size_t waiting, most_waiting; /* bytes that have been sent here and not been received yet */
};

static struct rank *all;
static int count, refused = -1, refusals, garbled = -1, most_partners, most_rounds, collectives;
static int most_sent;
static size_t most_bytes, most_waiting;
static pthread_barrier_t barrier;
static __thread int own, round_of_rank;

static void (*run_body)(int rank, void *context);
static void *run_context;

static void *ranks_thread(void *rank)
{
    own = (int)(intptr_t)rank;
    round_of_rank = 0;
    run_body(own, run_context);
    pthread_mutex_lock(&all[0].lock);
    most_rounds = round_of_rank > most_rounds ? round_of_rank : most_rounds;
    pthread_mutex_unlock(&all[0].lock);
    return NULL;
}

static void ranks_begin(struct rank *r)
{
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->arrived, NULL);
    r->last = &r->first;
    r->is_partner = calloc((size_t)count, 1);
    assert_non_null(r->is_partner);
}

static void ranks_end(struct rank *r)
{
    int partners = 0;
    for (int i = 0; i < count; i++)
        partners += r->is_partner[i];
    most_partners = partners > most_partners ? partners : most_partners;
    most_sent = r->sent > most_sent ? r->sent : most_sent;
    most_bytes = r->bytes > most_bytes ? r->bytes : most_bytes;
    if (r->most_waiting > most_waiting)
        most_waiting = r->most_waiting;
    if (garbled < 0)
        assert_null(r->first);
    for (struct message *next, *left = r->first; left; left = next) {
        next = left->next;
        free(left);
    }
    free(r->is_partner);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->arrived);
}

void ranks_run(int ranks, void (*body)(int rank, void *context), void *context)
{
    pthread_attr_t small;
    count = ranks;
    most_partners = most_rounds = collectives = 0;
    most_bytes = most_waiting = 0;
    most_sent = 0;
    run_body = body;
    run_context = context;
    all = calloc((size_t)ranks, sizeof *all);
    assert_non_null(all);
    pthread_barrier_init(&barrier, NULL, (unsigned)ranks);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 * 1024);
    for (int i = 0; i < ranks; i++)
        ranks_begin(&all[i]);
    for (int i = 0; i < ranks; i++)
        assert_int_equal(pthread_create(&all[i].thread, &small, ranks_thread, (void *)(intptr_t)i),
                         0);
    for (int i = 0; i < ranks; i++)
        pthread_join(all[i].thread, NULL);
    for (int i = 0; i < ranks; i++)
        ranks_end(&all[i]);
    pthread_attr_destroy(&small);
    pthread_barrier_destroy(&barrier);
    free(all);
}

int ranks_most_partners(void)
{
    return most_partners;
}

int ranks_most_rounds(void)
{
    return most_rounds;
}

int ranks_most_sent(void)
{
    return most_sent;
}

size_t ranks_most_bytes(void)
{
    return most_bytes;
}

size_t ranks_most_waiting(void)
{
    return most_waiting;
}

int ranks_collectives(void)
{
    return collectives / count;
}

void ranks_refuse(int rank, int times)
{
    refused = rank;
    __atomic_store_n(&refusals, times, __ATOMIC_RELEASE);
}

void ranks_garble(int rank)
{
    garbled = rank;
}

/* ---- types: what is not built in has its bytes in the handle ---- */

enum { CONTIGUOUS = 0x10000000 };

static size_t ranks_size_of(MPI_Datatype type)
{
    return (size_t)(type & CONTIGUOUS && !(type & 0x40000000) ? type & 0xffffff : type >> 8 & 0xff);
}

int PMPI_Type_contiguous(int times, MPI_Datatype type, MPI_Datatype *result)
{
    *result = CONTIGUOUS | (times * (int)ranks_size_of(type));
    return MPI_SUCCESS;
}

int PMPI_Type_commit(MPI_Datatype *type)
{
    (void)type;
    return MPI_SUCCESS;
}

int PMPI_Type_free(MPI_Datatype *type)
{
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* ---- messages ---- */

__attribute__((weak)) int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = own;
    return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    (void)comm;
    *size = count;
    return MPI_SUCCESS;
}

static int ranks_send(const void *data, size_t size, int to, int tag, int *taken)
{
    struct message *message = malloc(sizeof *message + size);
    struct rank *target = &all[to];
    if (!message || (to == refused && __atomic_load_n(&refusals, __ATOMIC_ACQUIRE) > 0 &&
                     __atomic_fetch_sub(&refusals, 1, __ATOMIC_ACQ_REL) > 0)) {
        free(message);
        return MPI_ERR_OTHER;
    }
    *message = (struct message){
        .from = own, .tag = tag, .round = round_of_rank + 1, .taken = taken, .size = size};
    if (size)
        memcpy(message->data, data, size);
    all[own].is_partner[to] = 1;
    all[own].sent++;
    all[own].bytes += size;
    pthread_mutex_lock(&target->lock);
    *target->last = message;
    target->last = &message->next;
    target->waiting += size;
    if (target->waiting > target->most_waiting)
        target->most_waiting = target->waiting;
    pthread_cond_signal(&target->arrived);
    pthread_mutex_unlock(&target->lock);
    return MPI_SUCCESS;
}

int PMPI_Send(const void *data, int items, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    (void)comm;
    return ranks_send(data, (size_t)items * ranks_size_of(type), to, tag, NULL);
}

/* The link to the first message that matches; waits for it. The lock is held. */
static struct message **ranks_await(struct rank *r, int from, int tag)
{
    for (;;) {
        for (struct message **m = &r->first; *m; m = &(*m)->next)
            if ((from == MPI_ANY_SOURCE || (*m)->from == from) && (*m)->tag == tag)
                return m;
        pthread_cond_wait(&r->arrived, &r->lock);
    }
}

/* That is a message as well. */
static void ranks_acknowledge(const struct message *message)
{
    struct rank *sender = &all[message->from];
    if (!message->taken)
        return;
    pthread_mutex_lock(&sender->lock);
    *message->taken = round_of_rank + 1;
    pthread_cond_signal(&sender->arrived);
    pthread_mutex_unlock(&sender->lock);
}

int PMPI_Recv(void *data, int items, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    struct rank *r = &all[own];
    (void)comm;
    (void)status;
    pthread_mutex_lock(&r->lock);
    struct message **at = ranks_await(r, from, tag), *message = *at;
    *at = message->next;
    if (r->last == &message->next)
        r->last = at;
    r->waiting -= message->size;
    pthread_mutex_unlock(&r->lock);
    int fits = message->size <= (size_t)items * ranks_size_of(type);
    if (fits && message->size)
        memcpy(data, message->data, message->size);
    r->is_partner[message->from] = 1;
    if (message->round > round_of_rank)
        round_of_rank = message->round;
    ranks_acknowledge(message);
    free(message);
    return own == garbled ? MPI_ERR_OTHER : fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

int PMPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct rank *r = &all[own];
    (void)comm;
    pthread_mutex_lock(&r->lock);
    status->count_lo = (int)(*ranks_await(r, from, tag))->size;
    pthread_mutex_unlock(&r->lock);
    return MPI_SUCCESS;
}

int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *items)
{
    *items = status->count_lo / (int)ranks_size_of(type);
    return MPI_SUCCESS;
}

/* ---- messages that are waited for: what is received is remembered until it is tested ---- */

enum { MOST_REQUESTS = 4 };

static __thread struct {
    void *data;
    int items, from, tag;
    MPI_Datatype type;
    int is_pending;
    int is_sent, taken; /* synchronously */
} requested[MOST_REQUESTS];

static int ranks_request(void)
{
    int i = 0;
    while (requested[i].is_pending)
        i++;
    assert_true(i < MOST_REQUESTS);
    requested[i].is_pending = 1;
    requested[i].is_sent = requested[i].taken = 0;
    return i;
}

__attribute__((weak)) int PMPI_Isend(const void *data, int items, MPI_Datatype type, int to,
                                     int tag, MPI_Comm comm, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return PMPI_Send(data, items, type, to, tag, comm);
}

__attribute__((weak)) int PMPI_Irecv(void *data, int items, MPI_Datatype type, int from, int tag,
                                     MPI_Comm comm, MPI_Request *request)
{
    int i = ranks_request();
    (void)comm;
    requested[i].data = data;
    requested[i].items = items;
    requested[i].from = from;
    requested[i].tag = tag;
    requested[i].type = type;
    *request = i;
    return MPI_SUCCESS;
}

int PMPI_Issend(const void *data, int items, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    int i = ranks_request();
    (void)comm;
    *request = i;
    requested[i].is_sent = 1;
    int rc = ranks_send(data, (size_t)items * ranks_size_of(type), to, tag, &requested[i].taken);
    requested[i].is_pending = rc == MPI_SUCCESS;
    return rc;
}

static void ranks_await_receipt(int i)
{
    struct rank *r = &all[own];
    pthread_mutex_lock(&r->lock);
    while (!requested[i].taken)
        pthread_cond_wait(&r->arrived, &r->lock);
    pthread_mutex_unlock(&r->lock);
    if (requested[i].taken > round_of_rank)
        round_of_rank = requested[i].taken;
}

int PMPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    int i = *request;
    *done = 1;
    *request = MPI_REQUEST_NULL;
    if (i == MPI_REQUEST_NULL)
        return MPI_SUCCESS;
    requested[i].is_pending = 0;
    if (requested[i].is_sent) {
        ranks_await_receipt(i);
        return MPI_SUCCESS;
    }
    return PMPI_Recv(requested[i].data, requested[i].items, requested[i].type, requested[i].from,
                     requested[i].tag, RANKS_COMM, status);
}

int PMPI_Cancel(MPI_Request *request)
{
    (void)request;
    return MPI_ERR_OTHER; /* whoever waits here waits until it comes */
}

int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *is_there, MPI_Status *status)
{
    *is_there = 1;
    return PMPI_Probe(from, tag, comm, status);
}

/* ---- collectives ---- */

static void ranks_show(const void *data)
{
    all[own].shown = data;
    __atomic_fetch_add(&collectives, 1, __ATOMIC_RELAXED);
}

/* Of ints. */
int PMPI_Allreduce(const void *mine, void *result, int items, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    const size_t size = (size_t)items * ranks_size_of(type);
    int *sum = malloc(size);
    (void)comm;
    assert_non_null(sum);
    assert_true(type == MPI_INT && (op == MPI_MAX || op == MPI_MIN));
    ranks_show(mine == MPI_IN_PLACE ? result : mine);
    pthread_barrier_wait(&barrier);
    memcpy(sum, all[0].shown, size);
    for (int rank = 1; rank < count; rank++)
        for (int i = 0; i < items; i++) {
            int other = ((const int *)all[rank].shown)[i];
            if (op == MPI_MAX ? other > sum[i] : other < sum[i])
                sum[i] = other;
        }
    pthread_barrier_wait(&barrier);
    memcpy(result, sum, size);
    free(sum);
    return MPI_SUCCESS;
}

int PMPI_Bcast(void *data, int items, MPI_Datatype type, int root, MPI_Comm comm)
{
    (void)comm;
    ranks_show(data);
    pthread_barrier_wait(&barrier);
    if (own != root && items)
        memcpy(data, all[root].shown, (size_t)items * ranks_size_of(type));
    pthread_barrier_wait(&barrier);
    return MPI_SUCCESS;
}

int PMPI_Gatherv(const void *mine, int items, MPI_Datatype type, void *result, const int counts[],
                 const int starts[], MPI_Datatype result_type, int root, MPI_Comm comm)
{
    size_t size = ranks_size_of(type);
    (void)comm;
    (void)result_type;
    ranks_show(mine);
    all[own].shown_counts = &items;
    pthread_barrier_wait(&barrier);
    for (int rank = 0; own == root && rank < count; rank++) {
        int sent = *(const int *)all[rank].shown_counts;
        assert_int_equal(sent, counts[rank]);
        if (sent)
            memcpy((char *)result + (size_t)starts[rank] * size, all[rank].shown,
                   (size_t)sent * size);
    }
    pthread_barrier_wait(&barrier);
    return MPI_SUCCESS;
}

int PMPI_Gather(const void *mine, int items, MPI_Datatype type, void *result, int result_items,
                MPI_Datatype result_type, int root, MPI_Comm comm)
{
    size_t size = (size_t)items * ranks_size_of(type);
    (void)comm;
    (void)result_items;
    (void)result_type;
    ranks_show(mine);
    pthread_barrier_wait(&barrier);
    for (int rank = 0; own == root && rank < count; rank++)
        memcpy((char *)result + (size_t)rank * size, all[rank].shown, size);
    pthread_barrier_wait(&barrier);
    return MPI_SUCCESS;
}

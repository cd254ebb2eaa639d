/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * card.h - the network card of a node, and the rates of networks by their names: what is published,
 * not what a job gets.
 */
#ifndef RESEAT_CARD_H
#define RESEAT_CARD_H

#include <stdint.h>

/* In ascending order of what is known. Virtual: of a container or network namespace, whose rate
 * says nothing. Unknown: a card that does not tell its rate, as that of a virtual machine. */
enum card_kind {
    CARD_NONE,
    CARD_VIRTUAL,
    CARD_UNKNOWN,
    CARD_ETHERNET,
    CARD_INFINIBAND,
    CARD_KINDS
};

/* It can be sent as bytes. */
struct card {
    int32_t kind;      /* enum card_kind */
    uint32_t megabits; /* per second, each way; 0: not known */
};

/* Find the fastest card that is up, as the kernel says in `folder`, normally "/sys/class". */
void card_find(struct card *card, const char *folder);

/* "infiniband 100000 Mbit/s", "none". Returns `text`. */
enum { CARD_TEXT = 64 };
const char *card_print(const struct card *card, char text[CARD_TEXT]);

/* Read what was printed, at the beginning of `text`. 0, or -1. */
int card_parse(struct card *card, const char *text);

/* The names of networks, as the words of an option. */
#define CARD_NETWORKS "1g|10g|25g|40g|50g|100g|200g|400g|800g|qdr|fdr|edr|hdr|ndr|xdr|opa"

/* The rate of one of these, in megabits per second; 0: it is none. */
uint32_t card_rate_of(const char *network);

#endif
